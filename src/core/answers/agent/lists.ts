import type { Value } from "../citations/values.ts"

const ITEM = /^(\s*)(?:[-*+•]|\d{1,3}[.)])\s/
const ROW = /^\s*\|/
const SEPARATOR = /^\s*\|[\s:|-]+\|?\s*$/

export const isItem = (text: string): boolean => ITEM.test(text) || ROW.test(text)

/** Whether a sentence belongs to the list or table that `before` begins: its items, lines that continue them, and blank lines. */
export const isInList = (before: ReadonlyArray<string>, text: string): boolean =>
  before.at(-1)?.endsWith("\n") !== true || text.trim() === "" || isItem(text) || /^\s{2,}\S/.test(text)

/** Counts the items of a list that stand outermost, or the rows of a table under its head. */
export const countItems = (sentences: ReadonlyArray<string>): number => {
  const lines = sentences.join("").split("\n")
  const items = lines.flatMap((line) => ITEM.exec(line)?.[1]?.length ?? [])
  if (items.length > 0) return items.filter((indent) => indent === Math.min(...items)).length
  const rows = lines.filter((line) => ROW.test(line))
  return rows.length - (rows.some((row) => SEPARATOR.test(row)) ? 2 : 0)
}

/** The list behind the last colon of a sentence, and the number of its items: "two reasons: price and support" has 2. */
export const findInlineList = (text: string): { readonly start: number; readonly count: number } => {
  const found = /:\s(?!.*:\s)(.*)/s.exec(text)
  const items = found?.[1]?.split(/,|;|\s(?:and|or|und|oder|et|ou|y|o)\s/).filter((item) => /\p{L}/u.test(item)) ?? []
  return { start: found?.index ?? 0, count: items.length }
}

/** Whether a value can count the items of a list: those of this list, if their number is given. */
export const isCount = (value: Value | string, items?: number): boolean =>
  typeof value === "object" &&
  value.kind === "number" &&
  value.unit === undefined &&
  value.days === undefined &&
  value.readings.some(({ value: count }) => Number.isInteger(count) && count > 0 && count === (items ?? count))
