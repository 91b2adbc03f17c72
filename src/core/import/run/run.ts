import * as Effect from "effect/Effect"
import { identity } from "effect/Function"
import * as Stream from "effect/Stream"
import { recordAct } from "../../audit/recordAct.ts"
import { makeIdUnsafe } from "../../common/ids.ts"
import { yieldIfDue } from "../../common/inSlices.ts"
import type { BadRequest } from "../../http/errors/errors.ts"
import { badRequest } from "../../http/validation/validation.ts"
import type { DatabaseUnavailable } from "../../ports/DatabaseUnavailable.ts"
import { Database, unavailable } from "../../storage/Database.ts"
import { fillFoldedIn } from "../../storage/foldedColumns.ts"
import type { ImportCounts } from "../Import.ts"
import { check, type Entry, isRefused, isUnchecked, type Parsed, type Unchecked } from "../../records/entry.ts"
import { BATCH_SIZE, DeferredRecords } from "./DeferredRecords.ts"
import { ImportState } from "../../records/ImportState.ts"
import type { RecordType } from "../../records/record.ts"
import { cutBefore } from "../../records/repeats/joinRows.ts"
import type { ShownErrors } from "../../records/ShownErrors.ts"
import { hasWritten, Tally, type TalliedReport } from "./Tally.ts"
import { type Destination, waitForTurn, writeBatch, type Writing } from "../../records/writeBatch.ts"

export interface RunOptions extends Destination {
  readonly onProgress?: ((counts: ImportCounts) => Effect.Effect<void>) | undefined
  /** How many characters of deferred records stay in memory. */
  readonly inMemory?: number | undefined
  /** Runs before the first record is written, in the transaction of its batch, when the whole plan is known. */
  readonly prepare?: Effect.Effect<void, DatabaseUnavailable, Database> | undefined
}

/**
 * Written after the whole file has been read, in this order: each type may refer to earlier ones. Sources of one type check their
 * records themselves, so that none is deferred.
 */
const DEFERRED_TYPES: ReadonlyArray<RecordType> = ["client", "segment", "deal", "association"]

/** Refreshes statistics after this many written records, then whenever the number has grown eightfold, or at the end fourfold. */
const ANALYZE_AFTER = 1000

/**
 * Deals of the first batch. A table that was never analyzed has equal costs for all its indexes, so a check of a foreign key may read all
 * deals of the organization. Statistics on few deals end that.
 */
const FIRST_DEALS = 100
const LACKS_STATISTICS = `exists (select from pg_class where oid = 'deals'::regclass
  and (reltuples < 0 or reltuples = 0 and pg_relation_size(oid) > 0))`

/**
 * Imports a file, whose lines may be in any order: writes names first, then accounts, segments, deals and associations.
 * Keeps the order of lines within a type, so that the last record of a thing wins.
 */
export const run = <E>(
  { onProgress, inMemory, prepare, state = new ImportState(), ...destination }: RunOptions,
  parsed: Stream.Stream<ReadonlyArray<Parsed | Unchecked>, E>,
): Effect.Effect<TalliedReport, E | BadRequest | DatabaseUnavailable, Writing> =>
  Effect.flatMap(Database, (database) => {
    const to = { ...destination, state }
    const { org, overlay } = to
    const isDry = overlay !== undefined
    const { log } = state
    const id = log?.id ?? makeIdUnsafe("imp")
    const tally = new Tally(state)
    const pages = new DeferredRecords(org, id, inMemory)
    const ready: Array<Entry> = []
    let analyzedAt = 0
    let hasWrittenDeals = false
    let isPrepared = prepare === undefined
    let isStarted = isDry

    /** A failure here does not affect the imported records. */
    const analyzeIf = (condition: string) =>
      isDry
        ? Effect.void
        : Effect.ignoreCause(
            database.unscoped(database.sql`select refresh_statistics() where ${database.sql.literal(condition)}`),
          )
    const analyze = Effect.suspend(() => {
      analyzedAt = tally.written
      return analyzeIf("true")
    })

    /** Each batch is a transaction; this entry has the counts of all batches. */
    const audit = (complete: boolean) => {
      if (isDry) return Effect.void
      const { counts } = tally
      const act = recordAct(database.sql, org, "records.imported", id, { ...counts, complete })
      return database.transaction(org, Effect.andThen(act, log?.end(org, counts, complete) ?? Effect.void))
    }

    /**
     * Writes in one transaction what the plan needs, the batch, and once anything is written the row and the audit entry of the import:
     * an import that ends before it leaves nothing, and one that is killed later can be undone.
     */
    const writeFirst = Effect.fnUntraced(function* (type: RecordType, group: ReadonlyArray<Entry>) {
      // Before `prepare`, which locks rows, as all who write records wait for their turn first.
      yield* unavailable(waitForTurn(database.sql, org))
      if (!isPrepared && prepare !== undefined) yield* prepare
      const outcomes = yield* writeBatch(to, type, group)
      const starts = outcomes.some(hasWritten) || log?.hasEntries === true
      if (starts) {
        yield* recordAct(database.sql, org, "records.import_started", id)
        if (log !== undefined) yield* log.start(org)
      }
      return { outcomes, starts }
    })

    const writeGroup = Effect.fnUntraced(function* (type: RecordType, group: ReadonlyArray<Entry>) {
      if (isStarted) return tally.add(yield* writeBatch(to, type, group))
      const { outcomes, starts } = yield* database.transaction(org, writeFirst(type, group))
      isPrepared = true
      isStarted = starts
      tally.add(outcomes)
    })

    const writeFirstDeals = Effect.fnUntraced(function* (group: ReadonlyArray<Entry>) {
      hasWrittenDeals = true
      const cut = state.isTable ? cutBefore(group, FIRST_DEALS) : FIRST_DEALS
      yield* writeGroup("deal", group.slice(0, cut))
      if (group.length <= cut) return
      yield* analyzeIf(LACKS_STATISTICS)
      yield* writeGroup("deal", group.slice(cut))
    })

    const write = Effect.fnUntraced(function* (entries: ReadonlyArray<Entry>) {
      if (overlay?.isFull === true) return tally.receive(-entries.length)
      if (isDry && !isPrepared && prepare !== undefined) {
        yield* prepare
        isPrepared = true
      }
      for (const [type, group] of Map.groupBy(entries, ({ record }) => record.type)) {
        yield* type === "deal" && !hasWrittenDeals ? writeFirstDeals(group) : writeGroup(type, group)
      }
      if (tally.written >= Math.max(8 * analyzedAt, ANALYZE_AFTER)) yield* analyze
      if (onProgress !== undefined) yield* onProgress(tally.counts)
    })

    const take = Effect.fnUntraced(function* (batch: ReadonlyArray<Parsed | Unchecked>) {
      tally.receive(batch.length)
      for (const each of batch) {
        yield* yieldIfDue
        if (isUnchecked(each) && DEFERRED_TYPES.includes(each.type)) {
          const stored = pages.add(each)
          if (stored !== undefined) yield* stored
          continue
        }
        const entry = isUnchecked(each) ? check(each, state.shown) : each
        if (!isRefused(entry) && entry.leftOut !== undefined) tally.leaveOut(entry.line, entry.leftOut)
        if (isRefused(entry)) tally.add([entry])
        else if (ready.push(entry) >= BATCH_SIZE) {
          // Rows of one thing beside each other are written together.
          yield* write(ready.splice(0, state.isTable ? cutBefore(ready, ready.length - 1) : ready.length))
        }
      }
    })

    /** The buffer checks a page while the database writes the one before. */
    const writeDeferred = (type: RecordType) =>
      Stream.runForEach(
        Stream.buffer(
          Stream.mapEffect(pages.of(type), (page) => checkAll(page, state.shown)),
          { capacity: 1 },
        ),
        (page) => {
          tally.add(page.filter(isRefused))
          return write(page.filter((each): each is Entry => !isRefused(each)))
        },
      )

    return Effect.gen(function* () {
      yield* database.transaction(org, fillFoldedIn(database.sql, org))
      // The buffer reads the next batch while this one is written.
      yield* Stream.runForEach(Stream.buffer(parsed, { capacity: 4 }), take)
      if (tally.nothingRead) return yield* nothingRead(tally.report)
      if (ready.length > 0) yield* write(ready.splice(0))
      for (const type of DEFERRED_TYPES) yield* writeDeferred(type)
      if (tally.written >= Math.max(4 * analyzedAt, ANALYZE_AFTER)) yield* analyze
      yield* audit(true)
      return tally.report
    })
      .pipe(Effect.onError(() => (isStarted ? Effect.ignoreCause(audit(false)) : Effect.void)))
      .pipe(Effect.ensuring(Effect.suspend(() => pages.discard)))
      .pipe(log === undefined ? identity : log.keepAlive(org))
  })

/** Records that are checked between two turns of the event loop. */
const MAX_CHECKED_AT_ONCE = 25

/** Yields often, so that statements of the batch that is being written do not wait for their next one. */
const checkAll = Effect.fnUntraced(function* (page: ReadonlyArray<Unchecked>, shown: ShownErrors) {
  const checked: Array<Parsed> = []
  for (const [n, each] of page.entries()) {
    yield* n % MAX_CHECKED_AT_ONCE === 0 ? Effect.yieldNow : yieldIfDue
    checked.push(check(each, shown))
  }
  return checked
})

const nothingRead = ({ errors }: TalliedReport) =>
  badRequest({
    invalid:
      errors.length === 0
        ? [{ field: "body", reason: "must contain records, but it has none" }]
        : errors.slice(0, 10).map(({ line, reason }) => ({ field: `line ${line}`, reason })),
  })
