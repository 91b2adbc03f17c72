import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Stream from "effect/Stream"
import type { BadRequest } from "../http/errors.ts"
import type { DatabaseUnavailable } from "../ports/DatabaseUnavailable.ts"
import type { DateOrder } from "./import/cells.ts"
import type { Mapping } from "./import/mapping.ts"
import type { RecordType } from "./import/records.ts"
import type { ImportCounts, ImportReport } from "./import/Tally.ts"

export type { ImportCounts, ImportReport }

export interface ImportOptions {
  /** Called after every batch. */
  readonly onProgress?: ((counts: ImportCounts) => Effect.Effect<void>) | undefined
  /** How CSV writes its dates, and properties of type date theirs; ISO is always understood. */
  readonly dates?: DateOrder | undefined
  /** Characters of records that may wait in memory for the end of the file, rather than in the database. */
  readonly inMemory?: number | undefined
}

export interface ImportFile<E> extends ImportOptions {
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
      options?: ImportOptions,
    ) => Effect.Effect<ImportReport, BadRequest | DatabaseUnavailable | E>
  }
>()("sightline/workspace/Import") {}
