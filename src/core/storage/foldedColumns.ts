import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { crmKey } from "../common/crmKey.ts"
import { fold, foldWithoutSpaces } from "../common/fold.ts"

/** How a column is made from another one of its row. */
interface Made {
  readonly from: string
  readonly make: (text: string) => string
  /** The same as SQL for most values, null for others: it spares a migration of millions of rows. */
  readonly quick: string
}

/** The rule of `PLAIN` in `fold.ts`. The collation C knows no letters but ASCII's. */
const quickFold = (column: string) =>
  `case when ${column} ~ '^[!-%''-~]+( [!-%''-~]+)*$' then lower(${column} collate "C") end`

const folded = (from: string): Made => ({ from, make: fold, quick: quickFold(from) })
const spaceless = (from: string): Made => ({
  from,
  make: foldWithoutSpaces,
  quick: `replace(${quickFold(from)}, ' ', '')`,
})
const keyed = (from: string): Made => ({
  from,
  make: crmKey,
  quick: `case when length(${from}) <> 18 then ${from} end`,
})

const NAME = { folded: folded("name") }
const CRM_KEYS = { crm_one_key: keyed("crm_one_id"), crm_two_key: keyed("crm_two_id") }

/** The columns by which names and CRM ids are compared. No function of PostgreSQL 15 folds, so their writers fill them. */
export const FOLDED_COLUMNS = {
  stages: NAME,
  owners: { ...NAME, folded_email: folded("email") },
  competitors: NAME,
  reasons: { ...NAME, folded_category: folded("category") },
  clients: { ...NAME, folded_industry: folded("industry"), ...CRM_KEYS },
  features: { ...NAME, folded_product: folded("product"), folded_product_area: folded("product_area") },
  metrics: { folded: spaceless("name") },
  answers: { folded: spaceless("name") },
  segments: NAME,
  deals: { ...NAME, folded_type: folded("type"), folded_region: folded("region"), ...CRM_KEYS },
  deal_product_labels: { folded_label: folded("label") },
} as const satisfies Readonly<Record<string, Readonly<Record<string, Made>>>>

export type FoldedTable = keyof typeof FOLDED_COLUMNS
export const FOLDED_TABLES = Object.keys(FOLDED_COLUMNS) as ReadonlyArray<FoldedTable>

const MADE = new Map(FOLDED_TABLES.map((table) => [table, Object.entries<Made>(FOLDED_COLUMNS[table])]))

/** The names of the folded columns of a table. */
export const foldedNames = (table: FoldedTable): ReadonlyArray<string> => MADE.get(table)!.map(([name]) => name)

/** The folded columns of a row, without nulls. */
export const foldedValues = (table: FoldedTable, row: object): Record<string, string> => {
  const values: Record<string, string> = {}
  for (const [name, { from, make }] of MADE.get(table)!) {
    const text = (row as Readonly<Record<string, unknown>>)[from]
    if (typeof text === "string") values[name] = make(text)
  }
  return values
}

/** Values per statement. */
const BATCH_SIZE = 5000

/** Fills these folded columns of rows that lack them, within the condition `where`. */
export const fillFolded = Effect.fnUntraced(function* (
  sql: SqlClient,
  table: FoldedTable,
  where: Fragment,
  columns = foldedNames(table),
) {
  const made = MADE.get(table)!.filter(([column]) => columns.includes(column))
  const name = sql.literal(table)
  const set = made.map(([column, { quick }]) => `${column} = coalesce(${column}, ${quick})`).join(", ")
  const lacks = made.map(([column, { from }]) => `${column} is null and ${from} is not null`).join(" or ")
  yield* sql`update ${name} set ${sql.literal(set)} where ${where} and (${sql.literal(lacks)})`
  for (const [column, { from, make }] of made) {
    const isMissing = sql`${where} and ${sql.literal(`${column} is null and ${from} is not null`)}`
    while (true) {
      const found = yield* sql<{ text: string }>`
        select distinct ${sql.literal(from)} as text from ${name} where ${isMissing} limit ${BATCH_SIZE}::int`
      if (found.length === 0) break
      const values = JSON.stringify(Object.fromEntries(found.map(({ text }) => [text, make(text)])))
      // A constant, not a joined table, so that Citus sends it to every shard.
      yield* sql`update ${name} set ${sql.literal(column)} = ${values}::jsonb ->> ${sql.literal(from)}
        where ${isMissing} and jsonb_exists(${values}::jsonb, ${sql.literal(from)})`
      if (found.length < BATCH_SIZE) break
    }
  }
})

/** Fills the rows of an organization that an instance of an earlier version wrote during a rolling upgrade. */
export const fillFoldedIn = Effect.fnUntraced(function* (sql: SqlClient, org: string) {
  const lacking = FOLDED_TABLES.map(
    (table) => sql`select ${sql.literal(`'${table}'`)} as name where exists
      (select from ${sql.literal(table)} where org_id = ${org} and ${sql.literal(foldedNames(table)[0]!)} is null)`,
  )
  const tables = yield* sql<{ name: FoldedTable }>`${lacking.reduce((all, each) => sql`${all} union all ${each}`)}`
  for (const { name } of tables) yield* fillFolded(sql, name, sql`org_id = ${org}`)
})
