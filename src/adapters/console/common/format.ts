import { current } from "./session.ts"
import { language } from "./settings.ts"

/** Formats for the reader's language. Amounts are in the workspace's currency. */
const locale = () => (navigator.language.startsWith(language.value) ? navigator.language : language.value)

const formats = new Map<string, Intl.NumberFormat>()
const number = (options: Intl.NumberFormatOptions) => {
  const key = `${locale()} ${JSON.stringify(options)}`
  const known = formats.get(key) ?? new Intl.NumberFormat(locale(), options)
  formats.set(key, known)
  return known
}

export const NONE = "–"

export const count = (value: number | null | undefined): string => (value == null ? NONE : number({}).format(value))

export const money = (value: number | null | undefined): string =>
  value == null ? NONE : number({ ...currency(), maximumFractionDigits: 0 }).format(value)

export const shortMoney = (value: number | null | undefined): string =>
  value == null ? NONE : number({ ...currency(), notation: "compact", maximumFractionDigits: 1 }).format(value)

/** A workspace may have no currency; its amounts are then plain numbers. */
const currency = (): Intl.NumberFormatOptions => {
  const code = current().workspace.settings.currency
  return code == null ? {} : { style: "currency", currency: code }
}

export const percent = (value: number | null | undefined): string =>
  value == null ? NONE : number({ style: "percent", minimumFractionDigits: 1, maximumFractionDigits: 1 }).format(value)

export const decimal = (value: number | null | undefined, digits = 1): string =>
  value == null ? NONE : number({ minimumFractionDigits: digits, maximumFractionDigits: digits }).format(value)

export const dollars = (value: number): string => number({ style: "currency", currency: "USD" }).format(value)

const UNITS = ["byte", "kilobyte", "megabyte", "gigabyte"] as const

export const bytes = (value: number): string => {
  const step = [1e3, 1e6, 1e9].filter((limit) => value >= limit).length
  const unitDisplay = step === 0 ? "long" : "short"
  return number({ style: "unit", unit: UNITS[step]!, unitDisplay, maximumFractionDigits: 1 }).format(
    value / 1000 ** step,
  )
}

export const signed = (value: number, format: (value: number) => string): string =>
  `${value > 0 ? "+" : value < 0 ? "−" : "±"}${format(Math.abs(value))}`

const timeZone = () => current().workspace.settings.timezone

/** Today in the workspace's time zone, `YYYY-MM-DD`. */
export const today = (): string => new Intl.DateTimeFormat("sv-SE", { timeZone: timeZone() }).format(new Date())

/** A day is the same day everywhere; an instant is shown as the day that filters and reports count it to. */
export const day = (value: string | null | undefined): string =>
  value == null
    ? NONE
    : new Intl.DateTimeFormat(locale(), {
        dateStyle: "medium",
        timeZone: value.length === 10 ? "UTC" : timeZone(),
      }).format(new Date(value))

/** A month such as `2026-03`. */
export const month = (value: string): string =>
  new Intl.DateTimeFormat(locale(), { month: "short", year: "numeric", timeZone: "UTC" }).format(new Date(value))

/** An instant in the reader's time. */
export const instant = (value: string | null | undefined): string =>
  value == null
    ? NONE
    : new Intl.DateTimeFormat(locale(), { dateStyle: "medium", timeStyle: "short" }).format(new Date(value))

const STEPS = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
] as const

export const ago = (value: string): string => {
  const seconds = (Date.parse(value) - Date.now()) / 1000
  const [unit, size] = STEPS.find(([, size]) => Math.abs(seconds) >= size) ?? ["minute", 60]
  return new Intl.RelativeTimeFormat(locale(), { numeric: "auto" }).format(Math.round(seconds / size), unit)
}
