import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import type * as Stream from "effect/Stream"
import type { Encodings, TableFacts, TableRow } from "./table.ts"

/** The file cannot be read. `reason` ends a sentence that begins with the file, and says what to do. */
export class FileRefused extends Schema.TaggedError<FileRefused>()("FileRefused", { reason: Schema.String }) {}

/** This server cannot read such files now; a retry may succeed. */
export class FileReaderUnavailable extends Schema.TaggedError<FileReaderUnavailable>()("FileReaderUnavailable", {
  reason: Schema.String,
}) {}

export interface SheetRequest {
  readonly container: "xlsx" | "html"
  /** Reads the whole file into memory. */
  readonly load: Effect.Effect<Uint8Array, FileRefused | FileReaderUnavailable>
  /** The name of a sheet, or its number, from 1. By default the first visible sheet with headers of the type, or else with a cell. */
  readonly sheet?: string | undefined
  /** The type of the records, by whose headers the sheet is chosen if none is given. Without it, no header counts. */
  readonly type?: string | undefined
}

/** HTML has no sheets. */
export interface OpenSheet extends Pick<TableFacts, "sheet" | "sheets" | "unread" | "passedOver"> {
  readonly rows: Stream.Stream<ReadonlyArray<TableRow>, FileRefused | FileReaderUnavailable>
}

/** Kinds of files of records beside CSV and JSON in UTF-8 and UTF-16. */
export interface TableFormats {
  readonly encodings: Effect.Effect<Encodings>
  /** Inflates gzip within the limits of size and ratio. */
  readonly gunzip: <E>(bytes: Stream.Stream<Uint8Array, E>) => Stream.Stream<Uint8Array, E | FileRefused>
  /** Reads a sheet in a separate thread, in bounded time and memory. */
  readonly openSheet: (
    request: SheetRequest,
  ) => Effect.Effect<OpenSheet, FileRefused | FileReaderUnavailable, Scope.Scope>
}

/** Reads more kinds of files of records. Undefined: an import reads CSV, JSON and NDJSON, in UTF-8 and UTF-16. */
export const TableReader = Context.Reference<TableFormats | undefined>("sightline/ports/TableReader", {
  defaultValue: () => undefined,
})
