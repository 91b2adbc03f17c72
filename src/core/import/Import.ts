import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Stream from "effect/Stream"
import type { BadRequest, Conflict, Gone, NotFound, UnsupportedMediaType } from "../http/errors/errors.ts"
import type { DatabaseUnavailable } from "../ports/DatabaseUnavailable.ts"
import type { Assumptions } from "./assumptions.ts"
import type { DateOrder } from "../records/values/dates.ts"
import type { Mapping } from "./plan/fields/parameters.ts"
import type { DecimalMark } from "../records/values/numbers.ts"
import type { ImportExample } from "../records/dryRun/Examples.ts"
import type { ImportCounts } from "../records/log/Logged.ts"
import type { Notice } from "../records/Notices.ts"
import type { StageCategory } from "../records/values/stageWords.ts"
import type { RecordType } from "../records/record.ts"
import type { ImportSummary } from "./undo/contract.ts"

export type { ImportCounts, ImportExample }

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
  /** Names the import in `find` and `undo`. Absent in a dry run, and so are the next two. */
  readonly import_id?: string
  /** Whether `undo` can undo it, within 7 days of its end. */
  readonly undo?: boolean
  /** Why it cannot be undone. */
  readonly undo_refusal?: string
  /** Lines that are no records, such as totals and footers. */
  readonly not_rows: number
  /** The assumptions that the import made. */
  readonly assumptions: Assumptions
  /** The first 1,000 errors, by line. */
  readonly errors: ReadonlyArray<ImportError>
  readonly warnings: ReadonlyArray<Notice>
  /** The numbers of names that records mention first, by type. */
  readonly created_names: Readonly<Partial<Record<RecordType, number>>>
  /** A dry run only: `sample` if the file is too long to count, so that the counts are those of its beginning. */
  readonly counts_from?: "file" | "sample"
  /** A dry run only: up to twenty records. */
  readonly examples?: ReadonlyArray<ImportExample>
  /** The plan that a dry run of a table made, kept for an hour, or by which the file was read. */
  readonly plan_id?: string
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
  /** The effect of an empty cell of a table on its field. The default is `keep`. */
  readonly empty?: "keep" | "clear" | undefined
  /** Keeps columns that fill no field of a deal, as properties of this CRM. */
  readonly keepUnmapped?: "crm_one" | "crm_two" | undefined
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
  /** The name of a workbook's sheet, or its number, from 1. By default the first visible one with headers of the records, or else with a cell. */
  readonly sheet?: string | undefined
  /** True writes nothing but the plan, and reports what an import would do. */
  readonly dryRun?: boolean | undefined
  /** The plan of a dry run of this file, which decides everything but the bytes. */
  readonly planId?: string | undefined
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
    ) => Effect.Effect<ImportReport, BadRequest | Conflict | UnsupportedMediaType | NotFound | DatabaseUnavailable | E>
    /** Imports objects, each with its `type`. */
    readonly records: <E = never>(
      org: string,
      records: Stream.Stream<unknown, E>,
      options?: ImportOptions,
    ) => Effect.Effect<ImportReport, BadRequest | NotFound | DatabaseUnavailable | E>
    /** Reads what an import did, and what came of its undo. */
    readonly find: (org: string, id: string) => Effect.Effect<ImportSummary, NotFound | DatabaseUnavailable>
    /**
     * Queues the undo of an import, and returns the id of the run. It restores what the import changed, except for what a later change
     * touched. `find` says what came of it.
     */
    readonly undo: (org: string, id: string) => Effect.Effect<string, NotFound | Conflict | Gone | DatabaseUnavailable>
  }
>()("sightline/import/Import") {}
