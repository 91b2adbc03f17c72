import * as AiError from "effect/ai/AiError"
import * as LanguageModel from "effect/ai/LanguageModel"
import type { PartEncoded, StreamPartEncoded } from "effect/ai/Response"
import * as Sse from "effect/encoding/Sse"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { layerAgent } from "../../core/answers/agent/layerAgent.ts"
import { layerAnalyst } from "../../core/answers/analyst/layerAnalyst.ts"
import { parseRetryAfter } from "../endpoint.ts"
import { ReplyReader } from "./openaiReply.ts"
import { encodeMessages, toolsOf } from "./openaiRequest.ts"
import { assertChat, type ChatOptions } from "./options.ts"
import { modelError, retryUnsent, failOnSilence, unreachable, Unsent } from "./patience.ts"

export type { ChatOptions }

/** Effect's language model over `POST {url}/chat/completions` of any OpenAI-compatible endpoint. */
export const layerOpenAi = (options: ChatOptions) =>
  Layer.effect(
    LanguageModel.LanguageModel,
    Effect.gen(function* () {
      const client = yield* HttpClient.HttpClient
      const streamText = (asked: LanguageModel.ProviderOptions) => stream(client, options, asked)
      return yield* LanguageModel.make({
        streamText,
        generateText: (asked) => Effect.map(Stream.runCollect(streamText(asked)), toUnstreamed),
      })
    }),
  ).pipe(
    Layer.provide(FetchHttpClient.layer),
    // A redirect could take the key and the workspace's text elsewhere.
    Layer.provide(Layer.succeed(FetchHttpClient.RequestInit, { redirect: "manual" })),
  )

/** An answerer that uses the model: `open({ database, answerer: answererOf({ url, model, key }) })`. */
export const answererOf = (options: ChatOptions) => {
  assertChat("answererOf", options)
  return layerAgent.pipe(Layer.provide(layerOpenAi(options)))
}

/** An analyst that uses the model: `open({ database, analyst: analystOf({ url, model, key }) })`. */
export const analystOf = (options: ChatOptions) => {
  assertChat("analystOf", options)
  return layerAnalyst(options.model, options.prices).pipe(Layer.provide(layerOpenAi(options)))
}

const stream = (client: HttpClient.HttpClient, options: ChatOptions, asked: LanguageModel.ProviderOptions) => {
  const { url, model, key } = options
  const request = HttpClientRequest.post(`${url}/chat/completions`).pipe(
    key === undefined ? (same) => same : HttpClientRequest.bearerToken(key),
    HttpClientRequest.accept("text/event-stream"),
    HttpClientRequest.bodyJsonUnsafe({
      model,
      messages: encodeMessages(asked.prompt, unsignedOf(options)),
      ...toolsOf(asked),
      stream: true,
      stream_options: { include_usage: true },
    }),
  )
  const reader = new ReplyReader()
  return Stream.unwrap(
    Effect.map(retryUnsent(send(client, request), options), (response) =>
      response.stream.pipe(
        Stream.mapError(unreachable),
        failOnSilence(options),
        Stream.decodeText(),
        response.headers["content-type"]?.startsWith("application/json") ? readWhole : parseEvents,
        Stream.mapEffect((data) => parts(reader.add(data))),
        Stream.concat(Stream.fromEffect(Effect.suspend(() => parts(reader.end())))),
        Stream.flattenIterable,
      ),
    ),
  )
}

/** Gemini rejects unsigned tool calls, except those with the marker that Google documents. */
const unsignedOf = ({ url, model }: ChatOptions) =>
  /^https:\/\/[^/]*\bgoogleapis\.com\//.test(url) && /gemini-[3-9]/.test(model)
    ? { google: { thought_signature: "skip_thought_signature_validator" } }
    : undefined

const parts = (
  read: ReturnType<ReplyReader["end"]>,
): Effect.Effect<ReadonlyArray<StreamPartEncoded>, AiError.AiError> =>
  "wrong" in read
    ? Effect.fail(modelError(new AiError.InvalidOutputError({ description: read.wrong })))
    : Effect.succeed(read)

/** The longest event, in UTF-16 units. */
const MAX_EVENT_LENGTH = 1_000_000

const endless = modelError(new AiError.InvalidOutputError({ description: "the model's reply did not end" }))

/** Reads a whole reply from a server that ignores `stream`. */
const readWhole = <E>(text: Stream.Stream<string, E>) =>
  Stream.fromEffect(
    Stream.runFoldEffect(
      text,
      () => "",
      (all, piece) => (all.length > MAX_EVENT_LENGTH ? Effect.fail(endless) : Effect.succeed(all + piece)),
    ),
  )

/** Parses the data of each server-sent event. */
const parseEvents = <E>(text: Stream.Stream<string, E>) =>
  Stream.suspend(() => {
    const found: Array<string> = []
    const parser = Sse.makeParser(
      (event) => {
        if (event._tag === "Event") found.push(event.data)
      },
      { maxEventSize: MAX_EVENT_LENGTH },
    )
    return text.pipe(
      Stream.mapEffect((piece) =>
        parser.feed(piece) === undefined ? Effect.succeed(found.splice(0)) : Effect.fail(endless),
      ),
      Stream.flattenIterable,
    )
  })

const RETRYABLE_STATUSES = new Set([408, 409, 425, 429])

const send = Effect.fnUntraced(function* (client: HttpClient.HttpClient, request: HttpClientRequest.HttpClientRequest) {
  const response = yield* Effect.mapError(
    client.execute(request),
    (cause) => new Unsent({ error: unreachable(cause), isTransient: true }),
  )
  const { status, headers } = response
  if (status === 200) return response
  // An unread body would block its connection.
  yield* Effect.ignore(Stream.runDrain(Stream.take(response.stream, 1)))
  return yield* new Unsent({
    error: modelError(AiError.reasonFromHttpStatus({ status })),
    isTransient: RETRYABLE_STATUSES.has(status) || status >= 500,
    after: yield* parseRetryAfter(headers["retry-after"]),
  })
})

/** Converts a streamed reply to an unstreamed one. */
export const toUnstreamed = (parts: ReadonlyArray<StreamPartEncoded>): Array<PartEncoded> => {
  const text = parts.map((part) => (part.type === "text-delta" ? part.delta : "")).join("")
  const rest = parts.filter((part) => part.type === "tool-call" || part.type === "finish")
  return [...(text === "" ? [] : [{ type: "text", text } as const]), ...rest]
}
