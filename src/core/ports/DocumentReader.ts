import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Format, PagePicture, ReadAndCut, ReadDocument, Recognition } from "./document.ts"

/** The document cannot be read. `reason` tells the user what to do. */
export class UnreadableDocument extends Schema.TaggedError<UnreadableDocument>()("UnreadableDocument", {
  reason: Schema.String,
}) {}

/** This server cannot read documents now; a retry may succeed. */
export class ReaderUnavailable extends Schema.TaggedError<ReaderUnavailable>()("ReaderUnavailable", {
  reason: Schema.String,
}) {}

/** Reads files: detects their format, extracts text with places, and cuts it into chunks. */
export class DocumentReader extends Context.Service<
  DocumentReader,
  {
    /** Returns the format of a declared content type; undefined if it is not supported. */
    readonly formatOf: (contentType: string) => Format | undefined
    /**
     * Explains why a file is rejected and what to send instead; undefined if it is accepted. Checks the declared content
     * type, and the first and last 64 KiB of the file if given.
     */
    readonly refusal: (contentType: string, head?: Uint8Array, tail?: Uint8Array) => string | undefined
    /** The supported content types. */
    readonly contentTypes: ReadonlyArray<string>
    /** Reads in a separate thread, in bounded time and memory. `recognition` has the text of pages that are pictures, or of large pictures. */
    readonly read: (
      bytes: Uint8Array,
      format: Format,
      recognition?: Recognition,
    ) => Effect.Effect<ReadAndCut, UnreadableDocument | ReaderUnavailable>
    /** Draws a page, or takes a large picture out of a document without pages, counted from 1, in a separate thread, in bounded time and memory. */
    readonly drawPage: (
      bytes: Uint8Array,
      format: Format,
      page: number,
    ) => Effect.Effect<PagePicture, UnreadableDocument | ReaderUnavailable>
    /** Cuts a transcript into chunks. Runs synchronously, because hours of speech are little text. */
    readonly chunk: (document: ReadDocument) => ReadAndCut
  }
>()("sightline/ports/DocumentReader") {}
