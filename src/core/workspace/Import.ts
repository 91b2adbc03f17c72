import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Stream from "effect/Stream"
import type { BadRequest, NotFound } from "../http/errors.ts"
import type { DatabaseUnavailable } from "../storage/Database.ts"
import type { DateOrder } from "./import/cells.ts"
import type { Mapping } from "./import/mapping.ts"
import type { ImportRecord, RecordType } from "./import/records.ts"
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

/** Types whose records may be deleted. */
export type Deletable = "deal" | "association"

/** The fields of a deal's record, but for what says which deal it is. */
export type DealFields = Omit<ImportRecord<"deal">, "type" | "id" | "deleted">

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
    /** Changes a deal that is there, as its record in an import would. */
    readonly updateDeal: (
      org: string,
      id: string,
      fields: DealFields,
    ) => Effect.Effect<void, BadRequest | NotFound | DatabaseUnavailable>
    /** Deletes a deal with all that hangs on it, or an association. */
    readonly remove: (
      org: string,
      type: Deletable,
      id: string,
    ) => Effect.Effect<void, BadRequest | NotFound | DatabaseUnavailable>
  }
>()("sightline/workspace/Import") {}
