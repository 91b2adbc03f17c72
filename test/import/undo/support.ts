import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { DatabaseUnavailable } from "../../../src/core/ports/DatabaseUnavailable.ts"
import { Database } from "../../../src/core/storage/Database.ts"
import { Import } from "../../../src/core/import/Import.ts"
import type { Random } from "../../support/random.ts"
import { untilEffect } from "../../support/until.ts"

export type Fields = Readonly<Record<string, unknown>>

/** The tables that records fill. What is made from them, such as stored JSON, is left out. */
const TABLES = [
  "deals",
  "deal_collaborators",
  "deal_product_labels",
  "deal_competitors",
  "deal_drivers",
  "deal_stage_changes",
  "deal_close_date_changes",
  "associations",
  "stages",
  "owners",
  "competitors",
  "reasons",
  "clients",
  "features",
  "metrics",
  "answers",
  "segments",
  "crm_properties",
]

/** Every row of an organization that records fill, by table, with all columns. */
export const dump = Effect.fnUntraced(function* (
  org: string,
): Effect.fn.Return<Readonly<Record<string, ReadonlyArray<Fields>>>, DatabaseUnavailable, Database> {
  const { sql, scoped } = yield* Database
  const read = (table: string) =>
    Effect.map(
      scoped<{ row: string }>(
        org,
        sql`select to_jsonb(t)::text as row from ${sql.literal(table)} t where org_id = scope.org order by 1`,
      ),
      (rows) => [table, rows.map(({ row }) => JSON.parse(row) as Fields)] as const,
    )
  const [settings] = yield* scoped<{ currency: string | null }>(
    org,
    sql`select currency from organizations where id = scope.org`,
  )
  return { ...Object.fromEntries(yield* Effect.forEach(TABLES, read)), settings: [settings as Fields] }
})
export type Dump = Effect.Success<ReturnType<typeof dump>>

export const importRecords = (org: string, records: ReadonlyArray<Fields>) =>
  Effect.flatMap(Import, (imports) => imports.records(org, Stream.fromIterable(records)))

/** Waits for the end of the undo of an import, and returns what came of it. */
export const untilUndone = Effect.fnUntraced(function* (org: string, id: string) {
  const imports = yield* Import
  return yield* untilEffect(
    "the undo ends",
    Effect.map(imports.find(org, id), ({ undone }) =>
      undone?.status === "completed" || undone?.status === "failed" ? undone : undefined,
    ),
  )
})

export const undo = Effect.fnUntraced(function* (org: string, id: string) {
  yield* (yield* Import).undo(org, id)
  return yield* untilUndone(org, id)
})

/** Records of a workspace whose things have the numbers below `count`. */
export const makeRecords = (random: Random, count: number) => {
  const { below, pick, chance, some } = random
  const number = () => below(count)
  const name = (kind: string) => `${kind} ${number()}`
  const maybe = (fields: Fields) => (chance(0.5) ? fields : {})
  const deal = (id: string): Fields => ({
    type: "deal",
    id,
    name: `Deal ${id}`,
    ...maybe({ amount: pick([null, 10.5, 99, 1e6]) }),
    ...maybe({ status: name("stage"), owner: name("owner") }),
    ...maybe({ client: chance(0.2) ? null : name("client") }),
    ...maybe({ close_date: pick(["2026-03-31", "2026-06-30", null]) }),
    ...maybe({ updated_at: `2026-0${1 + below(9)}-01T10:00:00.000Z` }),
    ...maybe({ collaborators: some(["owner 0", "owner 1", name("owner")], 0, 3) }),
    ...maybe({ competitors: [{ competitor: name("competitor"), is_primary: chance(0.5) }] }),
    ...maybe({ drivers: [{ reason: name("reason"), positive: chance(0.5), summary: "ü\u0001\ud83d\ude00" }] }),
    ...maybe({ product_labels: some(["x", "y", "z"], 0, 2) }),
    ...maybe({ crm_properties: { [`p${below(3)}`]: below(9) } }),
    ...maybe({ custom_metrics: { [name("metric")]: { score: below(5) } } }),
    ...maybe({ custom_answers: { [name("answer")]: "Yes" } }),
    ...maybe({ summary: pick(["Text", { why_won: "b", overview: "a" }.why_won, null]) }),
    ...maybe({ scorecard: { product_fit: { score: 1 + below(5), explanation: "Because" } } }),
  })
  const entity = (): Fields => {
    const kind = pick(["stage", "owner", "competitor", "reason", "feature", "client", "metric", "segment"])
    const n = number()
    const renamed = chance(0.3) ? ` renamed ${below(3)}` : ""
    return {
      type: kind,
      id: `${kind}-${n}`,
      name: `${kind} ${n}${renamed}`,
      ...(kind === "stage" && maybe({ category: pick(["open", "won", "lost"]), position: below(9) })),
      ...(kind === "owner" && maybe({ email: `${n}@x.example` })),
      ...(kind === "client" && maybe({ industry: `industry ${below(2)}`, crm_one_id: `acc-${n}` })),
      ...(kind === "feature" && maybe({ product: `product ${below(3)}`, product_area: "Area" })),
      ...(kind === "reason" && maybe({ category: `category ${below(3)}` })),
      ...(kind === "segment" && { filters: { status: [name("stage")], owner_ids: [name("owner")] } }),
    }
  }
  const association = (deals: ReadonlyArray<string>): Fields => ({
    type: "association",
    id: `a${number()}`,
    deal: { id: pick(deals) },
    feature: name("feature"),
    created_at: "2026-02-01",
    ...maybe({ sentiment: chance(0.5), tags: some(["s", "t"], 0, 2) }),
  })
  const property = (): Fields => ({
    type: "crm_property",
    crm: pick(["crm_one", "crm_two"]),
    object: "deal",
    id: `p${below(3)}`,
    data_type: "number",
    ...maybe({ label: name("Label") }),
  })
  /** A file of deals with an amount in a currency, and two columns that fill no field. */
  const csv = (ids: ReadonlyArray<string>) => {
    const row = (id: string) =>
      [
        id,
        `Deal ${id}`,
        name("stage"),
        name("owner"),
        name("client"),
        below(1000),
        "EUR",
        below(9),
        pick(["x", "y"]),
      ].join()
    return `id,name,stage,owner,client,amount,currency,Seats,Team\n${ids.map(row).join("\n")}\n`
  }
  return { deal, entity, association, property, csv }
}
