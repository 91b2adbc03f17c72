import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import type { Format, ReadDocument } from "./document.ts"
import type { BlobNotFound, BlobStoreError } from "./BlobStore.ts"

/** This recording cannot be transcribed as things are. `reason` is for the person who sent it, and says what to do. */
export class TranscriptionFailed extends Schema.TaggedError<TranscriptionFailed>()("TranscriptionFailed", {
  reason: Schema.String,
}) {}

/** The transcriber is out of reach or busy; later it may not be. */
export class TranscriptionUnavailable extends Schema.TaggedError<TranscriptionUnavailable>()(
  "TranscriptionUnavailable",
  { reason: Schema.String },
) {}

/** What is heard, read piece by piece where it is kept: nobody needs to hold all of it. */
export interface Recording {
  readonly format: Format
  /** Bytes. */
  readonly size: number
  /** Bytes from `start` up to, not including, `end`. */
  readonly read: (start: number, end: number) => Effect.Effect<Uint8Array, BlobNotFound | BlobStoreError>
}

export type TranscriptionError = TranscriptionFailed | TranscriptionUnavailable | BlobNotFound | BlobStoreError

/** Recordings to what was said in them and when. */
export class Transcriber extends Context.Service<
  Transcriber,
  {
    /** Elements of kind `speech` in order of time, at places of kind `time`; there is at least one. `report` is told the part done, 0 to 1. */
    readonly transcribe: <E>(
      recording: Recording,
      report: (part: number) => Effect.Effect<void, E>,
    ) => Effect.Effect<ReadDocument, TranscriptionError | E>
  }
>()("sightline/ports/Transcriber") {
  /** For a host that has none: recordings are kept, and told to wait for one. */
  static readonly layerNone = Layer.succeed(Transcriber, {
    transcribe: () => Effect.fail(noTranscriber),
  })
}

const noTranscriber = new TranscriptionFailed({
  reason:
    "no transcriber is configured, but the recording is stored: set SIGHTLINE_TRANSCRIPTION_URL, or install ffmpeg and " +
    "pocketsphinx on the server, then reprocess the document",
})

/** Nothing was said, or nothing that could be made out. */
export const noSpeech = new TranscriptionFailed({
  reason: "this recording contains no speech; upload one in which somebody speaks",
})
