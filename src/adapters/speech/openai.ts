import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { reveal } from "../../core/common/secret.ts"
import { BlobNotFound, BlobStoreError } from "../../core/ports/BlobStore.ts"
import {
  type Recording,
  Transcriber,
  TranscriptionFailed,
  TranscriptionUnavailable,
} from "../../core/ports/Transcriber.ts"
import type { MediaPiece } from "../../ingest/media/pieces.ts"
import { CannotStartThread } from "../../ingest/sandbox/errors.ts"
import { UnreadableError } from "../../ingest/UnreadableError.ts"
import { exchange, retryTransient } from "../endpoint.ts"
import type { OpenAiOptions } from "../libraryOptions.ts"
import { asDocument, byteSource, type Segment } from "./segments.ts"

/** Transcribes by `POST {url}/audio/transcriptions` of any OpenAI-compatible endpoint. */
export const layerOpenAi = ({
  maxBytes = 24 * 1024 * 1024,
  seconds = 600,
  pause = 1,
  worker,
  ...endpoint
}: OpenAiOptions) => {
  const limits = { maxBytes, maxSeconds: 1200 }
  const send = (piece: MediaPiece) =>
    Effect.mapError(retryTransient(ask(endpoint, piece, seconds), { tries: MAX_ATTEMPTS, pause }), (error) =>
      error._tag === "Transient" ? new TranscriptionUnavailable({ reason: error.message }) : error,
    )
  return Layer.succeed(Transcriber, {
    transcribe: Effect.fn("Transcriber.openai")(function* <E>(
      recording: Recording,
      report: (part: number) => Effect.Effect<void, E>,
    ) {
      const { piecesInThread } = yield* Effect.promise(() => import("../../ingest/media/piecesInThread.ts"))
      const module = { worker: yield* Effect.promise(worker ?? bundledMediaThread) }
      const segments: Array<Segment> = []
      yield* Stream.fromAsyncIterable(piecesInThread(byteSource(recording), limits, module), readingError).pipe(
        Stream.runForEach((piece) =>
          Effect.andThen(
            Effect.map(send(piece), (said) => segments.push(...said)),
            report(Math.min(1, piece.end / piece.duration)),
          ),
        ),
      )
      return yield* asDocument(segments, [])
    }),
  })
}

const bundledMediaThread = async () => (await import("../../ingest/sandbox/bundledThread.ts")).bundledThread("media")

const MAX_ATTEMPTS = 4
/** The errors of reading a recording; any other is a bug. */
const readingError = (error: unknown) => {
  if (error instanceof UnreadableError) return new TranscriptionFailed({ reason: error.reason })
  if (error instanceof CannotStartThread) {
    const reason = `this server cannot read recordings: ${error.message}`
    return error.isTransient ? new TranscriptionUnavailable({ reason }) : new TranscriptionFailed({ reason })
  }
  if (error instanceof BlobNotFound || error instanceof BlobStoreError) return error
  throw error
}

const Transcription = Schema.fromJsonString(
  Schema.Struct({
    text: Schema.optional(Schema.String),
    segments: Schema.optional(
      Schema.NullOr(
        Schema.Array(
          Schema.Struct({
            start: Schema.Finite,
            end: Schema.Finite,
            text: Schema.String,
            speaker: Schema.optional(Schema.NullOr(Schema.String)),
          }),
        ),
      ),
    ),
  }),
)

const ask = Effect.fnUntraced(function* (
  { url, model, key }: Pick<OpenAiOptions, "url" | "model" | "key">,
  piece: MediaPiece,
  seconds: number,
) {
  const body = new FormData()
  body.append("file", new Blob([piece.bytes], { type: piece.type }), piece.name)
  body.append("model", model)
  body.append("response_format", "verbose_json")
  body.append("timestamp_granularities[]", "segment")
  const { status, text } = yield* exchange({ name: "the transcriber", seconds, most: MAX_REPLY_BYTES }, (signal) =>
    fetch(`${url}/audio/transcriptions`, {
      method: "POST",
      body,
      headers: key === undefined ? {} : { authorization: `Bearer ${reveal(key)}` },
      // A redirect could take the key and the recording elsewhere.
      redirect: "manual",
      signal,
    }),
  )
  if (status !== 200) return yield* new TranscriptionFailed({ reason: refusal(status) })
  const said = yield* Effect.mapError(Schema.decodeUnknownEffect(Transcription)(text), () => garbage)
  if (said.segments === undefined || said.segments === null) {
    if (said.text === undefined) return yield* garbage
    return [{ start: piece.start, end: piece.end, text: said.text }]
  }
  return said.segments.flatMap(({ start, end, text, speaker }) =>
    piece.start + (start + end) / 2 < piece.from
      ? []
      : [
          {
            start: piece.start + start,
            end: Math.min(piece.start + end, piece.duration),
            text,
            speaker: speaker ?? undefined,
          },
        ],
  )
})

/** An hour of speech takes a few hundred kilobytes. */
const MAX_REPLY_BYTES = 16 * 1024 * 1024

const refusal = (status: number) => {
  if (status === 401 || status === 403) {
    return "the transcriber refused this server's key; correct SIGHTLINE_TRANSCRIPTION_KEY, then reprocess the document"
  }
  if (status === 413) {
    return "the transcriber does not accept files of this size; lower SIGHTLINE_TRANSCRIPTION_MAX_BYTES, then reprocess the document"
  }
  return `the transcriber refused the recording (${status}); check SIGHTLINE_TRANSCRIPTION_URL and SIGHTLINE_TRANSCRIPTION_MODEL, then reprocess the document`
}

const garbage = new TranscriptionFailed({
  reason:
    "the transcriber's reply is not a transcription; check SIGHTLINE_TRANSCRIPTION_URL and SIGHTLINE_TRANSCRIPTION_MODEL, then reprocess the document",
})
