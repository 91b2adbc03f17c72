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
