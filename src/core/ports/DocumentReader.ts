import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Format, ReadAndCut, ReadDocument } from "./document.ts"

/** The document cannot be read. `reason` is for the person who sent it, and says what to do. */
export class UnreadableDocument extends Schema.TaggedError<UnreadableDocument>()("UnreadableDocument", {
  reason: Schema.String,
}) {}

/** Bytes to text with places: what they are by their content, what they say, and how that is cut into citable pieces. */
export class DocumentReader extends Context.Service<
  DocumentReader,
  {
    /** Of a stated content type; undefined: none that is supported. */
    readonly formatOf: (contentType: string) => Format | undefined
    /**
     * Why a file of a stated type is refused, and what to send instead; undefined if it is taken. By the first and last 64 KiB of it, or by
     * its type alone where its bytes are not here yet.
     */
    readonly refusal: (contentType: string, head?: Uint8Array, tail?: Uint8Array) => string | undefined
    /** The stated types that are supported. */
    readonly contentTypes: ReadonlyArray<string>
    /** Apart from the process's own work, in bounded time and memory. */
    readonly read: (bytes: Uint8Array, format: Format) => Effect.Effect<ReadAndCut, UnreadableDocument>
    /** Of what was not read but heard. It is done at once: what is said in a few hours is little. */
    readonly chunk: (document: ReadDocument) => ReadAndCut
  }
>()("sightline/ports/DocumentReader") {}
