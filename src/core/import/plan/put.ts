/** Sets a value of a record, or of a map in it. */
export const put = (record: Record<string, unknown>, path: ReadonlyArray<string>, value: unknown): void => {
  const [first = "", ...rest] = path
  if (rest.length === 0) {
    if (first === "__proto__") Object.defineProperty(record, first, { value, enumerable: true })
    else record[first] = value
    return
  }
  const known = Object.hasOwn(record, first) ? record[first] : undefined
  const inner = typeof known === "object" && known !== null ? known : {}
  if (inner !== known) put(record, [first], inner)
  put(inner as Record<string, unknown>, rest, value)
}
