import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { utc } from "../../storage/sql.ts"
import { type KeptReason, SILENT_SECONDS, UNDO_DAYS } from "./limits.ts"
import type { ImportCounts, LoggedBatch } from "./Logged.ts"

/** A row that an undo left, or could not restore whole. */
export interface Kept {
  readonly type: string
  readonly id: string
  readonly reason: KeptReason
}

/** The progress of an undo. */
export interface UndoCounts {
  /** Rows that have their old values again. */
  readonly restored: number
  /** Rows that the import created, and that are deleted. */
  readonly removed: number
  /** Rows that the import deleted, and that exist again. */
  readonly recreated: number
  readonly kept_count: number
}

export interface UndoResult extends UndoCounts {
  /** The first 1,000. */
  readonly kept: ReadonlyArray<Kept>
}

/** Adds the row of an import, with its first batch. */
export const insertImport = (
  sql: SqlClient,
  org: string,
  id: string,
  { by, startedAt }: { readonly by: string | undefined; readonly startedAt: string },
) =>
  sql`insert into imports (org_id, id, created_by, started_at) values (${org}, ${id}, ${by ?? null}, ${startedAt}::timestamptz)
    on conflict do nothing`

/** Says that an import still runs. */
export const touchImport = (sql: SqlClient, org: string, id: string) =>
  sql`update imports set seen_at = now() where org_id = ${org} and id = ${id}`

export const finishImport = (
  sql: SqlClient,
  org: string,
  id: string,
  end: { readonly counts: ImportCounts; readonly complete: boolean; readonly refusal: string | undefined },
) =>
  sql`update imports set ended_at = now(), seen_at = now(), complete = ${end.complete},
      counts = ${JSON.stringify(end.counts)}::jsonb, undo_refusal = ${end.refusal ?? null}
    where org_id = ${org} and id = ${id}`

export const insertLog = (sql: SqlClient, org: string, id: string, n: number, entries: LoggedBatch) =>
  Effect.asVoid(sql`insert into import_log (org_id, import_id, n, entries)
    values (${org}, ${id}, ${n}, ${JSON.stringify(entries)})`)

export const dropLog = Effect.fnUntraced(function* (sql: SqlClient, org: string, id: string, refusal: string) {
  yield* deleteLog(sql, org, id)
  yield* sql`update imports set undo_refusal = ${refusal} where org_id = ${org} and id = ${id}`
})

const deleteLog = (sql: SqlClient, org: string, id: string) =>
  sql`delete from import_log where org_id = ${org} and import_id = ${id}`

/** An import as `GET /import/{id}` shows it, and what decides about its undo. */
export interface ImportRow {
  readonly import_id: string
  readonly created_by: string | null
  readonly status: "running" | "completed" | "incomplete"
  readonly started_at: string
  readonly ended_at: string | null
  readonly undo_until: string | null
  readonly is_expired: boolean
  readonly counts: Partial<ImportCounts>
  readonly undo_refusal: string | null
  readonly undo_run: string | null
  readonly run_state: "queued" | "running" | "completed" | "failed" | "cancelled" | null
  readonly run_error: string | null
  readonly undone_at: string | null
  readonly undone: Partial<UndoResult>
}

/** An import that died ended when it was last seen. */
const ENDED = `case when i.ended_at is not null then i.ended_at
  when i.seen_at < now() - interval '${SILENT_SECONDS} seconds' then i.seen_at end`
const EXPIRES = `(${ENDED}) + interval '${UNDO_DAYS} days'`

export const selectImport = (sql: SqlClient, org: string, id: string) =>
  sql<ImportRow>`
    select i.id as import_id, i.created_by, i.counts, i.undo_refusal, i.undo_run, i.undone,
      case when (${sql.literal(ENDED)}) is null then 'running' when i.complete then 'completed' else 'incomplete' end as status,
      ${sql.literal(utc("i.started_at"))} as started_at, ${sql.literal(utc(`(${ENDED})`))} as ended_at,
      ${sql.literal(utc(`(${EXPIRES})`))} as undo_until, coalesce(${sql.literal(EXPIRES)} < now(), false) as is_expired,
      ${sql.literal(utc("i.undone_at"))} as undone_at, j.state as run_state, j.error as run_error
    from imports i left join jobs j on j.org_id = i.org_id and j.id = i.undo_run
    where i.org_id = ${org} and i.id = ${id}`

export const lockImport = (sql: SqlClient, org: string, id: string) =>
  sql`select 1 from imports where org_id = ${org} and id = ${id} for update`

export const setUndoRun = (sql: SqlClient, org: string, id: string, run: string) =>
  sql`update imports set undo_run = ${run} where org_id = ${org} and id = ${id}`

/** The newest batch that is not undone yet, and how many remain with it. */
export const selectNext = (sql: SqlClient, org: string, id: string) =>
  sql<{ n: number; entries: string; left: number; total: number }>`
    select l.n, l.entries,
      (select count(*)::int from import_log c where c.org_id = ${org} and c.import_id = ${id} and c.entries is not null) as left,
      (select count(*)::int from import_log c where c.org_id = ${org} and c.import_id = ${id}) as total
    from import_log l where l.org_id = ${org} and l.import_id = ${id} and l.entries is not null
    order by l.n desc limit 1`

/** The rows that earlier attempts left, the newest batch first. */
export const selectKept = (sql: SqlClient, org: string, id: string) =>
  sql<{ kept: string }>`select kept from import_log
    where org_id = ${org} and import_id = ${id} and kept is not null order by n desc`

/** Records a batch as undone, in its transaction. */
export const finishBatch = Effect.fnUntraced(function* (
  sql: SqlClient,
  org: string,
  id: string,
  { n, kept, ...counts }: Omit<UndoCounts, "kept_count"> & { readonly n: number; readonly kept: ReadonlyArray<Kept> },
) {
  yield* sql`update import_log set entries = null, kept = ${kept.length === 0 ? null : JSON.stringify(kept)}
    where org_id = ${org} and import_id = ${id} and n = ${n}`
  const added = { ...counts, kept_count: kept.length }
  const sums = Object.entries(added).map(
    ([name, count]) => sql`${name}::text, coalesce((undone->>${name})::int, 0) + ${count}::int`,
  )
  yield* sql`update imports set undone = jsonb_build_object(${sql.csv(sums)}) where org_id = ${org} and id = ${id}`
})

/** Records the end of an undo, and deletes the old values. */
export const finishUndo = Effect.fnUntraced(function* (
  sql: SqlClient,
  org: string,
  id: string,
  kept: ReadonlyArray<Kept>,
) {
  yield* sql`update imports set undone_at = now(), undone = undone || ${JSON.stringify({ kept })}::jsonb
    where org_id = ${org} and id = ${id}`
  yield* deleteLog(sql, org, id)
})

/** Whether a later import wrote something. */
export const hasLaterImport = (sql: SqlClient, org: string, id: string) =>
  Effect.map(
    sql`select 1 from imports l join imports i on i.org_id = l.org_id and i.id = ${id}
      where l.org_id = ${org} and l.id <> i.id and l.started_at >= i.started_at and l.undone_at is null
        and (l.ended_at is null or (l.counts->>'created')::int + (l.counts->>'updated')::int + (l.counts->>'deleted')::int > 0)
      limit 1`,
    (rows) => rows.length > 0,
  )
