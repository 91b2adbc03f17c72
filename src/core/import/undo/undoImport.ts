import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import { Foreground } from "../../jobs/Foreground.ts"
import { type Job } from "../../jobs/JobQueue.ts"
import { Database, unavailable } from "../../storage/Database.ts"
import { reusePlans } from "../../storage/sql.ts"
import { IdSet } from "../../records/IdSet.ts"
import { waitForTurn } from "../../records/writeBatch.ts"
import { MAX_LISTED } from "../../records/log/limits.ts"
import type { LoggedBatch } from "../../records/log/Logged.ts"
import { finishBatch, finishUndo, type Kept, selectKept, selectNext } from "../../records/log/sql.ts"
import { keyOf, undoBatch } from "./undoBatch.ts"

/** The longest pause after a batch while requests are in flight. */
const MAX_PAUSE_MS = 50

/** Undoes an import from its last batch to its first, each in a transaction that also records the batch as undone. */
export const undoImport = Effect.fnUntraced(function* (job: Job) {
  const { org, subject: id } = job
  const database = yield* Database
  const { sql } = database
  const { yieldToRequests } = yield* Foreground
  const keptBefore = (yield* database.transaction(org, selectKept(sql, org, id))).flatMap(
    ({ kept }) => JSON.parse(kept) as ReadonlyArray<Kept>,
  )
  const keys = new IdSet()
  const listed: Array<Kept> = []
  const add = (kept: ReadonlyArray<Kept>) => {
    for (const each of kept) {
      if (each.reason !== "documents_lost") keys.add(keyOf(each.type, each.id))
      if (listed.length < MAX_LISTED) listed.push(each)
    }
  }
  add(keptBefore)

  /** Whether there was a batch to undo. */
  const undoNext = Effect.gen(function* () {
    yield* waitForTurn(sql, org)
    yield* reusePlans(sql)
    const [next] = yield* selectNext(sql, org, id)
    if (next === undefined) return undefined
    const now = DateTime.formatIso(yield* DateTime.now)
    const entries = JSON.parse(next.entries) as LoggedBatch
    const { restored, removed, recreated, kept } = yield* undoBatch({ sql, org, now }, id, entries, (key) =>
      keys.has(key),
    )
    yield* finishBatch(sql, org, id, { n: next.n, restored, removed, recreated, kept })
    return { kept, progress: 1 - (next.left - 1) / next.total }
  })

  while (true) {
    const done = yield* database.transaction(org, undoNext)
    if (done === undefined) break
    add(done.kept)
    yield* job.report("undoing", Math.min(done.progress, 0.99))
    yield* yieldToRequests(MAX_PAUSE_MS)
  }
  yield* job.finish(unavailable(finishUndo(sql, org, id, listed)))
})
