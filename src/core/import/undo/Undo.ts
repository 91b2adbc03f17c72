import * as Effect from "effect/Effect"
import { recordAct } from "../../audit/recordAct.ts"
import { Conflict, Gone, NotFound } from "../../http/errors/errors.ts"
import { JobQueue, UNDO_JOB } from "../../jobs/JobQueue.ts"
import { Database, unavailable } from "../../storage/Database.ts"
import type { ImportSummary } from "./contract.ts"
import { UNDO_DAYS } from "../../records/log/limits.ts"
import { type ImportRow, lockImport, selectImport, setUndoRun } from "../../records/log/sql.ts"

/** Reads what an import did, and whether it can be undone. */
export const findImport = Effect.fnUntraced(function* (org: string, id: string) {
  const { sql, transaction } = yield* Database
  const [row] = yield* transaction(org, selectImport(sql, org, id))
  return row === undefined ? yield* unknown(id) : toSummary(row)
})

/** Queues the undo of an import, and returns the id of the run. */
export const requestUndo = Effect.fnUntraced(function* (org: string, id: string) {
  const { sql, transaction } = yield* Database
  const jobs = yield* JobQueue
  const run = yield* transaction(
    org,
    Effect.gen(function* () {
      yield* unavailable(lockImport(sql, org, id))
      const [row] = yield* unavailable(selectImport(sql, org, id))
      if (row === undefined) return yield* unknown(id)
      yield* checkUndo(row)
      const run = yield* jobs.enqueue(org, { kind: UNDO_JOB, subject: id, prefix: "run" })
      yield* unavailable(setUndoRun(sql, org, id, run))
      yield* unavailable(recordAct(sql, org, "import.undone", id, { run_id: run }))
      return run
    }),
  )
  yield* jobs.wake(UNDO_JOB, org)
  return run
})

const checkUndo = ({
  import_id: id,
  status,
  undone_at,
  undo_run,
  run_state,
  is_expired,
  undo_until,
  undo_refusal,
}: ImportRow): Effect.Effect<void, Conflict | Gone> => {
  if (undone_at !== null) return new Conflict({ message: `the import '${id}' was undone at ${undone_at}` })
  if (run_state === "queued" || run_state === "running") {
    return new Conflict({
      message: `the import '${id}' is being undone by the run '${undo_run}'`,
      details: { run_id: undo_run },
    })
  }
  if (status === "running") return new Conflict({ message: `the import '${id}' still runs: undo it once it has ended` })
  if (is_expired) {
    return new Gone({
      message: `the import '${id}' could be undone until ${undo_until}: old values are kept for ${UNDO_DAYS} days`,
    })
  }
  if (undo_refusal !== null) return new Conflict({ message: `the import '${id}' cannot be undone: ${undo_refusal}` })
  return Effect.void
}

const unknown = (id: string) =>
  new NotFound({ message: `no import has the id '${id.slice(0, 100)}'; the reply of an import has its import_id` })

const toSummary = (row: ImportRow): ImportSummary => {
  const { import_id, status, created_by, started_at, ended_at, undo_until, undone_at, undo_refusal } = row
  const { received = 0, created = 0, updated = 0, unchanged = 0, deleted = 0, failed = 0 } = row.counts
  const refusal =
    undo_refusal ??
    (status === "running"
      ? "it still runs"
      : undone_at !== null
        ? "it was undone"
        : row.is_expired
          ? `its old values were kept for ${UNDO_DAYS} days`
          : null)
  return {
    import_id,
    status,
    created_by,
    started_at,
    ended_at,
    received,
    created,
    updated,
    unchanged,
    deleted,
    failed,
    undo: refusal === null,
    ...(refusal !== null && { undo_refusal: refusal }),
    undo_until,
    undone_at,
    undone: row.undo_run === null ? null : describeUndo(row),
  }
}

const describeUndo = ({ undo_run, run_state, run_error, undone_at, undone }: ImportRow): ImportSummary["undone"] => {
  const { restored = 0, removed = 0, recreated = 0, kept_count = 0, kept = [] } = undone
  // The job of a run is deleted after a month.
  const status = undone_at !== null ? "completed" : (run_state ?? "failed")
  return { run_id: undo_run!, status, restored, removed, recreated, kept_count, kept, error: run_error }
}
