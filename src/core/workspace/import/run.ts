import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { recordAct } from "../../access/audit/recordAct.ts"
import { makeIdUnsafe } from "../../common/ids.ts"
import type { BadRequest } from "../../http/errors.ts"
import { badRequest } from "../../http/validation.ts"
import type { DatabaseUnavailable } from "../../ports/DatabaseUnavailable.ts"
import { Database } from "../../storage/Database.ts"
import { type Entry, isRefused, type Parsed } from "./entry.ts"
import { BATCH_SIZE, DeferredRecords } from "./DeferredRecords.ts"
import type { RecordType } from "./records.ts"
import { hasWritten, type ImportCounts, type ImportReport, Tally } from "./Tally.ts"
import { type Destination, writeBatch, type Writing } from "./writeBatch.ts"

interface RunOptions extends Destination {
  /** The only type in the file, so that no record is deferred. */
  readonly only?: RecordType | undefined
  readonly onProgress?: ((counts: ImportCounts) => Effect.Effect<void>) | undefined
  /** How many characters of deferred records stay in memory. */
  readonly inMemory?: number | undefined
}

/** Written after the whole file has been read, in this order: each type may refer to earlier ones. */
const DEFERRED_TYPES: ReadonlyArray<RecordType> = ["client", "segment", "deal", "association"]

/** Refreshes statistics after this many written records, then whenever the number has quadrupled. */
const ANALYZE_AFTER = 1000

/**
 * Imports a file, whose lines may be in any order: writes names first, then accounts, segments, deals and associations.
 * Keeps the order of lines within a type, so that the last record of a thing wins.
 */
export const run = <E>(
  { only, onProgress, inMemory, ...to }: RunOptions,
  parsed: Stream.Stream<ReadonlyArray<Parsed>, E>,
): Effect.Effect<ImportReport, E | BadRequest | DatabaseUnavailable, Writing> =>
  Effect.flatMap(Database, (database) => {
    const { org } = to
    const id = makeIdUnsafe("imp")
    const tally = new Tally()
    const pages = new DeferredRecords(org, id, inMemory)
    const ready: Array<Entry> = []
    let analyzedAt = 0

    const analyze = Effect.fnUntraced(function* () {
      analyzedAt = tally.written
      // A failure here does not affect the imported records.
      yield* Effect.ignoreCause(database.unscoped(database.sql`select refresh_statistics()`))
    })

    /** Each batch is a transaction; this entry has the counts of all batches. */
    const audit = (complete: boolean) =>
      database.transaction(org, recordAct(database.sql, org, "records.imported", id, { ...tally.counts, complete }))

    /** Adds an audit entry to the transaction of the first batch that writes, so that an import that is killed later leaves one. */
    const writeFirst = Effect.fnUntraced(function* (type: RecordType, group: ReadonlyArray<Entry>) {
      const outcomes = yield* writeBatch(to, type, group)
      if (outcomes.some(hasWritten)) yield* recordAct(database.sql, org, "records.import_started", id)
      return outcomes
    })

    const write = Effect.fnUntraced(function* (entries: ReadonlyArray<Entry>) {
      for (const [type, group] of Map.groupBy(entries, ({ record }) => record.type)) {
        tally.add(
          yield* tally.written === 0 ? database.transaction(org, writeFirst(type, group)) : writeBatch(to, type, group),
        )
      }
      if (tally.written >= 4 * Math.max(analyzedAt, ANALYZE_AFTER / 4)) yield* analyze()
      if (onProgress !== undefined) yield* onProgress(tally.counts)
    })

    const take = Effect.fnUntraced(function* (batch: ReadonlyArray<Parsed>) {
      tally.receive(batch.length)
      for (const each of batch) {
        if (isRefused(each)) {
          tally.add([each])
        } else if (only === undefined && DEFERRED_TYPES.includes(each.record.type)) {
          const stored = pages.add(each)
          if (stored !== undefined) yield* stored
        } else {
          ready.push(each)
          if (ready.length >= BATCH_SIZE) yield* write(ready.splice(0))
        }
      }
    })

    return Effect.gen(function* () {
      // The buffer reads the next batch while this one is written.
      yield* Stream.runForEach(Stream.buffer(parsed, { capacity: 4 }), take)
      if (tally.nothingRead) return yield* nothingRead(tally.report)
      if (ready.length > 0) yield* write(ready.splice(0))
      for (const type of DEFERRED_TYPES) yield* Stream.runForEach(pages.of(type), write)
      if (tally.written - analyzedAt >= Math.max(ANALYZE_AFTER, analyzedAt / 2)) yield* analyze()
      yield* audit(true)
      return tally.report
    })
      .pipe(Effect.onError(() => (tally.written === 0 ? Effect.void : Effect.ignoreCause(audit(false)))))
      .pipe(Effect.ensuring(Effect.suspend(() => pages.discard)))
  })

const nothingRead = ({ errors }: ImportReport) =>
  badRequest({
    invalid:
      errors.length === 0
        ? [{ field: "body", reason: "must contain records, but it has none" }]
        : errors.slice(0, 10).map(({ line, reason }) => ({ field: `line ${line}`, reason })),
  })
