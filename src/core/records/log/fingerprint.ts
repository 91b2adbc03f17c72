import { hash } from "../IdSet.ts"

/** A hash of 53 bits of a JSON value, whatever the order of an object's members; undefined members are left out. */
export const fingerprint = (value: unknown): number => hash(canonical(value))

const canonical = (value: unknown): string => {
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null"
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`
  const members = value as Readonly<Record<string, unknown>>
  return `{${Object.keys(members)
    .sort()
    .flatMap((name) => (members[name] === undefined ? [] : [`${JSON.stringify(name)}:${canonical(members[name])}`]))
    .join(",")}}`
}
