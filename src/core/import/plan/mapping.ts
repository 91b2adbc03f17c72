/** Maps a header, or several joined by `+`, to the field or fields that its column fills. None: the column is ignored. */
export type Mapping = Readonly<Record<string, string | ReadonlyArray<string> | null>>

/**
 * Parses `Header=field,Other=field2,First+Second=name`, or the same as a JSON object. `Header=` ignores a column. Undefined
 * if it is neither.
 */
export const parseMapping = (text: string): Mapping | undefined => {
  const mapping = new Map<string, Array<string>>()
  if (text.trim().startsWith("{")) {
    try {
      const value: unknown = JSON.parse(text)
      return Object.values(value as object).every(isField) ? (value as Mapping) : undefined
    } catch {
      return undefined
    }
  }
  for (const pair of text.split(",")) {
    const at = pair.lastIndexOf("=")
    const header = pair.slice(0, Math.max(at, 0)).trim()
    const field = pair.slice(at + 1).trim()
    if (header === "") return undefined
    mapping.set(header, [...(mapping.get(header) ?? []), ...(field === "" ? [] : [field])])
  }
  return Object.fromEntries(mapping)
}

const isField = (field: unknown) =>
  field === null ||
  typeof field === "string" ||
  (Array.isArray(field) && field.every((each) => typeof each === "string"))

/** The fields that one entry of a mapping fills. */
export const fieldsOf = (to: Mapping[string]): ReadonlyArray<string> =>
  to === null || to === undefined ? [] : typeof to === "string" ? [to] : to
