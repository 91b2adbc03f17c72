import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { BlobStore } from "../ports/BlobStore.ts"
import { TableReader } from "../ports/TableReader.ts"
import { badRequest } from "../http/validation.ts"
import { inOrganization } from "../storage/inOrganization.ts"
import { assumptionsOf } from "./assumptions.ts"
import { Import, type ImportFile, type ImportOptions } from "./Import.ts"
import { lookUpContext, lookUpNames } from "./lookUp.ts"
import { Notices } from "./Notices.ts"
import type { ImportPlan } from "./plan/ImportPlan.ts"
import type { RowFilter } from "./plan/notRows.ts"
import { readTable } from "./readTable.ts"
import { fromObjects, fromRecords } from "./source.ts"
import { openTable } from "./table/openTable.ts"
import { spoolIn } from "./table/spool.ts"
import { isTable } from "./table/Table.ts"
import { ImportState } from "./write/ImportState.ts"
import { dryRun, limitBytes } from "./write/dryRun.ts"
import { prepareCurrency } from "./write/prepareCurrency.ts"
import { run } from "./write/run.ts"
import type { Writing } from "./write/writeBatch.ts"

export const layerImport = Layer.effect(
  Import,
  Effect.gen(function* () {
    const context = yield* Effect.context<Writing>()
    const withServices = Effect.provideContext(context)
    // Not with the services above: their scope is that of the layer, and a file's is that of its import.
    const formats = yield* TableReader
    const blobs = yield* BlobStore

    return Import.of({
      run: Effect.fn("Import.run")(function* <E>(org: string, file: ImportFile<E>) {
        const { format, type, bytes, map, dates, decimal, rates, stages, create, dryRun: isDryRun = false } = file
        const { contentEncoding, encoding, sheet, onProgress, inMemory } = file
        if (format === "csv" && type === undefined) return yield* noType
        const spool = <F>(bytes: Stream.Stream<Uint8Array, F>) => spoolIn(org, blobs, bytes)
        const isNdjson = format === "ndjson"
        const opened = yield* openTable({
          bytes: isDryRun ? limitBytes(bytes) : bytes,
          isNdjson,
          contentEncoding,
          encoding,
          sheet,
          spool,
        }).pipe(Effect.provideService(TableReader, formats))
        const notices = new Notices()
        let made: { readonly plan: ImportPlan; readonly filter: RowFilter } | undefined
        if (isTable(opened) && type === undefined) return yield* noType
        const parsed = isTable(opened)
          ? readTable(
              opened,
              { type: type!, map, dates, decimal, rates },
              {
                context: (type) => lookUpContext(org, type),
                namesOf: (field, names) => lookUpNames(org, field, names),
                onPlan: (plan, filter) =>
                  Effect.sync(() => {
                    made = { plan, filter }
                  }),
              },
              notices,
            )
          : fromRecords(opened, type)
        const prepare = Effect.suspend(() =>
          made === undefined ? Effect.void : prepareCurrency(org, made.plan.currency),
        )
        const state = new ImportState(notices, stages)
        const to = { org, dates: dates ?? "ISO", create, state, prepare } as const
        const batches = Stream.provideContext(parsed, context)
        const report = yield* withServices(
          isDryRun ? dryRun(to, batches) : run({ ...to, onProgress, inMemory }, batches),
        )
        if (opened.facts.encodingBy === "guess")
          notices.add("encoding_guessed", { example: opened.facts.encoding, message: guessed(opened.facts.encoding) })
        return {
          ...report,
          not_rows: made?.filter.skipped() ?? 0,
          assumptions: {
            ...assumptionsOf(opened.facts, made?.plan),
            ...(state.stages.length > 0 && { stages: state.stages }),
          },
          warnings: notices.list(),
        }
      }, Effect.scoped),
      records: Effect.fn("Import.records")(function* <E>(
        org: string,
        records: Stream.Stream<unknown, E>,
        { dates = "ISO", ...rest }: ImportOptions = {},
      ) {
        const state = new ImportState()
        const report = yield* withServices(run({ org, dates, ...rest, state }, fromObjects(records)))
        const assumptions = { container: "json" as const, ...(state.stages.length > 0 && { stages: state.stages }) }
        return { ...report, not_rows: 0, assumptions, warnings: state.notices.list() }
      }),
    })
  }).pipe(inOrganization),
)

const guessed = (encoding: string | undefined) =>
  `the text is read as ${encoding}, which is a guess: set 'encoding' if names look wrong`

const noType = badRequest({ invalid: [{ field: "type", reason: "must name the type of the CSV rows" }] })
