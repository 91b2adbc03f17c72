import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { Database } from "../../storage/Database.ts"
import type { Parsed, Unchecked } from "../../records/entry.ts"
import { Examples } from "../../records/dryRun/Examples.ts"
import { Overlay } from "../../records/dryRun/Overlay.ts"
import { run, type RunOptions } from "./run.ts"

/** Records that a dry run counts. It reads those beyond them for their form. */
const MAX_RECORDS = 200_000

/**
 * Reports what an import would do, and writes no row. Each batch looks up its rows in a transaction of its own, which locks nothing, and
 * leaves what it would write in memory, where later batches find it: some 300 bytes a record, at most `MAX_CHARACTERS`.
 */
export const dryRun = Effect.fnUntraced(function* <E>(
  to: Omit<RunOptions, "overlay" | "prepare">,
  parsed: Stream.Stream<ReadonlyArray<Parsed | Unchecked>, E>,
  prepare: (overlay: Overlay) => NonNullable<RunOptions["prepare"]>,
) {
  const { sql, transaction } = yield* Database
  const overlay = new Overlay(new Examples())
  let left = MAX_RECORDS
  let isCut = false
  const counted = Stream.map(parsed, (batch) => {
    const taken = left < batch.length ? batch.slice(0, left) : batch
    left -= taken.length
    isCut ||= taken.length < batch.length
    return taken
  })
  const report = yield* run({ ...to, overlay, prepare: prepare(overlay) }, counted)
  const examples = yield* transaction(to.org, overlay.examples.list(overlay.store(sql, to.org)))
  const counts_from = isCut || overlay.isFull ? ("sample" as const) : ("file" as const)
  return { report: { ...report, counts_from, examples }, needs: overlay.needs }
})
