import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { BlobNotFound, BlobStoreError } from "../../core/ports/BlobStore.ts"
import {
  type Recording,
  Transcriber,
  TranscriptionFailed,
  TranscriptionUnavailable,
} from "../../core/ports/Transcriber.ts"
import type { MediaPiece } from "../../ingest/media.ts"
import { UnreadableError } from "../../ingest/UnreadableError.ts"
import { asDocument, byteSource, type Segment } from "./segments.ts"

export interface OpenAiOptions {
  /** Up to and including the version, such as `https://api.openai.com/v1`. */
  readonly url: string
  readonly model: string
  readonly key?: Redacted.Redacted | undefined
  /** Of what is sent at once, in bytes; 24 MiB unless said. */
  readonly maxBytes?: number | undefined
  /** For one piece, from sending it to its whole reply; 600 unless said. */
  readonly seconds?: number | undefined
  /** Before a piece is tried again, in seconds, doubled each time; 1 unless said. A `Retry-After` wins. */
  readonly pause?: number | undefined
}

/** `POST {url}/audio/transcriptions`, as OpenAI and those who follow it have it. */
export const layerOpenAi = ({ maxBytes = 24 * 1024 * 1024, seconds = 600, pause = 1, ...endpoint }: OpenAiOptions) => {
  const limits = { maxBytes, maxSeconds: 1200 }
  const send = (piece: MediaPiece, tries = 1): Effect.Effect<ReadonlyArray<Segment>, Failure> =>
    Effect.catchTag(ask(endpoint, piece, seconds), "Passing", ({ reason, after }) =>
      tries >= TRIES
        ? Effect.fail(new TranscriptionUnavailable({ reason }))
        : Effect.andThen(
            Effect.sleep(`${Math.min(after ?? pause * 2 ** (tries - 1), MOST_PATIENCE)} seconds`),
            Effect.suspend(() => send(piece, tries + 1)),
          ),
    )
  return Layer.succeed(Transcriber, {
    transcribe: Effect.fn("Transcriber.openai")(function* <E>(
      recording: Recording,
      report: (part: number) => Effect.Effect<void, E>,
    ) {
      const { piecesApart } = yield* Effect.promise(() => import("../../ingest/mediaApart.ts"))
      const segments: Array<Segment> = []
      yield* Stream.fromAsyncIterable(piecesApart(byteSource(recording), limits), thrown).pipe(
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

const TRIES = 4
/** Seconds that a provider may ask to wait for; longer, and another attempt at the job is better. */
const MOST_PATIENCE = 60

type Failure = TranscriptionFailed | TranscriptionUnavailable

/** What a recording's reading throws; anything else is a fault of ours. */
const thrown = (error: unknown) => {
  if (error instanceof UnreadableError) return new TranscriptionFailed({ reason: error.reason })
  if (error instanceof BlobNotFound || error instanceof BlobStoreError) return error
  throw error
}

/** May pass: `after` seconds, if the provider said so. */
class Passing extends Schema.TaggedError<Passing>()("Passing", {
  reason: Schema.String,
  after: Schema.UndefinedOr(Schema.Finite),
}) {}

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
  const exchange = Effect.tryPromise({
    try: async (signal) => {
      const body = new FormData()
      body.append("file", new Blob([piece.bytes], { type: piece.type }), piece.name)
      body.append("model", model)
      body.append("response_format", "verbose_json")
      body.append("timestamp_granularities[]", "segment")
      const reply = await fetch(`${url}/audio/transcriptions`, {
        method: "POST",
        body,
        headers: key === undefined ? {} : { authorization: `Bearer ${Redacted.value(key)}` },
        // A redirect could take the key and the recording elsewhere.
        redirect: "manual",
        signal,
      })
      return { status: reply.status, after: retryAfter(reply.headers), text: await limited(reply) }
    },
    catch: () => new Passing({ reason: "the transcriber is out of reach", after: undefined }),
  })
  const { status, after, text } = yield* Effect.timeoutOrElse(exchange, {
    duration: `${seconds} seconds`,
    orElse: () => Effect.fail(new Passing({ reason: "the transcriber did not answer in time", after: undefined })),
  })
  if (status === 429) return yield* new Passing({ reason: "the transcriber is busy", after })
  if (status === 408 || status >= 500)
    return yield* new Passing({ reason: `the transcriber failed (${status})`, after })
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

/** An hour of speech is a few hundred kilobytes. */
const MOST_REPLY = 16 * 1024 * 1024

const limited = async (reply: Response) => {
  const decoder = new TextDecoder()
  const parts: Array<string> = []
  let size = 0
  for await (const chunk of reply.body ?? []) {
    size += chunk.length
    if (size > MOST_REPLY) return ""
    parts.push(decoder.decode(chunk, { stream: true }))
  }
  return parts.join("") + decoder.decode()
}

/** Seconds, from a number of them or a date. */
const retryAfter = (headers: Headers) => {
  const text = headers.get("retry-after")?.trim() ?? ""
  if (/^\d+(?:\.\d+)?$/.test(text)) return Number(text)
  const until = Date.parse(text)
  return Number.isNaN(until) ? undefined : Math.max(0, (until - Date.now()) / 1000)
}

const refusal = (status: number) => {
  if (status === 401 || status === 403) {
    return "the transcriber refused this server's key; set SIGHTLINE_TRANSCRIPTION_KEY right, then reprocess the document"
  }
  if (status === 413) {
    return "the transcriber takes no files this large; lower SIGHTLINE_TRANSCRIPTION_MAX_BYTES, then reprocess the document"
  }
  return `the transcriber refused the recording (${status}); check SIGHTLINE_TRANSCRIPTION_URL and SIGHTLINE_TRANSCRIPTION_MODEL, then reprocess the document`
}

const garbage = new TranscriptionFailed({
  reason:
    "the transcriber's reply is not a transcription; check SIGHTLINE_TRANSCRIPTION_URL and SIGHTLINE_TRANSCRIPTION_MODEL, then reprocess the document",
})
