import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { type Column, COLUMN_NAMES, type ColumnName, COLUMNS } from "../deals/columns.ts"
import { columnSql, type FixedName } from "../deals/columnSql.ts"
import { METRICS } from "../deals/metrics.ts"
import { utc } from "../storage/sql.ts"
import type { RecordedDeal, RenderedRecord } from "./record.ts"
import { spoken } from "./record.ts"
import { indexRecords } from "./writing.ts"

/** The facts that open a record, in this order; columns with a `fact` that are not here follow. */
const LEADING = [
  "client_name",
  "industry",
  "website_url",
  "deal_status",
  "amount",
  "type",
  "region",
  "close_date",
  "owner_name",
] as const satisfies ReadonlyArray<ColumnName>

/** Columns that are facts of a record, with their labels. */
const FACTS = [...new Set<ColumnName>([...LEADING, ...COLUMN_NAMES])].flatMap((name) => {
  const { fact }: Column = COLUMNS[name]
  return fact === undefined || name === "segments" ? [] : [{ name, label: fact }]
})

const valueOf = (name: FixedName) => columnSql(name).value

/** With its currency, where the workspace says which. */
const AMOUNT = "d.amount::text || coalesce(' ' || (select o.currency from organizations o where o.id = d.org_id), '')"

const named = (table: string, values: string, member: string) =>
  `coalesce((select json_agg(${member} order by t.name collate "C", t.id collate "C") from ${table} t
    where t.org_id = d.org_id and d.${values} ? t.id), '[]')`

const TOLD = [
  "d.name",
  ...FACTS.map(({ name }) => `(${name === "amount" ? AMOUNT : valueOf(name)})::text as ${name}`),
  ...(["product_labels", "competitors", "drivers", "features"] as const).map(
    (name) => `(${valueOf(name)})::json as ${name}`,
  ),
  "d.summary",
  ...METRICS.flatMap((metric) => [`d.wl_${metric}_score`, `d.wl_${metric}_explanation`]),
  `${named("metrics", "custom_metrics", "json_build_object('name', t.name, 'score', d.custom_metrics -> t.id -> 'score', 'explanation', d.custom_metrics -> t.id ->> 'explanation')")} as metrics`,
  `${named("answers", "custom_answers", "json_build_object('name', t.name, 'text', d.custom_answers ->> t.id)")} as answers`,
].join(", ")

/** A deal as its record is made of it, and the record stored of it, if any. */
export interface RecordedRow extends Record<string, unknown> {
  readonly id: string
  readonly name: string
  readonly created_at: string
  readonly stored: string | null
  readonly summary: unknown
  readonly product_labels: ReadonlyArray<string>
  readonly competitors: ReadonlyArray<{
    readonly name: string
    readonly is_primary: boolean
    readonly is_incumbent: boolean
  }>
  readonly drivers: RecordedDeal["drivers"]
  readonly features: RecordedDeal["features"]
  readonly metrics: RecordedDeal["scores"]
  readonly answers: RecordedDeal["answers"]
}

/** Of deals that are not there, nothing. */
export const recorded = (sql: SqlClient, org: string, ids: ReadonlyArray<string>): Fragment => sql`
  select d.id, ${sql.literal(utc("d.created_at"))} as created_at, ${sql.literal(TOLD)},
    (select r.body from deal_records r where r.org_id = d.org_id and r.deal_id = d.id) as stored
  from deals d where d.org_id = ${org} and d.id = any(${[...ids]}::text[]) order by d.id`

export const toldBy = (row: RecordedRow): RecordedDeal => ({
  ...row,
  facts: [
    ...FACTS.map(({ name, label }) => [label, row[name] as string | null] as const),
    ["Products", row.product_labels.join(", ")],
    ["Competitors", row.competitors.map(rival).join(", ")],
  ],
  scores: [
    ...METRICS.map((metric) => ({
      name: spoken(metric),
      score: row[`wl_${metric}_score`] as number | null,
      explanation: row[`wl_${metric}_explanation`] as string | null,
    })),
    ...row.metrics,
  ],
})

const rival = ({ name, is_primary, is_incumbent }: RecordedRow["competitors"][number]) => {
  const roles = [...(is_primary ? ["primary"] : []), ...(is_incumbent ? ["incumbent"] : [])]
  return roles.length === 0 ? name : `${name} (${roles.join(", ")})`
}

/** A deal and its record, rendered. */
interface Rendered {
  readonly id: string
  readonly created_at: string
  readonly record: RenderedRecord
}

/** Of a chunk under its headings, in UTF-16 units: what is beyond, no word finds. A vector of PostgreSQL holds no more than a mebibyte. */
const LONGEST_INDEXED = 100_000

/** Stores records and makes their chunks passages, in place of what was there. The records come first: they lock their deals. */
export const storeRecords = Effect.fnUntraced(function* (sql: SqlClient, org: string, deals: ReadonlyArray<Rendered>) {
  const records = deals.map(({ id, record }) => ({ id, ...record }))
  yield* sql`insert into deal_records (org_id, deal_id, body, headings, chunks)
    select ${org}, x.id, x.body, x.headings, x.chunks
    from json_to_recordset(${JSON.stringify(records)}::json) as x(id text, body text, headings jsonb, chunks jsonb)
    on conflict (org_id, deal_id) do update set body = excluded.body, headings = excluded.headings, chunks = excluded.chunks`
  const passages = deals.flatMap(({ id, created_at, record: { body, chunks } }) =>
    chunks.map(({ start, end, headings }, n) => ({
      id,
      created_at,
      n,
      text: [...headings, body.slice(start, end)].join(" ").slice(0, LONGEST_INDEXED).toWellFormed(),
    })),
  )
  yield* indexRecords(
    sql,
    org,
    deals.map(({ id }) => id),
    passages,
  )
})
