import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { type FoldedTable, fillFolded } from "../foldedColumns.ts"
import { hasCitus } from "../citus.ts"
import { Installation } from "../session.ts"
import { oneStatement, statements } from "./support.ts"

/**
 * Names and CRM ids are compared by columns that their writers fill. Not breaking: instances of earlier versions keep the columns
 * `lower_…`, and the next import of an organization fills what they write without the new ones.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* statements(sql, [oneStatement([...COLUMNS, ...DROPPED])])
  yield* fill(sql)
  yield* statements(sql, [oneStatement(INDEXES)])
})

const NAMED = [
  "stages",
  "owners",
  "competitors",
  "reasons",
  "clients",
  "features",
  "metrics",
  "answers",
  "segments",
] as const

/** Present rows get times in the order in which the table has them. On Citus they have the same time, and their ids decide. */
const orderByAge = (table: string) => `update ${table} t set created_at = t.created_at + o.n * interval '1 microsecond'
  from (select ctid as place, row_number() over (order by ctid) as n from ${table}) o where t.ctid = o.place`

const CRM = ["crm_one", "crm_two"]
const CRM_KEYS = ["crm_one_key", "crm_two_key"]

const FOLDED: Readonly<Record<FoldedTable, ReadonlyArray<string>>> = {
  ...(Object.fromEntries(NAMED.map((table) => [table, ["folded"]])) as Record<(typeof NAMED)[number], Array<string>>),
  owners: ["folded", "folded_email"],
  reasons: ["folded", "folded_category"],
  clients: ["folded", "folded_industry", ...CRM_KEYS],
  features: ["folded", "folded_product", "folded_product_area"],
  deals: ["folded", "folded_type", "folded_region", ...CRM_KEYS],
  deal_product_labels: ["folded_label"],
}
const TABLES = Object.keys(FOLDED) as ReadonlyArray<FoldedTable>

/** Nothing sorts by them for readers, and comparing bytes is what an index does fastest. */
const COLUMNS = [
  ...TABLES.map(
    (table) =>
      `alter table ${table} ${FOLDED[table].map((column) => `add column ${column} text collate "C"`).join(", ")}`,
  ),
  // The oldest of the rows that fold alike wins a match.
  ...NAMED.map((table) => `alter table ${table} add column created_at timestamptz not null default now()`),
]

const DROPPED = [
  ...NAMED.map((table) => `drop index ${table}_org_id_lower_idx`),
  ...["clients", "deals"].flatMap((table) => CRM.map((crm) => `drop index ${table}_org_id_${crm}_id_idx`)),
  ...CRM.map((crm) => `drop index deals_by_lower_${crm}_id`),
  `drop index deals_by_lower_type, deals_by_lower_region, deal_product_labels_by_lower_label, clients_by_lower_industry`,
  `drop index deals_by_name_trigram`,
]

/** The tables' owner reads every organization here; their policies would prevent it. */
const fill = Effect.fnUntraced(function* (sql: SqlClient) {
  const { schema } = yield* Installation
  const bound = yield* sql<{ name: string }>`
    select relname as name from pg_class where relnamespace = ${schema}::text::regnamespace and relforcerowsecurity
      and relname = any(${[...TABLES]}::text[])`
  const force = (how: string) =>
    statements(sql, [oneStatement(bound.map(({ name }) => `alter table ${name} ${how} row level security`))])
  yield* force("no force")
  if (!(yield* hasCitus)) yield* statements(sql, NAMED.map(orderByAge))
  yield* Effect.forEach(TABLES, (table) => fillFolded(sql, table, sql`true`, FOLDED[table]), { discard: true })
  yield* force("force")
})

const ID = `id collate "C"`

const INDEXES = [
  ...NAMED.map((table) => `create index ${table}_by_folded on ${table} (org_id, folded)`),
  `create index owners_by_folded_email on owners (org_id, folded_email) where folded_email is not null`,
  // Unique by the id, because rows of earlier versions may share a key.
  ...["clients", "deals"].flatMap((table) =>
    CRM.map(
      (crm) =>
        `create unique index ${table}_by_${crm}_key on ${table} (org_id, ${crm}_key, ${crm}_id) where ${crm}_key is not null`,
    ),
  ),
  // Finds deals of a name and client for an import.
  `create index deals_by_folded on deals (org_id, folded, client_id)`,
  ...["type", "region"].map(
    (column) =>
      `create index deals_by_folded_${column} on deals (org_id, folded_${column}, created_at, ${ID}) include (${column})`,
  ),
  `create index deal_product_labels_by_folded_label on deal_product_labels (org_id, folded_label, deal_id)`,
  `create index clients_by_folded_industry on clients (org_id, folded_industry)`,
  // An instance of an earlier version writes no fold.
  `create index deals_by_name_trigram on deals using gin (org_id, fold_name(coalesce(folded, name)) gin_trgm_ops)`,
]
