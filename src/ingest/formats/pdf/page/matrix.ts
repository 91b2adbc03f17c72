/** A transformation of PDF (ISO 32000-1, 8.3.3). */
export type Matrix = readonly [number, number, number, number, number, number]
export type Box = readonly [left: number, low: number, right: number, high: number]

export const IDENTITY: Matrix = [1, 0, 0, 1, 0, 0]

/** Transforms by `by` first. */
export const times = ([a, b, c, d, e, f]: Matrix, by: ReadonlyArray<number>): Matrix => {
  const [g = 1, h = 0, i = 0, j = 1, k = 0, l = 0] = by
  return [a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * l + e, b * k + d * l + f]
}

/** The box around a transformed box. */
export const makeBox = ([a, b, c, d, e, f]: Matrix, box: ArrayLike<number>): Box => {
  const [left = 0, low = 0, right = 0, high = 0] = Array.from(box)
  const xs = [a * left + c * low, a * left + c * high, a * right + c * low, a * right + c * high].map((x) => x + e)
  const ys = [b * left + d * low, b * left + d * high, b * right + d * low, b * right + d * high].map((y) => y + f)
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)]
}
