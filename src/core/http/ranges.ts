/** The part of `size` bytes that a `Range` header asks for: `end` is not part of it. Undefined: all of them. */
export const rangeOf = (
  header: string | undefined,
  size: number,
): { readonly start: number; readonly end: number } | "unsatisfiable" | undefined => {
  // Several ranges at once are answered with the whole, as RFC 9110 allows.
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? "")
  const [, first = "", last = ""] = match ?? []
  if (first === "" && last === "") return undefined
  if (first === "") {
    return Number(last) === 0 || size === 0 ? "unsatisfiable" : { start: Math.max(size - Number(last), 0), end: size }
  }
  const start = Number(first)
  if (last !== "" && Number(last) < start) return undefined
  if (start >= size) return "unsatisfiable"
  return { start, end: last === "" ? size : Math.min(Number(last) + 1, size) }
}
