import { hash } from "./IdSet.ts"

/** Texts longer than this become digests in the memory of a dry run. Names and ids are shorter. */
const MAX_KEPT = 400

/** The database stores no NUL, so no text begins like a digest. */
const isDigest = (value: unknown): boolean => typeof value === "string" && value.startsWith("\0")

const hashText = (text: string) => (isDigest(text) ? text : `\0${text.length} ${hash(text)}`)

/** A text as the memory of a dry run keeps it: whole, or if it is long as a digest, which is the same to `isSame`. */
export const digestLong = (text: string): string => (text.length > MAX_KEPT ? hashText(text) : text)

/** Shows a text that may be a digest to a person. */
export const showDigest = (text: string): string => (isDigest(text) ? "…" : text)

/** Whether two values are the same JSON, whatever the order of an object's members; undefined members are left out. */
export const isSame = (a: unknown, b: unknown): boolean => {
  if (a === b) return true
  if (isDigest(a) || isDigest(b)) return typeof a === "string" && typeof b === "string" && hashText(a) === hashText(b)
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
