import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { foldedNames, foldedValues } from "../storage/foldedColumns.ts"
import { insertSelected, recordUnlisted } from "../storage/recordChanges.ts"
import type { StageCategory } from "./values/stageWords.ts"
import { COLUMNS, type CreatedName, type EntityType, type Kind, TABLES } from "./names/kinds.ts"

export type EntityRow = Readonly<Record<string, unknown>> & { readonly id: string; readonly name: string }

/** The value of a column that a new record omits. */
export const EMPTY = { text: () => null, int: () => null, float8: () => null, jsonb: () => ({}), "text[]": () => [] }

/** The time of the nth row of a batch: a microsecond after the one before, because the oldest of rows that fold alike wins a match. */
const momentOf = (now: string, n: number) => `${now.slice(0, -1)}${String(Math.min(n, 999)).padStart(3, "0")}Z`

/** Says whether a new stage is open, won or lost. */
interface ReadsStages {
  readonly readStage: (name: string) => { readonly category: StageCategory }
}

type WrittenRow = Readonly<Record<string, unknown>>

/** The organization and the time of a batch's writes. */
interface Into {
  readonly sql: SqlClient
  readonly org: string
  /** ISO 8601 with milliseconds. */
  readonly now: string
}

/** Inserts the rows with the columns of these types and the folded ones; replaces rows that exist if `replaces`. */
const insertRows = (
  { sql, org, now }: Into,
  kind: EntityType,
  types: Readonly<Record<string, string>>,
  rows: ReadonlyArray<WrittenRow>,
  replaces: boolean,
) => {
  const { table } = TABLES[kind]
  const typesOfAll: Readonly<Record<string, string>> = {
    ...types,
    ...Object.fromEntries(foldedNames(table).map((name) => [name, "text"])),
    created_at: "timestamptz",
  }
  const columns = Object.keys(typesOfAll)
  const typed = columns.map((column) => `${column} ${typesOfAll[column]}`).join(", ")
  const set = columns.slice(1, -1).map((column) => `${column} = excluded.${column}`)
  const given = JSON.stringify(
    rows.map((row, n) => ({ ...row, ...foldedValues(table, row), created_at: momentOf(now, n) })),
  )
  return insertSelected(
    sql,
    org,
    (home) => sql`insert into ${sql.literal(table)} (org_id, ${sql.literal(columns.join(", "))})
      select ${home.org}, ${sql.literal(columns.map((column) => `x.${column}`).join(", "))}
      from ${home.from}json_to_recordset(${given}::json) as x(${sql.literal(typed)}) ${home.where}
      ${sql.literal(replaces ? `on conflict (org_id, id) do update set ${set.join(", ")}` : "")}`,
  )
}

/** The columns of an entry that a record names first. */
const FIRST: Partial<Record<EntityType, Readonly<Record<string, string>>>> = {
  stage: { category: "text", position: "int" },
  owner: { email: "text" },
  client: { industry: "text", website_url: "text" },
  reason: { category: "text" },
  feature: { product: "text", product_area: "text" },
}

/** Inserts entries that have only a name, owners with an e-mail, and what an export shows of others. */
export const insertNames = Effect.fnUntraced(function* (
  into: Into & { readonly state: ReadsStages },
  kind: EntityType,
  rows: ReadonlyArray<Pick<CreatedName, "id" | "name" | "email" | "columns">>,
) {
  yield* insertRows(
    into,
    kind,
    { id: "text", name: "text", ...FIRST[kind] },
    rows.map(({ id, name, email, columns }) => ({
      ...columns,
      id,
      name,
      email,
      ...(kind === "stage" && stageDefaults(into.state, name)),
    })),
    false,
  )
  // Questions cache names by the sequence.
  yield* recordUnlisted
})

/** The whole row of an entry that a record names first. */
export const namedRow = (state: ReadsStages, { kind, id, name, email, columns = {} }: CreatedName): EntityRow => ({
  id,
  name,
  ...Object.fromEntries(
    Object.entries(COLUMNS[kind]).map(([column, type]) => [column, columns[column] ?? EMPTY[type]()]),
  ),
  ...(email !== undefined && { email }),
  ...(kind === "stage" && stageDefaults(state, name)),
})

/** Won and lost stages stand after the open ones. */
const POSITIONS = { open: 0, won: 100, lost: 101 } as const

/** The category and position of a new stage that has only a name. */
export const stageDefaults = (state: ReadsStages, name: string) => {
  const { category } = state.readStage(name)
  return { category, position: POSITIONS[category] }
}

export const upsertEntities = Effect.fnUntraced(function* (
  into: Into,
  type: EntityType,
  rows: ReadonlyArray<WrittenRow>,
) {
  if (rows.length === 0) return
  yield* insertRows(into, type, { id: "text", name: "text", ...COLUMNS[type] }, rows, true)
  // Exports and filters may read its columns.
  yield* recordUnlisted
})

/** Deletes entries that are not in use. */
export const deleteEntities = (sql: SqlClient, org: string, kind: Kind, ids: ReadonlyArray<string>) =>
  ids.length === 0
    ? Effect.void
    : Effect.andThen(
        sql`delete from ${sql.literal(TABLES[kind].table)} where org_id = ${org} and id = any(${[...ids]}::text[])`,
        recordUnlisted,
      )

/** Changes no deal, because queries compute which deals a segment contains. */
export const updateSegment = (sql: SqlClient, org: string, id: string, filters: object) =>
  sql`update segments set filters = ${JSON.stringify(filters)}::jsonb where org_id = ${org} and id = ${id}`
