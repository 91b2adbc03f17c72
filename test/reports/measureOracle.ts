import type { MeasureName } from "../../src/core/reports/measures.ts"
import { ageOf, isFirstWon, outcomeOf, type Row, type Tables } from "../deals/oracle.ts"
import { linked } from "../deals/oracleTables.ts"
import type { Now } from "../deals/oracleDates.ts"
import { localDay } from "../support/zones.ts"
import type { Group } from "./oracle.ts"

const mean = (numbers: ReadonlyArray<number>) =>
  numbers.length === 0 ? null : numbers.reduce((sum, each) => sum + each, 0) / numbers.length
const median = (numbers: ReadonlyArray<number>) => {
  const sorted = numbers.toSorted((a, b) => a - b)
  const middle = (sorted.length - 1) / 2
  return sorted.length === 0 ? null : (sorted[Math.floor(middle)]! + sorted[Math.ceil(middle)]!) / 2
}
const total = (numbers: ReadonlyArray<number>) => numbers.reduce((sum, each) => sum + each, 0)
const ratio = (part: number, whole: number) => (whole === 0 ? null : part / whole)

/** The workspace's settings `renewal_types` and `no_decision` match these, as deals and reasons write them. */
export const SETTINGS = { renewal_types: ["RENEWAL", "new"], no_decision: "PRICE" }
const RENEWALS: ReadonlySet<string | null> = new Set(["renewal", "new", "New"])
const NO_DECISION: ReadonlySet<string | null> = new Set(["price", "Price"])

/** A measure of a group. */
export const measure = (
  name: string,
  { deals, associations, changes }: Group,
  all: Group,
  world: Tables,
  now: Now,
): number | null => {
  const of = (...outcomes: ReadonlyArray<string>) =>
    deals.filter((deal) => outcomes.includes(outcomeOf(deal, world) ?? ""))
  const amounts = (some: ReadonlyArray<Row>): ReadonlyArray<number> => some.flatMap(({ amount }) => amount ?? [])
  const late = of("open").filter((deal) => deal["close_date"] !== null && deal["close_date"] < now.today)
  const cycles = of("won", "lost").flatMap((deal) =>
    deal["close_date"] === null
      ? []
      : [(Date.parse(deal["close_date"]) - Date.parse(localDay(deal["created_at"], now.zone))) / 86_400_000],
  )
  const renewals = (...outcomes: ReadonlyArray<string>) => of(...outcomes).filter(({ type }) => RENEWALS.has(type))
  const weighted = () => {
    const parts = of("open").map(({ amount, status_id }: Row) => {
      const { probability } = world["stages"]!.find(({ id }) => id === status_id)!
      return probability === null ? null : (amount ?? 0) * probability
    })
    return parts.includes(null) ? null : total(parts as ReadonlyArray<number>)
  }
  const moved = (column: string) =>
    deals.filter(({ id }) =>
      changes.some(
        (row) =>
          row["deal_id"] === id && "status_id" in row && world["stages"]!.some((stage) => stage["id"] === row[column]),
      ),
    ).length
  const [low, high] = [Math.min(...amounts(deals)), Math.max(...amounts(deals))]
  const feelings = (value: boolean | null) => associations.filter(({ sentiment }) => sentiment === value).length
  const values: Readonly<Record<Exclude<MeasureName, `wl_${string}`>, () => number | null>> = {
    deals: () => deals.length,
    clients: () => new Set(deals.flatMap((deal) => deal["client_id"] ?? [])).size,
    open: () => of("open").length,
    won: () => of("won").length,
    lost: () => of("lost").length,
    decided: () => of("won", "lost").length,
    win_rate: () => ratio(of("won").length, of("won", "lost").length),
    renewal_rate: () => ratio(renewals("won").length, renewals("won", "lost").length),
    lost_no_decision: () =>
      of("lost").filter((deal) =>
        linked(world, "deal_drivers", deal).some(({ reason_id }) =>
          NO_DECISION.has(world["reasons"]!.find(({ id }) => id === reason_id)!["category"]),
        ),
      ).length,
    amount_weighted: () => weighted(),
    loss_rate: () => ratio(of("lost").length, of("won", "lost").length),
    win_rate_by_amount: () => ratio(total(amounts(of("won"))), total(amounts(of("won", "lost")))),
    amount: () => total(amounts(deals)),
    amount_open: () => total(amounts(of("open"))),
    amount_won: () => total(amounts(of("won"))),
    amount_lost: () => total(amounts(of("lost"))),
    amount_avg: () => mean(amounts(deals)),
    amount_median: () => median(amounts(deals)),
    amount_min: () => (Number.isFinite(low) ? low : null),
    amount_max: () => (Number.isFinite(high) ? high : null),
    share_of_deals: () => ratio(deals.length, all.deals.length),
    share_of_amount: () => ratio(total(amounts(deals)), total(amounts(all.deals))),
    cycle_days_avg: () => mean(cycles),
    cycle_days_median: () => median(cycles),
    age_days_avg: () => mean(of("open").map((deal) => ageOf(deal, now))),
    overdue: () => late.length,
    amount_overdue: () => total(amounts(late)),
    new_clients: () => deals.filter((deal) => isFirstWon(deal, world)).length,
    stage_entered: () => moved("status_id"),
    stage_left: () => moved("previous_status_id"),
    slipped: () => deals.filter(({ id }) => changes.some((row) => row["deal_id"] === id && "close_date" in row)).length,
    competitors_avg: () => mean(deals.map((deal) => linked(world, "deal_competitors", deal).length)),
    mentions: () => associations.length,
    positive: () => feelings(true),
    negative: () => feelings(false),
    neutral: () => feelings(null),
  }
  const found = (values as Partial<Record<string, () => number | null>>)[name]
  if (found !== undefined) return found()
  const score = /^(wl_.*_score)_avg$/.exec(name)?.[1]
  if (score !== undefined) return mean(deals.flatMap((deal) => deal[score] ?? []))
  const metric = /^custom_metric_(.*)_avg$/.exec(name)?.[1] ?? ""
  return mean(deals.flatMap((deal) => deal["custom_metrics"][metric]?.score ?? []))
}
