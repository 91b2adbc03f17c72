import * as AiError from "effect/ai/AiError"
import * as LanguageModel from "effect/ai/LanguageModel"
import type { PartEncoded, StreamPartEncoded } from "effect/ai/Response"
import * as Sse from "effect/encoding/Sse"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import type { HttpClientResponse } from "effect/http/HttpClientResponse"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import { ReplyReader } from "./openaiReply.ts"
import { messagesOf, toolsOf } from "./openaiRequest.ts"

export interface ChatOptions {
  /** Up to and including the version, such as `https://api.openai.com/v1`. */
  readonly url: string
  readonly model: string
  readonly key?: Redacted.Redacted | undefined
  /** How often a request is sent before it is given up; 4 unless said. */
  readonly tries?: number | undefined
  /** Before a request is tried again, in seconds, doubled each time; 0.5 unless said. A `Retry-After` wins. */
  readonly pause?: number | undefined
  /** How long the model may say nothing, in seconds; 30 unless said. */
  readonly silence?: number | undefined
}

/** Seconds that a provider may ask to wait for; a question is not worth more. */
const MOST_PATIENCE = 20

/** `POST {url}/chat/completions`, as OpenAI and those who follow it have it, as Effect's language model. */
export const layerOpenAi = (options: ChatOptions) =>
  Layer.effect(
    LanguageModel.LanguageModel,
    Effect.gen(function* () {
      const client = yield* HttpClient.HttpClient
      const streamText = (asked: LanguageModel.ProviderOptions) => stream(client, options, asked)
      return yield* LanguageModel.make({
        streamText,
        generateText: (asked) => Effect.map(Stream.runCollect(streamText(asked)), whole),
      })
    }),
  ).pipe(
    Layer.provide(FetchHttpClient.layer),
    // A redirect could take the key and the workspace's text elsewhere.
    Layer.provide(Layer.succeed(FetchHttpClient.RequestInit, { redirect: "manual" })),
  )

const stream = (client: HttpClient.HttpClient, options: ChatOptions, asked: LanguageModel.ProviderOptions) => {
  const { url, model, key, silence = 30 } = options
  const request = HttpClientRequest.post(`${url}/chat/completions`).pipe(
    key === undefined ? (same) => same : HttpClientRequest.bearerToken(key),
    HttpClientRequest.accept("text/event-stream"),
    HttpClientRequest.bodyJsonUnsafe({
      model,
      messages: messagesOf(asked.prompt),
      ...toolsOf(asked),
      stream: true,
      stream_options: { include_usage: true },
    }),
  )
  const reader = new ReplyReader()
  const silent = () =>
    failed(new AiError.InternalProviderError({ description: `the model said nothing for ${silence} s` }))
  return Stream.unwrap(
    Effect.map(send(client, request, options), (response) =>
      response.stream.pipe(
        Stream.mapError((error) => unreachable(url, error)),
        Stream.timeoutOrElse({
          duration: `${silence} seconds`,
          orElse: () => Stream.fromEffect(Effect.fail(silent())),
        }),
        Stream.decodeText(),
        eventsOf,
        Stream.mapEffect((data) => parts(reader.add(data))),
        Stream.concat(Stream.fromEffect(Effect.suspend(() => parts(reader.end())))),
        Stream.flattenIterable,
      ),
    ),
  )
}

const parts = (
  read: ReturnType<ReplyReader["end"]>,
): Effect.Effect<ReadonlyArray<StreamPartEncoded>, AiError.AiError> =>
  "wrong" in read
    ? Effect.fail(failed(new AiError.InvalidOutputError({ description: read.wrong })))
    : Effect.succeed(read)

/** Of one event, in UTF-16 units. */
const LONGEST_EVENT = 1_000_000

/** The data of each server-sent event. */
const eventsOf = <E>(text: Stream.Stream<string, E>) =>
  Stream.suspend(() => {
    const found: Array<string> = []
    const parser = Sse.makeParser(
      (event) => {
        if (event._tag === "Event") found.push(event.data)
      },
      { maxEventSize: LONGEST_EVENT },
    )
    return text.pipe(
      Stream.mapEffect((piece) =>
        parser.feed(piece) === undefined
          ? Effect.succeed(found.splice(0))
          : Effect.fail(failed(new AiError.InvalidOutputError({ description: "the model's reply has no end" }))),
      ),
      Stream.flattenIterable,
    )
  })

/** What may pass is tried again, with growing pauses, or after as long as the provider says. */
const send = Effect.fnUntraced(function* (
  client: HttpClient.HttpClient,
  request: HttpClientRequest.HttpClientRequest,
  { url, tries = 4, pause = 0.5, silence = 30 }: ChatOptions,
) {
  for (let attempt = 1; ; attempt++) {
    const outcome = yield* client.execute(request).pipe(
      Effect.mapError((error) => unreachable(url, error)),
      Effect.timeoutOrElse({
        duration: `${silence} seconds`,
        orElse: () =>
          Effect.fail(failed(new AiError.InternalProviderError({ description: `no answer in ${silence} s` }))),
      }),
      Effect.result,
    )
    if (outcome._tag === "Success" && outcome.success.status === 200) return outcome.success
    const passes = outcome._tag === "Failure" || PASSING.has(outcome.success.status) || outcome.success.status >= 500
    const asked = outcome._tag === "Success" ? yield* retryAfter(outcome.success) : undefined
    if (outcome._tag === "Success") yield* Effect.ignore(Stream.runDrain(Stream.take(outcome.success.stream, 1)))
    if (!passes || attempt >= tries || (asked ?? 0) > MOST_PATIENCE) {
      if (outcome._tag === "Failure") return yield* outcome.failure
      return yield* failed(AiError.reasonFromHttpStatus({ status: outcome.success.status }))
    }
    yield* Effect.sleep(`${asked ?? pause * 2 ** (attempt - 1)} seconds`)
  }
})

const PASSING = new Set([408, 409, 425, 429])

/** Seconds, from a number of them or a date. */
const retryAfter = Effect.fnUntraced(function* ({ headers }: HttpClientResponse) {
  const text = headers["retry-after"]?.trim() ?? ""
  if (/^\d+(?:\.\d+)?$/.test(text)) return Number(text)
  const until = Date.parse(text)
  return Number.isNaN(until) ? undefined : Math.max(0, (until - (yield* Clock.currentTimeMillis)) / 1000)
})

const failed = (reason: AiError.AiErrorReason) => AiError.make({ module: "openai", method: "chat", reason })

const unreachable = (url: string, cause: unknown) =>
  failed(new AiError.NetworkError({ reason: "TransportError", method: "POST", url, cause }))

/** A reply that was streamed, as one that was not. */
const whole = (parts: ReadonlyArray<StreamPartEncoded>): Array<PartEncoded> => {
  const text = parts.map((part) => (part.type === "text-delta" ? part.delta : "")).join("")
  const rest = parts.filter((part) => part.type === "tool-call" || part.type === "finish")
  return [...(text === "" ? [] : [{ type: "text", text } as const]), ...rest]
}
