import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Stream from "effect/Stream"
import { badRequest } from "../http/validation.ts"
import { Import, type ImportFile, type ImportOptions } from "./Import.ts"
import { dryRun, limitBytes } from "./write/dryRun.ts"
import { run } from "./write/run.ts"
import type { Writing } from "./write/writeBatch.ts"
import { fromCsv, fromLines, fromObjects } from "./source.ts"
import { inOrganization } from "../storage/inOrganization.ts"

export const layerImport = Layer.effect(
  Import,
  Effect.gen(function* () {
    const withServices = Effect.provideContext(yield* Effect.context<Writing>())

    return Import.of({
      run: Effect.fn("Import.run")(function* <E>(
        org: string,
        { format, type, bytes, map, dates = "ISO", dryRun: isDryRun = false, ...rest }: ImportFile<E>,
      ) {
        if (format === "csv" && type === undefined) {
          return yield* badRequest({ invalid: [{ field: "type", reason: "must name the type of the CSV rows" }] })
        }
        const read = <F>(bytes: Stream.Stream<Uint8Array, F>) =>
          type === undefined || format === "ndjson" ? fromLines(bytes) : fromCsv(bytes, { type, map, dates })
        return yield* withServices(
          isDryRun ? dryRun({ org, dates }, read(limitBytes(bytes))) : run({ org, dates, ...rest }, read(bytes)),
        )
      }),
      records: Effect.fn("Import.records")(function* <E>(
        org: string,
        records: Stream.Stream<unknown, E>,
        { dates = "ISO", ...rest }: ImportOptions = {},
      ) {
        return yield* withServices(run({ org, dates, ...rest }, fromObjects(records)))
      }),
    })
  }).pipe(inOrganization),
)
