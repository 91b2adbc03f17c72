/** Reads a `Range` header for a file of `size` bytes; `end` is exclusive. Undefined means the whole file. */
export const parseRange = (
  header: string | undefined,
  size: number,
): { readonly start: number; readonly end: number } | "unsatisfiable" | undefined => {
  // A request for several ranges gets the whole file, as RFC 9110 allows.
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
