import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Stream from "effect/Stream"
import { type BadRequest } from "../http/errors.ts"
import { badRequest } from "../http/validation.ts"
import { Database, type DatabaseUnavailable } from "../storage/Database.ts"
import type { DateOrder } from "./import/cells.ts"
import type { Mapping } from "./import/mapping.ts"
import type { RecordType } from "./import/records.ts"
import { run } from "./import/run.ts"
import { fromCsv, fromLines, fromObjects } from "./import/source.ts"
import type { ImportCounts, ImportReport } from "./import/Tally.ts"

export type { ImportCounts, ImportReport }

interface Common {
  /** Called after every batch. */
  readonly onProgress?: ((counts: ImportCounts) => Effect.Effect<void>) | undefined
  /** How CSV writes its dates, and properties of type date theirs; ISO is always understood. */
  readonly dates?: DateOrder | undefined
  /** Characters of records that may wait in memory for the end of the file, rather than in the database. */
  readonly inMemory?: number | undefined
}

export interface ImportFile<E> extends Common {
  readonly format: "ndjson" | "csv"
  /** What every row is; CSV needs it. */
  readonly type?: RecordType | undefined
  readonly bytes: Stream.Stream<Uint8Array, E>
  readonly map?: Mapping | undefined
}

/**
 * Brings records into a workspace: upserts by id, else by CRM id, else by name. Good records land, bad ones are reported
 * by line; a file twice imported changes nothing the second time. Fails only when nothing could be read.
 */
export class Import extends Context.Service<
  Import,
  {
    readonly run: <E = never>(
      org: string,
      file: ImportFile<E>,
    ) => Effect.Effect<ImportReport, BadRequest | DatabaseUnavailable | E>
    /** Records that are objects already, each with its `type`. */
    readonly records: <E = never>(
      org: string,
      records: Stream.Stream<unknown, E>,
      options?: Common,
    ) => Effect.Effect<ImportReport, BadRequest | DatabaseUnavailable | E>
  }
>()("sightline/workspace/Import") {
  static readonly layer = Layer.effect(
    Import,
    Effect.gen(function* () {
      const database = yield* Database
      return Import.of({
        run: Effect.fn("Import.run")(function* <E>(
          org: string,
          { format, type, bytes, map, dates = "ISO", ...rest }: ImportFile<E>,
        ) {
          if (format === "ndjson") return yield* run({ database, org, dates, ...rest }, fromLines(bytes))
          if (type === undefined) {
            return yield* badRequest({ invalid: [{ field: "type", reason: "must say what the rows of a CSV are" }] })
          }
          const source = fromCsv(bytes, { type, map, dates })
          return yield* run({ database, org, dates, only: type, ...rest }, source)
        }),
        records: Effect.fn("Import.records")(function* <E>(
          org: string,
          records: Stream.Stream<unknown, E>,
          { dates = "ISO", ...rest }: Common = {},
        ) {
          return yield* run({ database, org, dates, ...rest }, fromObjects(records))
        }),
      })
    }),
  )
}
