import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { type Column, COLUMN_NAMES, type ColumnName, COLUMNS } from "../deals/columns/columns.ts"
import { columnSql, type FixedName } from "../deals/columns/sql.ts"
import { METRICS } from "../deals/columns/metrics.ts"
import { insertSelected } from "../storage/recordChanges.ts"
import { utc } from "../storage/sql.ts"
import type { RecordInput, RenderedRecord } from "./record.ts"
import { humanize } from "./record.ts"
import { indexRecords } from "./writing.ts"

/** The first facts of a record, in order. Other columns with a `fact` follow. */
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

/** The columns that are facts of a record, with their labels. */
const FACTS = [...new Set<ColumnName>([...LEADING, ...COLUMN_NAMES])].flatMap((name) => {
  const { fact }: Column = COLUMNS[name]
  return fact === undefined || name === "segments" ? [] : [{ name, label: fact }]
})

const valueOf = (name: FixedName) => columnSql(name).value

/** The amount, with the currency of the workspace if it has one. */
const AMOUNT = "d.amount::text || coalesce(' ' || (select o.currency from organizations o where o.id = scope.org), '')"

const selectCustom = (table: string, values: string, member: string) =>
  `coalesce((select json_agg(${member} order by t.name collate "C", t.id collate "C") from ${table} t
    where t.org_id = scope.org and d.${values} ? t.id), '[]')`

const SELECTED = [
  "d.name",
  ...FACTS.map(({ name }) => `(${name === "amount" ? AMOUNT : valueOf(name)})::text as ${name}`),
  ...(["product_labels", "competitors", "drivers", "features"] as const).map(
    (name) => `(${valueOf(name)})::json as ${name}`,
  ),
  "d.summary",
  ...METRICS.flatMap((metric) => [`d.wl_${metric}_score`, `d.wl_${metric}_explanation`]),
  `${selectCustom("metrics", "custom_metrics", "json_build_object('name', t.name, 'score', d.custom_metrics -> t.id -> 'score', 'explanation', d.custom_metrics -> t.id ->> 'explanation')")} as metrics`,
  `${selectCustom("answers", "custom_answers", "json_build_object('name', t.name, 'text', d.custom_answers ->> t.id)")} as answers`,
].join(", ")

/** The fields of a deal that its record shows, and its stored record, if any. */
export interface RecordRow extends Record<string, unknown> {
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
  readonly drivers: RecordInput["drivers"]
  readonly features: RecordInput["features"]
  readonly metrics: RecordInput["scores"]
  readonly answers: RecordInput["answers"]
}

/** Selects what the records of deals show; no row for an unknown id. */
export const selectForRecords = (sql: SqlClient, org: string, ids: ReadonlyArray<string>): Fragment => sql`
  select d.id, ${sql.literal(utc("d.created_at"))} as created_at, ${sql.literal(SELECTED)},
    (select r.body from deal_records r where r.org_id = scope.org and r.deal_id = d.id) as stored
  from (select ${org}::text as org) scope, deals d where d.org_id = scope.org and d.id = any(${[...ids]}::text[]) order by d.id`

export const recordInputOf = (row: RecordRow): RecordInput => ({
  ...row,
  facts: [
    ...FACTS.map(({ name, label }) => [label, row[name] as string | null] as const),
    ["Products", row.product_labels.join(", ")],
    ["Competitors", row.competitors.map(competitorOf).join(", ")],
  ],
  scores: [
    ...METRICS.map((metric) => ({
      name: humanize(metric),
      score: row[`wl_${metric}_score`] as number | null,
      explanation: row[`wl_${metric}_explanation`] as string | null,
    })),
    ...row.metrics,
  ],
})

const competitorOf = ({ name, is_primary, is_incumbent }: RecordRow["competitors"][number]) => {
  const roles = [...(is_primary ? ["primary"] : []), ...(is_incumbent ? ["incumbent"] : [])]
  return roles.length === 0 ? name : `${name} (${roles.join(", ")})`
}

/** A deal and its rendered record. */
interface RenderedDeal {
  readonly id: string
  /** The record that was there; null: none. */
  readonly stored: string | null
  readonly created_at: string
  readonly record: RenderedRecord
}

/** In UTF-16 units, for a chunk and its headings. Search does not find later words: a tsvector is limited to 1 MiB. */
const MAX_INDEXED_LENGTH = 100_000

/** Stores records and replaces their passages. Stores the records first, because that locks their deals. */
export const storeRecords = Effect.fnUntraced(function* (
  sql: SqlClient,
  org: string,
  deals: ReadonlyArray<RenderedDeal>,
) {
  const records = deals.map(({ id, record }) => ({ id, ...record }))
  yield* insertSelected(
    sql,
    org,
    (home) => sql`insert into deal_records (org_id, deal_id, body, headings, chunks)
      select ${home.org}, x.id, x.body, x.headings, x.chunks
      from ${home.from}json_to_recordset(${JSON.stringify(records)}::json) as x(id text, body text, headings jsonb, chunks jsonb)
      ${home.where}
      on conflict (org_id, deal_id) do update set body = excluded.body, headings = excluded.headings, chunks = excluded.chunks`,
  )
  const passages = deals.flatMap(({ id, created_at, record: { body, chunks } }) =>
    chunks.map(({ start, end, headings }, n) => ({
      id,
      created_at,
      n,
      text: [...headings, body.slice(start, end)].join(" ").slice(0, MAX_INDEXED_LENGTH).toWellFormed(),
    })),
  )
  yield* indexRecords(
    sql,
    org,
    deals.flatMap(({ id, stored }) => (stored === null ? [] : [id])),
    passages,
  )
})
