/** Rows of a workspace as plain objects, and what the oracles look up in them. */
export type Row = Readonly<Record<string, any>>
export type Tables = Readonly<Record<string, ReadonlyArray<Row>>>

const byDeal = new WeakMap<ReadonlyArray<Row>, Map<string, Array<Row>>>()
export const linked = (world: Tables, table: string, deal: Row): ReadonlyArray<Row> => {
  const rows = world[table] ?? []
  const index = byDeal.get(rows) ?? new Map<string, Array<Row>>()
  if (!byDeal.has(rows)) {
    for (const row of rows) index.set(row["deal_id"], [...(index.get(row["deal_id"]) ?? []), row])
    byDeal.set(rows, index)
  }
  return index.get(deal["id"]) ?? []
}

/** The day since when close dates are tracked in the random workspaces. */
export const CLOSE_DATES_SINCE = "2026-01-10"
interface Fiscal {
  readonly fiscalStart: number
  readonly segmentsFiscalStart?: number
}
/** The number of the quarter of a day, in a fiscal year that begins with this month. */
export const quarterOf = (day: string, fiscalStart: number): number => {
  const [year = 0, month = 0] = day.split("-").map(Number)
  return Math.floor((year * 12 + month - fiscalStart) / 3)
}
/** The rows of a deal; of `slips`, its earlier close dates of quarters that the deal no longer closes in or before, if they were tracked then. */
export const rowsOf = (
  world: Tables,
  table: string,
  deal: Row,
  { fiscalStart, segmentsFiscalStart = fiscalStart }: Fiscal,
): ReadonlyArray<Row> => {
  if (table !== "slips") return linked(world, table, deal)
  const quarter = (day: string) => quarterOf(day, segmentsFiscalStart)
  const { close_date: now } = deal
  if (now === null) return []
  return linked(world, "deal_close_date_changes", deal).filter(
    ({ close_date: old }) => quarter(old) < quarter(now) && quarter(old) >= quarter(CLOSE_DATES_SINCE),
  )
}

export const find = (world: Tables, table: string, id: string | null) =>
  id === null ? undefined : world[table]?.find((row) => row["id"] === id)
export const clientOf = (deal: Row, world: Tables) => find(world, "clients", deal["client_id"])
export const outcomeOf = (deal: Row, world: Tables): string | undefined =>
  find(world, "stages", deal["status_id"])?.["category"]

/** Whether no other won deal of the client closed before it, or on the same day with a lower id. */
export const isFirstWon = (deal: Row, world: Tables): boolean => {
  const isWon = (each: Row) => outcomeOf(each, world) === "won"
  // The bytes of UTF-8 order ids by code point.
  const placeOf = (each: Row) => Buffer.from(`${each["close_date"] ?? "9999"} ${each["id"]}`)
  const all = world["deals"] ?? []
  return (
    deal["client_id"] !== null &&
    isWon(deal) &&
    !all.some(
      (other) =>
        other["client_id"] === deal["client_id"] && isWon(other) && Buffer.compare(placeOf(other), placeOf(deal)) < 0,
    )
  )
}
