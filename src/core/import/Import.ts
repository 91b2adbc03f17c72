import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Stream from "effect/Stream"
import type { BadRequest, NotFound, UnsupportedMediaType } from "../http/errors.ts"
import type { DatabaseUnavailable } from "../ports/DatabaseUnavailable.ts"
import type { Assumptions } from "./assumptions.ts"
import type { DateOrder } from "./plan/dates.ts"
import type { Mapping } from "./plan/mapping.ts"
import type { DecimalMark } from "./plan/numbers.ts"
import type { Notice } from "./Notices.ts"
import type { StageCategory } from "./plan/stageWords.ts"
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
  /** The refused value as the file has it, at most 100 characters. */
  readonly value?: string
}

export interface ImportReport extends ImportCounts {
  /** Lines that are no records, such as totals and footers. */
  readonly not_rows: number
  /** The assumptions that the import made. */
  readonly assumptions: Assumptions
  /** The first 1,000 errors, by line. */
  readonly errors: ReadonlyArray<ImportError>
  readonly warnings: ReadonlyArray<Notice>
  /** The numbers of names that records mention first, by type. */
  readonly created_names: Readonly<Partial<Record<RecordType, number>>>
}

export interface ImportOptions {
  /** Called after every batch. */
  readonly onProgress?: ((counts: ImportCounts) => Effect.Effect<void>) | undefined
  /** The order of day and month in dates. By default each column decides; records need ISO. */
  readonly dates?: DateOrder | undefined
  /** `none` refuses records that name an owner, client or anything else that does not exist. The default is `all`. */
  readonly create?: "all" | "none" | undefined
  /** How many characters of deferred records stay in memory until the end of the file. Others wait in the database. */
  readonly inMemory?: number | undefined
}

export interface ImportFile<E> extends ImportOptions {
  /** The kind of file, where the bytes do not decide it: a text is a CSV by default. */
  readonly format?: "ndjson" | "csv" | undefined
  /** The type of every row. Required for CSV and sheets. */
  readonly type?: RecordType | undefined
  readonly bytes: Stream.Stream<Uint8Array, E>
  readonly map?: Mapping | undefined
  /** The categories of new stages, by name. Without one, the name decides. */
  readonly stages?: Readonly<Record<string, StageCategory>> | undefined
  /** The decimal mark of numbers. By default each column decides, then the file. */
  readonly decimal?: DecimalMark | undefined
  /** Units of the workspace's currency for one of each other. An amount in a currency without a rate is an error. */
  readonly rates?: Readonly<Record<string, number>> | undefined
  /** `gzip` if the bytes are compressed; they are recognized without it. */
  readonly contentEncoding?: string | undefined
  /** The name of the encoding of a text. By default its bytes decide. */
  readonly encoding?: string | undefined
  /** The name of a workbook's sheet, or its number, from 1. By default the first visible one that has a cell. */
  readonly sheet?: string | undefined
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
    ) => Effect.Effect<ImportReport, BadRequest | UnsupportedMediaType | NotFound | DatabaseUnavailable | E>
    /** Imports objects, each with its `type`. */
    readonly records: <E = never>(
      org: string,
      records: Stream.Stream<unknown, E>,
      options?: ImportOptions,
    ) => Effect.Effect<ImportReport, BadRequest | NotFound | DatabaseUnavailable | E>
  }
>()("sightline/import/Import") {}
