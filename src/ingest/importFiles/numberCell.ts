import type { Cell } from "../../core/ports/table.ts"
import { shownNumber, storedNumber } from "../formats/office/xlsxNumbers.ts"
import { GENERAL, type NumberFormat } from "../formats/office/xlsxStyles.ts"

/** Shown numbers that are kept: sheets repeat them, and a format takes time. */
const MAX_SHOWN = 10_000
const shown = new WeakMap<NumberFormat, Map<string, string>>()

/** A number with its format, or the date or time that its format makes of it. */
export const numberCell = (raw: string, format: NumberFormat, from1904: boolean): Cell => {
  const value = Number(raw)
  if (raw.trim() === "") return ""
  if (!Number.isFinite(value)) return raw
  if (format.kind !== "number") {
    const stored = storedNumber(roundToSeconds(raw, format), format, from1904)
    const isDate = /^\d{4}-\d{2}-\d{2}T/.test(stored)
    // A time of day, or a length of time, is a text; a number that no date has is one without its format.
    if (!isDate) return /^\d+:/.test(stored) ? stored : { text: String(value), value }
    const date = stored.replace(/T00:00:00$/, "")
    return { text: isMonth(date, format) ? date.slice(0, 7) : date, value: { date } }
  }
  if (format === GENERAL || format.code === undefined) return { text: digits(value), value: precise(value) }
  return { text: formatCached(raw, format, from1904), value: precise(value), format: format.code }
}

/** A spreadsheet stores a month as its first day, and shows it as `Mar-26`. */
const isMonth = (date: string, { code, year, day }: NumberFormat): boolean =>
  code !== undefined && year && !day && /m/i.test(code) && date.endsWith("-01")

/** Excel calculates with 15 digits; more are noise, as in 0.30000000000000004. */
const precise = (value: number) => (Number.isInteger(value) ? value : Number(value.toPrecision(15)))
const digits = (value: number) => String(precise(value))

const DAY_SECONDS = 86_400
const roundToSeconds = (raw: string, { kind }: NumberFormat) =>
  kind === "moment" ? String(Math.round(Number(raw) * DAY_SECONDS) / DAY_SECONDS) : raw

const formatCached = (raw: string, format: NumberFormat, from1904: boolean): string => {
  let texts = shown.get(format)
  if (texts === undefined) shown.set(format, (texts = new Map()))
  const known = texts.get(raw)
  if (known !== undefined) return known
  const text = shownNumber(raw, format, from1904)
  if (texts.size < MAX_SHOWN) texts.set(raw, text)
  return text
}
