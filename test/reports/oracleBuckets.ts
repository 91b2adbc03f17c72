import type { Now } from "../deals/oracleDates.ts"
import { localDay } from "../support/zones.ts"

type Key = string | null
const day = (text: string) => new Date(text).toISOString().slice(0, 10)

/** The name of the day's period, by counting months of the fiscal year. */
export const bucket = (grain: string, date: string | null, fiscalStart: number): Key => {
  if (date === null) return null
  const at = new Date(date)
  const [year, month] = [at.getUTCFullYear(), at.getUTCMonth() + 1]
  // A month that counts from the fiscal year's start; the year in which that fiscal year ends.
  const into = (month - fiscalStart + 12) % 12
  const ends = fiscalStart === 1 || month < fiscalStart ? year : year + 1
  switch (grain) {
    case "day":
      return day(date)
    case "week": {
      const thursday = new Date(at)
      thursday.setUTCDate(at.getUTCDate() + 4 - (at.getUTCDay() || 7))
      const first = Date.UTC(thursday.getUTCFullYear(), 0, 1)
      const week = Math.ceil(((thursday.setUTCHours(0, 0, 0, 0) - first) / 86_400_000 + 1) / 7)
      return `${thursday.getUTCFullYear()}-W${String(week).padStart(2, "0")}`
    }
    case "month":
      return day(date).slice(0, 7)
    case "quarter":
      return `${ends}-Q${Math.floor(into / 3) + 1}`
    default:
      return String(ends)
  }
}

/** The same for a day, or an instant in the zone. */
export const bucketIn = (grain: string, date: string | null, { fiscalStart, zone }: Now): Key =>
  bucket(grain, date === null ? null : localDay(date, zone), fiscalStart)

const BANDS: ReadonlyArray<readonly [number, string]> = [
  [10_000, "under 10 k"],
  [25_000, "10-25 k"],
  [50_000, "25-50 k"],
  [100_000, "50-100 k"],
  [250_000, "100-250 k"],
  [1_000_000, "250 k-1 m"],
  [Infinity, "over 1 m"],
]
export const bandOf = (amount: number) => BANDS.find(([below]) => amount < below)![1]
