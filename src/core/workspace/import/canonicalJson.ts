/** JSON with the members of every object in one order: equal values are equal texts. */
export const canonicalJson = (value: unknown): string => JSON.stringify(ordered(value))

const ordered = (value: unknown): unknown => {
  if (typeof value !== "object" || value === null) return value
  if (Array.isArray(value)) return value.map(ordered)
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, member]) => [key, ordered(member)]),
  )
}
