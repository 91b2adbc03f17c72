import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Stream from "effect/Stream"
import type { BadRequest, NotFound } from "../http/errors.ts"
import type { DatabaseUnavailable } from "../ports/DatabaseUnavailable.ts"
import type { DateOrder } from "./plan/cells.ts"
import type { Mapping } from "./plan/mapping.ts"
import type { RecordType } from "./records.ts"

export interface ImportCounts {
  readonly received: number
  readonly created: number
  readonly updated: number
  readonly unchanged: number
  readonly deleted: number
  readonly failed: number
}

export interface ImportError {
  /** The line on which the record begins, or the number of the object, from 1. */
  readonly line: number
  /** The refused field, or `record` for the whole record. */
  readonly field: string
  readonly reason: string
}

export interface ImportReport extends ImportCounts {
  /** The first 1,000 errors, by line. */
  readonly errors: ReadonlyArray<ImportError>
}

export interface ImportOptions {
  /** Called after every batch. */
  readonly onProgress?: ((counts: ImportCounts) => Effect.Effect<void>) | undefined
  /** The format of dates in CSV and in properties of type date. ISO is always accepted. */
  readonly dates?: DateOrder | undefined
  /** How many characters of deferred records stay in memory until the end of the file. Others wait in the database. */
  readonly inMemory?: number | undefined
}

export interface ImportFile<E> extends ImportOptions {
  readonly format: "ndjson" | "csv"
  /** The type of every row. Required for CSV. */
  readonly type?: RecordType | undefined
  readonly bytes: Stream.Stream<Uint8Array, E>
  readonly map?: Mapping | undefined
  /** True writes nothing, and reports what an import would do. The file has a limit then. */
  readonly dryRun?: boolean | undefined
}

/**
 * Upserts records into a workspace, by id, else by CRM id, else by name. Skips invalid records and reports them by line.
 * Importing the same file again changes nothing. Fails only if no record can be read.
 */
export class Import extends Context.Service<
  Import,
  {
    readonly run: <E = never>(
      org: string,
      file: ImportFile<E>,
    ) => Effect.Effect<ImportReport, BadRequest | NotFound | DatabaseUnavailable | E>
    /** Imports objects, each with its `type`. */
    readonly records: <E = never>(
      org: string,
      records: Stream.Stream<unknown, E>,
      options?: ImportOptions,
    ) => Effect.Effect<ImportReport, BadRequest | NotFound | DatabaseUnavailable | E>
  }
>()("sightline/import/Import") {}
