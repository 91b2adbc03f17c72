import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { allows, type Caller } from "../access/permissions.ts"
import { utc } from "../storage/sql.ts"
import type { Board, View } from "./contract.ts"

export const MAX_VIEWS_PER_KEY = 200
export const MAX_BOARDS_PER_KEY = 50
export const MAX_REPORTS_PER_BOARD = 24
/** The entries of a list. */
const MAX_LISTED = 1000

const times = (["created_at", "updated_at"] as const).map((name) => `${utc(`x.${name}`)} as ${name}`).join(", ")

const ownColumns = (sql: SqlClient, { keyId }: Caller): Fragment =>
  sql`x.id, x.name, x.is_shared as shared, x.key_id = ${keyId} as own, x.key_id as created_by, ${sql.literal(times)}`

const viewColumns = (sql: SqlClient, caller: Caller): Fragment =>
  sql`${ownColumns(sql, caller)}, x.board_id, x.filters::json as filters, x.columns, x.sort, x.sort_order, x.report::json as report`

/** Condition: the caller sees `x`, a view or board. */
const isVisible = (sql: SqlClient, { keyId }: Caller): Fragment => sql`(x.is_shared or x.key_id = ${keyId})`

/** Condition: the caller may change `x`. */
const isChangeable = (sql: SqlClient, caller: Caller): Fragment =>
  sql`(x.key_id = ${caller.keyId} or (x.is_shared and ${allows(caller, "workspace.manage")}::boolean))`

/** Runs inside `Database.scoped`. */
export const selectViews = (sql: SqlClient, caller: Caller, boardId: string | undefined): Fragment => sql`
  select ${viewColumns(sql, caller)} from views x
  where x.org_id = scope.org and ${isVisible(sql, caller)}
    and ${boardId === undefined ? sql`x.board_id is null` : sql`x.board_id = ${boardId}`}
  order by ${boardId === undefined ? sql`lower(x.name)` : sql`x.created_at`}, x.id collate "C" limit ${MAX_LISTED}::int`

/** Runs inside `Database.scoped`. A join, because Citus does not push down a subquery in the list of columns. */
export const selectBoards = (sql: SqlClient, caller: Caller): Fragment => sql`
  select ${ownColumns(sql, caller)}, count(v.id)::int as reports
  from boards x left join views v on v.org_id = x.org_id and v.board_id = x.id
  where x.org_id = scope.org and ${isVisible(sql, caller)}
  group by x.org_id, x.id, x.name, x.is_shared, x.key_id, x.created_at, x.updated_at
  order by lower(x.name), x.id collate "C" limit ${MAX_LISTED}::int`

interface Counts {
  readonly own: number
  readonly on_board: number
}

/** How many views the key has, and how many reports the board. */
export const countViews = (sql: SqlClient, { organizationId, keyId }: Caller, boardId: string | undefined) =>
  sql<Counts>`select count(*) filter (where key_id = ${keyId})::int as own,
      count(*) filter (where board_id = ${boardId ?? null})::int as on_board
    from views where org_id = ${organizationId}`

export const countBoards = (sql: SqlClient, { organizationId, keyId }: Caller) =>
  sql<
    Pick<Counts, "own">
  >`select count(*)::int as own from boards where org_id = ${organizationId} and key_id = ${keyId}`

/** Locks the board until the transaction ends. No row: the caller may not put reports on it. */
export const lockBoard = (sql: SqlClient, caller: Caller, id: string) =>
  sql<{ readonly is_shared: boolean }>`select x.is_shared from boards x
    where x.org_id = ${caller.organizationId} and x.id = ${id} and ${isChangeable(sql, caller)} for update`

export interface ViewRow {
  readonly name: string
  readonly is_shared: boolean
  readonly board_id: string | null
  readonly filters: string
  readonly columns: ReadonlyArray<string> | null
  readonly sort: string | null
  readonly sort_order: string | null
  readonly report: string | null
}

/** Values for an insert or update, with the types that parameters need. */
const valueOf = (sql: SqlClient, name: keyof ViewRow, value: ViewRow[keyof ViewRow]): Fragment =>
  name === "filters" || name === "report"
    ? sql`${value}::jsonb`
    : name === "columns"
      ? sql`${value}::text[]`
      : sql`${value}`

export const insertView = (sql: SqlClient, caller: Caller, id: string, row: ViewRow) => {
  const names = Object.keys(row) as ReadonlyArray<keyof ViewRow>
  return sql<View>`${written(
    sql,
    viewColumns(sql, caller),
    sql`insert into views (org_id, id, key_id, ${sql.literal(names.join(", "))})
      values (${caller.organizationId}, ${id}, ${caller.keyId}, ${sql.csv(names.map((name) => valueOf(sql, name, row[name])))})`,
  )}`
}

/** Locks a view until the transaction ends. No row: the caller may not change it. */
export const lockView = (sql: SqlClient, caller: Caller, id: string) =>
  sql<Pick<View, "board_id" | "columns" | "report">>`
    select x.board_id, x.columns, x.report::json as report from views x
    where x.org_id = ${caller.organizationId} and x.id = ${id} and ${isChangeable(sql, caller)} for update`

export const updateView = (sql: SqlClient, caller: Caller, id: string, row: Partial<ViewRow>) => {
  const names = Object.keys(row) as ReadonlyArray<keyof ViewRow>
  const set = names.map((name) => sql`${sql.literal(name)} = ${valueOf(sql, name, row[name] ?? null)}`)
  return sql<View>`${written(
    sql,
    viewColumns(sql, caller),
    sql`update views set ${sql.csv([...set, sql`updated_at = now()`])}
      where org_id = ${caller.organizationId} and id = ${id}`,
  )}`
}

export const deleteView = (sql: SqlClient, caller: Caller, id: string) =>
  sql`delete from views x where x.org_id = ${caller.organizationId} and x.id = ${id} and ${isChangeable(sql, caller)}
    returning x.id`

export const insertBoard = (
  sql: SqlClient,
  caller: Caller,
  row: { readonly id: string; readonly name: string; readonly is_shared: boolean },
) =>
  sql<Board>`${written(
    sql,
    sql`${ownColumns(sql, caller)}, 0 as reports`,
    sql`insert into boards ${sql.insert({ org_id: caller.organizationId, key_id: caller.keyId, ...row })}`,
  )}`

/** Its views go with it. */
export const deleteBoard = (sql: SqlClient, caller: Caller, id: string) =>
  sql`delete from boards x where x.org_id = ${caller.organizationId} and x.id = ${id} and ${isChangeable(sql, caller)}
    returning x.id`

/** `selectWritten` of a row called `x`. */
const written = (sql: SqlClient, columns: Fragment, write: Fragment): Fragment =>
  sql`with written as (${write} returning *) select ${columns} from written x`
