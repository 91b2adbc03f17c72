/** How answers write numbers. */

import type { Unit as ReportUnit } from "../../../reports/measure.ts"
import { measureOf } from "../../../reports/measures.ts"

export type Unit = "count" | "money" | "rate" | "days" | "score"

const UNITS = {
  deals: "count",
  mentions: "count",
  clients: "count",
  competitors: "score",
  currency: "money",
  fraction: "rate",
  days: "days",
  score: "score",
} as const satisfies Readonly<Record<ReportUnit, Unit>>

export const unitOf = (measure: string): Unit => UNITS[measureOf(measure)?.unit ?? "deals"]

export const formatCount = (count: number): string => count.toLocaleString("en-US", { maximumFractionDigits: 2 })

/** "12 deals", "1 deal". */
export const writeCount = (count: number, one: string, many = `${one}s`): string =>
  `${formatCount(count)} ${count === 1 ? one : many}`

/** One decimal: "36.4 %". */
export const formatRate = (share: number): string => `${(share * 100).toFixed(1)} %`

const SCALES: ReadonlyArray<readonly [number, string]> = [
  [1e9, "bn"],
  [1e6, "m"],
  [1e3, "k"],
]
/** Smaller amounts are short enough in full. */
const MIN_SHORT = 10_000

/** Three significant digits or more: "29.2 m EUR", "5.87 m EUR", "732 k EUR", "9,500 EUR". */
export const formatAmount = (amount: number, currency: string | undefined): string => {
  const unit = currency === undefined ? "" : ` ${currency}`
  const size = Math.abs(amount)
  const scale = size < MIN_SHORT ? undefined : SCALES.find(([from]) => Number((size / from).toPrecision(3)) >= 1)
  if (scale === undefined) return `${formatCount(amount)}${unit}`
  const scaled = amount / scale[0]
  const digits = Math.abs(scaled) >= 99.95 ? 0 : Math.abs(scaled) >= 9.995 ? 1 : 2
  return `${scaled.toLocaleString("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits })} ${scale[1]}${unit}`
}

export const formatValue = (measure: string, value: number | null, currency: string | undefined): string => {
  if (value === null) return "–"
  switch (unitOf(measure)) {
    case "rate":
      return formatRate(value)
    case "money":
      return formatAmount(value, currency)
    case "days":
      return `${formatCount(Math.round(value * 10) / 10)} ${value === 1 ? "day" : "days"}`
    case "score":
      return value.toFixed(2)
    default:
      return formatCount(value)
  }
}

/** A value with its amount in full, for a page that has room. */
export const formatExact = (measure: string, value: number | null, currency: string | undefined): string =>
  value === null || unitOf(measure) !== "money"
    ? formatValue(measure, value, currency)
    : `${formatCount(value)}${currency === undefined ? "" : ` ${currency}`}`

/** A change with its sign; of rates in percentage points. */
export const formatChange = (measure: string, change: number, currency: string | undefined): string => {
  const sign = change > 0 ? "+" : change < 0 ? "−" : "±"
  const size = Math.abs(change)
  return unitOf(measure) === "rate"
    ? `${sign}${(size * 100).toFixed(1)} points`
    : `${sign}${formatValue(measure, size, currency)}`
}
