import { isCurrencyCode } from "../../../records/values/currency.ts"
import type { StageCategory } from "../../../records/values/stageWords.ts"

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

/** Parses JSON or `A=x,B=y` with the given mark between name and value. Undefined if it is neither. */
const parsePairs = (
  text: string,
  mark: ":" | "=",
): ReadonlyArray<readonly [name: string, value: unknown]> | undefined => {
  if (text.trim().startsWith("{")) {
    try {
      return Object.entries(JSON.parse(text) as object)
    } catch {
      return undefined
    }
  }
  const pairs = text.split(",").map((pair) => {
    const at = pair.lastIndexOf(mark)
    return [pair.slice(0, Math.max(0, at)).trim(), pair.slice(at + 1).trim()] as const
  })
  return pairs.every(([name, value]) => name !== "" && value !== "") ? pairs : undefined
}

/** Parses `EUR:1.08,JPY:0.0067`, or the same as a JSON object: units of the workspace's currency for one of each. */
export const parseRates = (text: string): Readonly<Record<string, number>> | undefined => {
  const pairs = parsePairs(text, ":")?.map(([code, rate]) => [code.toUpperCase(), Number(rate)] as const)
  return pairs?.every(([code, rate]) => isCurrencyCode(code) && Number.isFinite(rate) && rate > 0) === true
    ? Object.fromEntries(pairs)
    : undefined
}

const CATEGORIES: ReadonlySet<unknown> = new Set(["open", "won", "lost"])

/** Parses `Closed=lost,Signed=won`, or the same as a JSON object: the categories of stages. */
export const parseStages = (text: string): Readonly<Record<string, StageCategory>> | undefined => {
  const pairs = parsePairs(text, "=")
  return pairs?.every(([, category]) => CATEGORIES.has(category)) === true
    ? (Object.fromEntries(pairs) as Readonly<Record<string, StageCategory>>)
    : undefined
}
