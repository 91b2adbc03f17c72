import type { AnswerEvent, Question, StreamQuestion } from "./answers.ts"
import type { Contract } from "./contract/contract.ts"
import type { Export, ExportsCreateInput } from "./contract/exports.ts"
import type { Deal, DealQuery, Filters, RowOf, Selector } from "./deals.ts"
import type { CallOptions } from "./options.ts"
import type { Given, List } from "./paging.ts"
import type { Import } from "./records.ts"
import type { EndpointOf, Flat, GroupName, Input, Output } from "./types.ts"
import type { DealUpload, LibraryUpload, UploadOptions } from "./upload.ts"
import type { WaitOptions } from "./waiting.ts"

type Page = { readonly data: ReadonlyArray<unknown>; readonly next_cursor: string | null }

/** An endpoint as a method: `client.group.endpoint(input, options)`. */
export type Method<G extends GroupName, E extends EndpointOf<G>> = [Output<G, E>] extends [never]
  ? undefined
  : Output<G, E> extends Page
    ? List<Input<G, E>, Output<G, E>, Output<G, E>["data"][number]>
    : (...given: Given<Input<G, E>>) => Promise<Output<G, E>>

/** Rows have the columns that the query asks for. */
export interface DealList {
  /** Reads one page of deals. */
  <const C extends ReadonlyArray<Selector> = DefaultColumns>(
    query?: DealQuery<C>,
    options?: CallOptions,
  ): Promise<ReadonlyArray<RowOf<C>>>
  /** Iterates over all deals that match. */
  each<const C extends ReadonlyArray<Selector> = DefaultColumns>(
    query?: DealQuery<C>,
    options?: CallOptions,
  ): AsyncGenerator<RowOf<C>, void>
  /** Iterates over all pages. */
  pages<const C extends ReadonlyArray<Selector> = DefaultColumns>(
    query?: DealQuery<C>,
    options?: CallOptions,
  ): AsyncGenerator<ReadonlyArray<RowOf<C>>, void>
}

type DefaultColumns = ReadonlyArray<Extract<keyof Deal, Selector>>

/** Methods whose input or reply is not plain JSON, and more than one endpoint's work. */
export interface SpecialMethods {
  readonly deals: {
    readonly list: DealList
    /** Counts the deals that match. */
    readonly count: (filters?: Filters, options?: CallOptions) => Promise<number>
    /** Reads one deal. */
    readonly get: <const C extends ReadonlyArray<Selector> = DefaultColumns>(
      input: { readonly id: string; readonly columns?: C | undefined },
      options?: CallOptions,
    ) => Promise<RowOf<C>>
    /** Changes one deal, and returns it with the default columns. */
    readonly update: (input: Input<"deals", "update">, options?: CallOptions) => Promise<Deal>
  }
  readonly exports: {
    /** Starts an export; `waitForExport` waits for it. */
    readonly create: (input: NewExport, options?: CallOptions) => Promise<Output<"exports", "create">>
    /** Opens the file of a completed export. The body of the reply is a stream. */
    readonly download: (completed: Pick<Export, "download_url">, options?: CallOptions) => Promise<Response>
  }
  readonly answers: {
    /** Asks, and returns the whole answer. */
    readonly create: (question: Question, options?: CallOptions) => Promise<Output<"answers", "create">>
    /** Asks, and iterates over the answer's events while it is written. Resumes if the connection breaks. */
    readonly stream: (question: StreamQuestion, options?: CallOptions) => AsyncGenerator<AnswerEvent, void>
  }
  readonly library: {
    /** Uploads a document about a competitor; `waitForRun` waits until it is read. */
    readonly uploadToLibrary: Upload<LibraryUpload, "uploadToLibrary">
    /** Uploads a document of a deal; `waitForRun` waits until it is read. */
    readonly uploadToDeal: Upload<DealUpload, "uploadToDeal">
    /** Opens the uploaded file. The body of the reply is a stream. */
    readonly original: (input: Input<"library", "original">, options?: CallOptions) => Promise<Response>
  }
  readonly workspace: {
    /** Imports records: objects, NDJSON or CSV. */
    readonly import: (input: Import, options?: UploadOptions) => Promise<Output<"workspace", "import">>
  }
}

type Upload<In, E extends EndpointOf<"library">> = (
  upload: In,
  options?: UploadOptions,
) => Promise<Output<"library", E>>

/** Columns, in the order of the file, filters, and how the file is written. */
export interface NewExport extends Pick<ExportsCreateInput, "format" | "csv_safe" | "bom" | "delimiter" | "decimal"> {
  readonly columns: ReadonlyArray<Selector>
  readonly filters?: Filters | undefined
}

type SpecialOf<G> = G extends keyof SpecialMethods ? SpecialMethods[G] : {}

/** Every endpoint of the contract as a method of its group, and methods that wait. */
export type Client = {
  readonly [G in GroupName]: Flat<
    // Mapped over the contract, so that each method keeps its description.
    {
      readonly [E in keyof Contract[G] as E extends keyof SpecialOf<G> ? never : E]: Method<G, E & EndpointOf<G>>
    } & SpecialOf<G>
  >
} & {
  /** Waits until a document has been read. Throws `run_failed` if it cannot be. */
  readonly waitForRun: Wait<Output<"library", "run">>
  /** Waits until a document is ready. Throws `document_failed` if it cannot be read. */
  readonly waitForDocument: Wait<Output<"library", "get">>
  /** Waits until the file of an export is complete. Throws `export_failed` if the export failed. */
  readonly waitForExport: Wait<Export>
}

type Wait<A> = (id: string, options?: WaitOptions<A>) => Promise<A>
