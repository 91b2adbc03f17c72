/** Whether two values are the same JSON, whatever the order of an object's members; undefined members are left out. */
export const isSame = (a: unknown, b: unknown): boolean => {
  if (a === b) return true
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false
  if (Array.isArray(a) || Array.isArray(b)) {
    return (
      Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((each, index) => isSame(each, b[index]))
    )
  }
  const others = b as Readonly<Record<string, unknown>>
  let count = 0
  for (const [name, value] of Object.entries(a)) {
    if (value === undefined) continue
    if (!isSame(value, others[name])) return false
    count++
  }
  for (const value of Object.values(others)) if (value !== undefined) count--
  return count === 0
}
