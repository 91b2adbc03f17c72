/** The quantile of the normal distribution for 95 %. */
const Z = 1.959963984540054

/** The Wilson interval of `part` of `n` at 95 %. */
export const wilson = (part: number, n: number) => {
  if (n === 0) return { n, low: null, high: null }
  const rate = part / n
  const middle = rate + (Z * Z) / (2 * n)
  const spread = Z * Math.sqrt((rate * (1 - rate)) / n + (Z * Z) / (4 * n * n))
  const scale = 1 + (Z * Z) / n
  return { n, low: Math.max(0, (middle - spread) / scale), high: Math.min(1, (middle + spread) / scale) }
}
