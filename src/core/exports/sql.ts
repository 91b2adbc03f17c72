import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { recordDeleted, recordWritten } from "../storage/recordChanges.ts"
import { source } from "../deals/rows/rows.ts"
import type { Selected } from "../deals/selection/select.ts"
import type { Framing } from "./frames.ts"
import type { Position } from "./copyPage.ts"
import type { ExportWarning } from "./longCells.ts"
import type { ExportOptions } from "./options.ts"

/** The deals and columns to export. */
export interface Selection {
  readonly conditions: ReadonlyArray<Fragment>
  readonly searchQuery: string | undefined
  readonly selected: ReadonlyArray<Selected>
}

const ORDER = `d.created_at desc, d.id collate "C" desc`

/**
 * Every deal that `from` gives as `d`, in the default order of GET /deals. Like all SQL of deals it needs `scope.org`, here a
 * constant that the planner sees.
 */
const selectRows = (
  sql: SqlClient,
  org: string,
  from: Fragment,
  selected: Selection["selected"],
  row: (cells: Fragment) => Fragment,
): Fragment => {
  const joins: Array<Fragment> = []
  const cells = selected.map(({ value, instant, kind, isLookup }) => {
    if (!isLookup) return instant ?? (kind === "structured" ? value : sql`(${value})::text`)
    const name = sql.literal(`l${joins.length}`)
    joins.push(sql`left join lateral ${value} ${name}(v) on true`)
    return sql`${name}.v`
  })
  return sql`select deal.* from (select ${org}::text as org) scope, lateral (
    select ${row(sql.csv(cells))}
    from (${from}) d ${joins.reduce((all, join) => sql`${all} ${join}`, sql``)}
    order by ${sql.literal(ORDER)}) deal`
}

const selectDeals = (sql: SqlClient, { conditions, searchQuery }: Selection, beyond: ReadonlyArray<Fragment> = []) =>
  sql`select d.* from ${source(sql, searchQuery)} where ${sql.and([sql`d.org_id = scope.org`, ...beyond, ...conditions])}`

/** Every deal of the selection, as one statement. Runs in a transaction of `org`. */
export const selectAll = (
  sql: SqlClient,
  org: string,
  selection: Selection,
  framing: Exclude<Framing, "pages">,
): Fragment =>
  selectRows(sql, org, selectDeals(sql, selection), selection.selected, (cells) =>
    framing === "copy" ? cells : sql`record_send(row(${cells})) as frame`,
  )

/**
 * One page; each row starts with its position. Runs in a transaction of `org`. It finds the deals first, by index, then looks
 * up what they refer to for all of them at once.
 */
export const selectPage = (
  sql: SqlClient,
  org: string,
  selection: Selection,
  after: Position | undefined,
  size: number,
): Fragment => {
  const beyond = sql`(d.created_at, d.id collate "C") < (${after?.at ?? "infinity"}::timestamptz, ${after?.id ?? ""})`
  const page = sql`${selectDeals(sql, selection, [beyond])} order by ${sql.literal(ORDER)} limit ${size}::int`
  return selectRows(sql, org, page, selection.selected, (cells) => sql`d.created_at, d.id, ${cells}`)
}

/** Inserts the record of a new export. */
export const insertExport = Effect.fnUntraced(function* (
  sql: SqlClient,
  org: string,
  {
    id,
    jobId,
    columns,
    filters,
    options: { csvSafe = true, ...options },
  }: {
    readonly id: string
    readonly jobId: string
    readonly columns: ReadonlyArray<string>
    readonly filters: object
    readonly options: ExportOptions
  },
) {
  yield* sql`insert into exports (org_id, id, job_id, columns, filters, csv_safe, options)
    values (${org}, ${id}, ${jobId}, ${JSON.stringify(columns)}::jsonb, ${JSON.stringify(filters)}::jsonb, ${csvSafe},
      ${JSON.stringify(options)}::jsonb)`
  yield* recordWritten("export", [id])
})

/** Records the file of a finished export. */
export const completeExport = Effect.fnUntraced(function* (
  sql: SqlClient,
  org: string,
  id: string,
  file: {
    readonly key: string
    readonly sha256: string
    readonly size: number
    readonly rows: number
    readonly warnings: ReadonlyArray<ExportWarning>
  },
) {
  const found =
    yield* sql`update exports set file = ${file.key}, sha256 = ${file.sha256}, file_size = ${file.size}::float8,
      row_count = ${file.rows}::int, warnings = ${JSON.stringify(file.warnings)}::jsonb, completed_at = now()
    where org_id = ${org} and id = ${id} returning id`
  if (found.length > 0) yield* recordWritten("export", [id])
})

/** Records in the feed that an export failed. The job holds the progress, which the feed leaves out. */
export const failExport = Effect.fnUntraced(function* (sql: SqlClient, org: string, id: string) {
  const found = yield* sql`select id from exports where org_id = ${org} and id = ${id}`
  if (found.length > 0) yield* recordWritten("export", [id])
})

/** Clears the file of an export whose download has expired. The status stays the same, so the feed records no change. */
export const clearFile = (sql: SqlClient, org: string, id: string) =>
  sql`update exports set file = null where org_id = ${org} and id = ${id}`

/** Deletes an export's record, within the caller's transaction. */
export const deleteExport = Effect.fnUntraced(function* (sql: SqlClient, org: string, id: string) {
  yield* sql`delete from exports where org_id = ${org} and id = ${id}`
  yield* recordDeleted("export", [id])
})
