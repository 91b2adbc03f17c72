import { format as formatNumber } from "numfmt"
import type { NumberFormat } from "./xlsxStyles.ts"

const DAY_MS = 86_400_000
const LAST_SERIAL = 2_958_466
/** The days from 1900 to 1904, where the serial numbers of a few workbooks begin. */
const DAYS_TO_1904 = 1462

const clock = (milliseconds: number): string => {
  const seconds = Math.floor(milliseconds / 1000)
  const two = (value: number) => String(value).padStart(2, "0")
  return `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`
}

/** A number as its file stores it: moments in ISO 8601, always with their time; the rest as the shortest decimal. */
export const storedNumber = (raw: string, { kind }: NumberFormat, from1904: boolean): string => {
  const value = Number(raw)
  if (raw.trim() === "" || !Number.isFinite(value)) return raw
  if (kind === "number" || value < 0 || value >= LAST_SERIAL) return String(value)
  const milliseconds = Math.round(value * DAY_MS)
  if (kind === "duration") return clock(milliseconds)
  if (value < 1 && !from1904) return clock(milliseconds)
  // Day 60 of the 1900 system is a 29 February that never was: days before it are one later than counted.
  const epoch = from1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, value < 60 ? 31 : 30)
  return new Date(epoch + milliseconds).toISOString().replace(/(?:\.000)?Z$/, "")
}

/** Excel calculates with 15 digits; more are noise, as in 0.30000000000000004. */
const PRECISION = 15
const writeDigits = (value: number) => String(Number(value.toPrecision(PRECISION)))

/** A shown number is further than this share from its value: "1.2M" for 1,234,567, not "$1,234.57" for 1234.5678. */
const MAX_ROUNDING = 0.005

/**
 * Whether what is shown has the value, but for rounding that hardly matters. Thousands and millions ("1.2M") lack it, for people
 * ask for them in full. Words that show 0 or 1 ("Yes") have it.
 */
const hasValue = (shown: string, value: number, scale: number) => {
  const digits = /\d[\d,\s]*(?:\.\d+)?(?:E[-+]?\d+)?/i.exec(shown)?.[0].replaceAll(/[,\s]/g, "")
  if (digits === undefined) return value === 0 || value === 1
  if (scale < 1) return false
  const size = Math.abs(value) * scale
  return Math.abs(Number(digits) - size) <= size * MAX_ROUNDING
}

/** Whether a shown date can be read in one way: it has a year, and names its month or begins with its year. */
const isClearDate = (shown: string, { year, day }: NumberFormat) =>
  !day || (year && (/\p{L}{3,}/u.test(shown) || /^\d{4}\D/.test(shown)))

/** The texts that a library shows for a value or code that it cannot use. */
const CANNOT = /^#+$/

/**
 * A number as its cell shows it, in English. Its value follows in brackets if the format rounds it by more than 0.5 %
 * ("1.2M [1234567.89]"), and its date if the format omits the year or orders its digits unclearly ("3/4/26 [2026-03-04]").
 */
export const shownNumber = (raw: string, format: NumberFormat, from1904: boolean): string => {
  const value = Number(raw)
  if (raw.trim() === "" || !Number.isFinite(value)) return raw
  const { kind, code, scale } = format
  if (kind === "number") {
    if (code === undefined) return writeDigits(value)
    const shown = show(code, value)
    if (shown === undefined) return writeDigits(value)
    return hasValue(shown, value, scale) ? shown : `${shown} [${writeDigits(value)}]`
  }
  const stored = storedNumber(raw, format, from1904)
  const isDate = value >= 1 || from1904
  if (value < 0 || value >= LAST_SERIAL) return stored
  if (code === undefined) return stored.replace(/T00:00:00$/, "")
  const shown = show(code, from1904 && kind === "moment" ? value + DAYS_TO_1904 : value)
  if (shown === undefined) return stored
  if (kind === "duration" || isClearDate(shown, format)) return shown
  return isDate ? `${shown} [${stored.slice(0, 10)}]` : stored
}

/** Undefined if the format cannot show it, or shows nothing, as `;;;` does. */
const show = (code: string, value: number): string | undefined => {
  const shown = formatNumber(code, value, { throws: false }).replaceAll(/\s+/g, " ").trim()
  return shown === "" || CANNOT.test(shown) ? undefined : shown
}
