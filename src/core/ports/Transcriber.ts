import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import type { Format, ReadDocument } from "./document.ts"
import type { BlobNotFound, BlobStoreError } from "./BlobStore.ts"

/** The recording cannot be transcribed. `reason` tells the user what to do. */
export class TranscriptionFailed extends Schema.TaggedError<TranscriptionFailed>()("TranscriptionFailed", {
  reason: Schema.String,
}) {}

/** The transcriber is unreachable or busy; a retry may succeed. */
export class TranscriptionUnavailable extends Schema.TaggedError<TranscriptionUnavailable>()(
  "TranscriptionUnavailable",
  { reason: Schema.String },
) {}

/** A recording in the blob store, read in pieces so that it need not fit in memory. */
export interface Recording {
  readonly format: Format
  /** In bytes. */
  readonly size: number
  /** Reads the bytes from `start` (inclusive) to `end` (exclusive). */
  readonly read: (start: number, end: number) => Effect.Effect<Uint8Array, BlobNotFound | BlobStoreError>
}

export type TranscriptionError = TranscriptionFailed | TranscriptionUnavailable | BlobNotFound | BlobStoreError

/** Transcribes recordings to timed speech. */
export class Transcriber extends Context.Service<
  Transcriber,
  {
    /** Returns at least one element of kind `speech`, in order of time, with places of kind `time`. Reports progress from 0 to 1. */
    readonly transcribe: <E>(
      recording: Recording,
      report: (progress: number) => Effect.Effect<void, E>,
    ) => Effect.Effect<ReadDocument, TranscriptionError | E>
  }
>()("sightline/ports/Transcriber") {
  /** For a host without a transcriber: recordings are stored, but their transcription fails. */
  static readonly layerNone = Layer.succeed(Transcriber, {
    transcribe: () => Effect.fail(noTranscriber),
  })
}

const noTranscriber = new TranscriptionFailed({
  reason:
    "no transcriber is configured, but the recording is stored: set SIGHTLINE_TRANSCRIPTION_URL, or install ffmpeg and " +
    "pocketsphinx on the server (a host passes `transcriber` to `layerLibrary`), then reprocess the document",
})

/** The recording contains no recognizable speech. */
export const noSpeech = new TranscriptionFailed({
  reason: "this recording contains no speech; upload one in which somebody speaks",
})
