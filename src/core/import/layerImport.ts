import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { CurrentSlice, newSlice } from "../common/inSlices.ts"
import { BlobStore } from "../ports/BlobStore.ts"
import { TableReader } from "../ports/TableReader.ts"
import type { Conflict } from "../http/errors/errors.ts"
import { badRequest } from "../http/validation/validation.ts"
import { asBackground } from "../storage/CurrentClass.ts"
import { inOrganization } from "../storage/inOrganization.ts"
import { describeAssumptions } from "./assumptions.ts"
import { checkKind, checkTableOptions, readPlan } from "./byPlan.ts"
import { Import, type ImportFile, type ImportOptions, type ImportReport } from "./Import.ts"
import { lookUpContext, lookUpNames, noticeKeptStages } from "./lookUp.ts"
import { Notices } from "../records/Notices.ts"
import type { RowFilter } from "./plan/rows/notRows.ts"
import { findProperties, type StoredPlan, storePlan } from "./planStore.ts"
import { readTable } from "./readTable.ts"
import { openTable } from "./table/openTable.ts"
import { spoolIn } from "./table/spool.ts"
import { isTable, type ReadFailure, type Records, type TableFacts } from "./table/Table.ts"
import { ImportLog } from "../records/log/ImportLog.ts"
import { findImport, requestUndo } from "./undo/Undo.ts"
import { ImportState } from "../records/ImportState.ts"
import { dryRun } from "./run/dryRun.ts"
import { keptPropertiesOf, registerProperties } from "./run/keptProperties.ts"
import type { Overlay } from "../records/dryRun/Overlay.ts"
import { prepareCurrency } from "./run/prepareCurrency.ts"
import type { Needs } from "../records/names/needs.ts"
import { run } from "./run/run.ts"
import type { TalliedReport } from "./run/Tally.ts"
import type { Writing } from "../records/writeBatch.ts"
import type { ReadRecord } from "../ports/table.ts"
import { type Parsed, refused, toUnchecked, type Unchecked } from "../records/entry.ts"
import { RECORD_TYPES, type RecordType } from "../records/record.ts"

type Source<E> = Stream.Stream<ReadonlyArray<Parsed | Unchecked>, E>

/** Reads objects as records. `type` is the type of those that do not name theirs. */
const fromRecords = <E>({ records }: Records<E>, type: RecordType | undefined) =>
  Stream.map(records, (batch): ReadonlyArray<Parsed | Unchecked> => batch.map((record) => toRecord(record, type)))

const toRecord = (record: ReadRecord, type: RecordType | undefined): Parsed | Unchecked => {
  if ("problem" in record) {
    return { ...refused(record.line, "record", record.problem, record.text), unreadable: true }
  }
  const { line, value, size, isSuspect } = record
  return toUnchecked(line, type === undefined || "type" in value ? value : { type, ...value }, size, isSuspect)
}

/** The assumed size, in characters, of a record that is given as an object. */
const OBJECT_WEIGHT = 1000

/** Reads records that are objects. */
const fromObjects = <E>(objects: Stream.Stream<unknown, E>): Source<E> =>
  Stream.suspend(() => {
    let line = 0
    return Stream.mapArray(
      objects,
      (batch) => [batch.map((value) => toUnchecked(++line, value, OBJECT_WEIGHT, true))] as const,
    )
  })

/** A whole import: its batches give way to what a person waits for. */
const asImport = <A, E, R>(importing: Effect.Effect<A, E, R>) =>
  asBackground(Effect.provideServiceEffect(Effect.scoped(importing), CurrentSlice, newSlice))

export const layerImport = Layer.effect(
  Import,
  Effect.gen(function* () {
    const context = yield* Effect.context<Writing>()
    const withServices = Effect.provideContext(context)
    // Not with the services above: their scope is that of the layer, and a file's is that of its import.
    const formats = yield* TableReader
    const blobs = yield* BlobStore

    /** Opens a file, and fails if its options do not fit it. */
    const open = Effect.fnUntraced(function* <E>(org: string, file: ImportFile<E>, stored: StoredPlan | undefined) {
      const { format, type, map, bytes, contentEncoding, encoding, sheet } = file
      if (format === "csv" && type === undefined) return yield* noType
      const spool = <F>(bytes: Stream.Stream<Uint8Array, F>) => spoolIn(org, blobs, bytes)
      const opened = yield* openTable({
        bytes,
        isNdjson: format === "ndjson",
        contentEncoding,
        encoding,
        delimiter: stored?.file.delimiter,
        sheet,
        // A map names headers that nothing else knows.
        type: map === undefined ? type : undefined,
        spool,
      }).pipe(Effect.provideService(TableReader, formats))
      yield* checkKind(opened, stored)
      yield* checkTableOptions(opened, file)
      return isTable(opened) && type === undefined ? yield* noType : opened
    })

    return Import.of({
      run: Effect.fn("Import.run")(function* <E>(org: string, given: ImportFile<E>) {
        const { file, stored } = yield* withServices(readPlan(org, given))
        const { type, map, dates, decimal, rates, stages, create, empty, keepUnmapped, onProgress, inMemory } = file
        const isDryRun = file.dryRun === true
        const opened = yield* open(org, file, stored)
        const notices = new Notices(stored?.notices)
        const log = isDryRun ? undefined : new ImportLog()
        const state = new ImportState(notices, stages, log)
        state.isTable = isTable(opened)
        let made: Made | undefined
        const parsed = isTable(opened)
          ? readTable(
              opened,
              { type: type!, map, dates, decimal, rates, empty, keepUnmapped, made: stored?.plan, isDryRun },
              {
                context: (type) => lookUpContext(org, type),
                namesOf: (field, names) => lookUpNames(org, field, names),
                onPlan: (plan, filter, context) =>
                  Effect.sync(() => {
                    made = { plan, filter, notices: notices.list(), properties: findProperties(plan, context) }
                    state.properties = keptPropertiesOf(plan, keepUnmapped)
                    state.stageFlags = new Map(Object.entries(plan.stageFlags ?? {}))
                  }),
              },
              notices,
              state.shown,
            )
          : fromRecords(opened, type)
        const prepare = (overlay?: Overlay) =>
          Effect.suspend(() =>
            made === undefined
              ? Effect.void
              : Effect.andThen(
                  prepareCurrency(org, made.plan.currency, { overlay, log }),
                  registerProperties(org, state.properties, { overlay, log }),
                ),
          )
        const to = { org, dates: dates ?? "ISO", create, state, onProgress, inMemory } as const
        const batches = Stream.provideContext(parsed, context)
        const { report, needs } = yield* withServices<Written, E | ReadFailure | Conflict, Writing>(
          isDryRun ? dryRun(to, batches, prepare) : written(run({ ...to, prepare: prepare() }, batches)),
        )
        if (stages !== undefined) yield* withServices(noticeKeptStages(org, stages, notices))
        const { facts } = opened
        const isEncodingGuessed = stored?.file.isEncodingGuessed ?? facts.encodingBy === "guess"
        if (isEncodingGuessed)
          notices.add("encoding_guessed", { example: facts.encoding, message: guessed(facts.encoding) })
        const plan = isDryRun && stored === undefined ? toStoredPlan(file, facts, made, needs) : undefined
        const plan_id = plan === undefined ? file.planId : yield* withServices(storePlan(org, plan))
        return {
          ...report,
          ...log?.reply,
          not_rows: made?.filter.skipped() ?? 0,
          assumptions: { ...describeAssumptions(facts, made?.plan), ...state.assumptions },
          warnings: notices.list(),
          ...(plan_id !== undefined && { plan_id }),
        }
      }, asImport),
      records: Effect.fn("Import.records")(function* <E>(
        org: string,
        records: Stream.Stream<unknown, E>,
        { dates = "ISO", ...rest }: ImportOptions = {},
      ) {
        if (!Stream.isStream(records)) return yield* noStream
        const log = new ImportLog()
        const state = new ImportState(undefined, undefined, log)
        const report = yield* withServices(run({ org, dates, ...rest, state }, fromObjects(records)))
        const assumptions = { container: "json" as const, ...state.assumptions }
        return { ...report, ...log.reply, not_rows: 0, assumptions, warnings: state.notices.list() }
      }, asImport),
      find: Effect.fn("Import.find")((org: string, id: string) => withServices(findImport(org, id))),
      undo: Effect.fn("Import.undo")((org: string, id: string) => withServices(requestUndo(org, id))),
    })
  }).pipe(inOrganization),
)

/** A plan, when it is made, with what a dry run keeps of it. */
interface Made extends Pick<StoredPlan, "plan" | "notices" | "properties"> {
  readonly filter: RowFilter
}

/** The plan that a dry run keeps; undefined without one. */
const toStoredPlan = (
  { dates, create, stages, keepUnmapped }: ImportFile<unknown>,
  { container, encoding, encodingBy, delimiter, sheet }: TableFacts,
  made: Made | undefined,
  needs: Needs | undefined,
): StoredPlan | undefined =>
  made && {
    version: 1,
    file: { container, encoding, isEncodingGuessed: encodingBy === "guess", delimiter, sheet },
    plan: made.plan,
    dates,
    create,
    stages,
    keepUnmapped,
    notices: made.notices,
    needs: needs?.without(made.plan.type) ?? [],
    properties: made.properties,
  }

interface Written {
  readonly report: TalliedReport & Pick<ImportReport, "counts_from" | "examples">
  /** The names that a dry run relies on. */
  readonly needs?: Needs
}

const written = Effect.map((report: TalliedReport): Written => ({ report }))

const guessed = (encoding: string | undefined) =>
  `the text is read as ${encoding}, which is a guess: set 'encoding' if names look wrong`

const noStream = badRequest({
  invalid: [{ field: "records", reason: "must be a stream, such as Stream.fromIterable(records)" }],
})

const noType = badRequest({
  invalid: [{ field: "type", reason: `must name the type of the rows: ${RECORD_TYPES.join(", ")}` }],
})
