import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { insertSelected, recordUnlisted } from "../../storage/recordChanges.ts"
import { type Kind, TABLES } from "./Names.ts"

/** Columns besides id and name, and their types. */
export const COLUMNS = {
  stage: { category: "text", position: "int" },
  owner: { email: "text" },
  competitor: { website_url: "text", aliases: "text[]" },
  reason: { category: "text", aliases: "text[]" },
  feature: { description: "text", product: "text", product_area: "text", aliases: "text[]" },
  metric: {},
  answer: {},
  client: { crm_one_id: "text", crm_two_id: "text", industry: "text", website_url: "text", crm_properties: "jsonb" },
  segment: { filters: "jsonb" },
} as const satisfies Record<string, Record<string, "text" | "text[]" | "int" | "jsonb">>

/** Types whose records are a name and a few columns. */
export type EntityType = keyof typeof COLUMNS

/** Inserts entries that have only a name. */
export const insertNames = (
  sql: SqlClient,
  org: string,
  kind: Kind,
  rows: ReadonlyArray<{ readonly id: string; readonly name: string }>,
) => {
  const given = JSON.stringify(kind === "stage" ? rows.map((row) => ({ ...row, ...stageDefaults(row.name) })) : rows)
  return insertSelected(sql, org, (home) =>
    kind === "stage"
      ? sql`insert into stages (org_id, id, name, category, position)
          select ${home.org}, x.id, x.name, x.category, x.position
          from ${home.from}json_to_recordset(${given}::json) as x(id text, name text, category text, position int) ${home.where}`
      : sql`insert into ${sql.literal(TABLES[kind].table)} (org_id, id, name)
          select ${home.org}, x.id, x.name
          from ${home.from}json_to_recordset(${given}::json) as x(id text, name text) ${home.where}`,
  )
}

/** Guesses the category and position of a stage from its name. */
export const stageDefaults = (name: string) =>
  /\bwon\b/i.test(name)
    ? { category: "won", position: 100 }
    : /\blost\b/i.test(name)
      ? { category: "lost", position: 101 }
      : { category: "open", position: 0 }

export const upsertEntities = Effect.fnUntraced(function* (
  sql: SqlClient,
  org: string,
  type: EntityType,
  rows: ReadonlyArray<object>,
) {
  if (rows.length === 0) return
  const types: Record<string, string> = { id: "text", name: "text", ...COLUMNS[type] }
  const columns = Object.keys(types)
  const typed = columns.map((column) => `${column} ${types[column]}`).join(", ")
  const set = columns.slice(1).map((column) => `${column} = excluded.${column}`)
  yield* insertSelected(
    sql,
    org,
    (home) => sql`insert into ${sql.literal(TABLES[type].table)} (org_id, ${sql.literal(columns.join(", "))})
      select ${home.org}, ${sql.literal(columns.map((column) => `x.${column}`).join(", "))}
      from ${home.from}json_to_recordset(${JSON.stringify(rows)}::json) as x(${sql.literal(typed)}) ${home.where}
      on conflict (org_id, id) do update set ${sql.literal(set.join(", "))}`,
  )
  // Exports and filters may read its columns.
  yield* recordUnlisted
})

/** Deletes an entry that is not in use. */
export const deleteEntity = (sql: SqlClient, org: string, kind: Kind, id: string) =>
  sql`delete from ${sql.literal(TABLES[kind].table)} where org_id = ${org} and id = ${id}`

/** Changes no deal, because queries compute which deals a segment contains. */
export const updateSegment = (sql: SqlClient, org: string, id: string, filters: object) =>
  sql`update segments set filters = ${JSON.stringify(filters)}::jsonb where org_id = ${org} and id = ${id}`
