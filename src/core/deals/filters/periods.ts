/** The day on which relative filters are evaluated, and the first month of the fiscal year (1 to 12). */
export interface FiscalDay {
  /** `YYYY-MM-DD` in the workspace's time zone. */
  readonly today: string
  readonly fiscalStart: number
}

export interface Calendar extends FiscalDay {
  /** The IANA name of the workspace's time zone, in which days are. */
  readonly timezone: string
}

const UNITS = ["week", "month", "quarter", "year"] as const
type Unit = (typeof UNITS)[number] | "half"
export const isUnit = (text: string): text is Unit => Object.hasOwn(MONTHS_IN, text) || text === "week"

/** Named periods of date filters. Weeks are ISO weeks; quarters and years are fiscal. */
export const PERIODS = [
  "today",
  ...(["this", "last", "next"] as const).flatMap((which) => UNITS.map((unit) => `${which}_${unit}` as const)),
  "last_7_days",
  "last_30_days",
  "last_90_days",
  "last_4_quarters",
  "last_12_months",
  "year_to_date",
] as const
export type Period = (typeof PERIODS)[number]

/** Days, both inclusive. */
export interface Days {
  readonly from: string
  readonly to: string
}

const DAY_MS = 86_400_000

/** Adds days to a `YYYY-MM-DD`. */
export const addDays = (day: string, count: number): string =>
  new Date(Date.parse(day) + count * DAY_MS).toISOString().slice(0, 10)

/** The first day of the month that is `count` months from `day`'s. */
export const addMonths = (day: string, count: number): string => {
  const date = new Date(day)
  return new Date(new Date(0).setUTCFullYear(date.getUTCFullYear(), date.getUTCMonth() + count, 1))
    .toISOString()
    .slice(0, 10)
}

export const MONTHS_IN = { month: 1, quarter: 3, half: 6, year: 12 } as const

/** The months from the start of the fiscal quarter or year to the month of `day`. */
const monthsInto = (unit: Exclude<Unit, "week">, day: string, fiscalStart: number) =>
  (new Date(day).getUTCMonth() + 13 - fiscalStart) % MONTHS_IN[unit]

/** The calendar unit that is `offset` units from the one of `day`. */
export const unitOf = (unit: Unit, day: string, offset: number, fiscalStart: number): Days => {
  if (unit === "week") {
    const monday = addDays(day, offset * 7 - ((new Date(day).getUTCDay() + 6) % 7))
    return { from: monday, to: addDays(monday, 6) }
  }
  const from = addMonths(day, offset * MONTHS_IN[unit] - monthsInto(unit, day, fiscalStart))
  return { from, to: addDays(addMonths(from, MONTHS_IN[unit]), -1) }
}

const OFFSETS: Readonly<Record<string, number>> = { last: -1, this: 0, next: 1 }

/** The days of a named period. */
export const resolvePeriod = (period: Period, { today, fiscalStart }: FiscalDay): Days => {
  const span = /^last_(\d+)_(days|months|quarters)$/.exec(period)
  if (span !== null) {
    const count = Number(span[1])
    // Days include today; months and quarters end before the running one.
    if (span[2] === "days") return { from: addDays(today, 1 - count), to: today }
    const unit = span[2] === "months" ? "month" : "quarter"
    return {
      from: unitOf(unit, today, -count, fiscalStart).from,
      to: unitOf(unit, today, -1, fiscalStart).to,
    }
  }
  if (period === "today") return { from: today, to: today }
  if (period === "year_to_date") return { from: unitOf("year", today, 0, fiscalStart).from, to: today }
  const [which = "", unit = ""] = period.split("_")
  return unitOf(unit as Unit, today, OFFSETS[which] ?? 0, fiscalStart)
}
