import * as AiError from "effect/ai/AiError"
import * as LanguageModel from "effect/ai/LanguageModel"
import type * as Prompt from "effect/ai/Prompt"
import type { StreamPartEncoded } from "effect/ai/Response"
import * as Tool from "effect/ai/Tool"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { layerAgent } from "../../core/answers/agent/layerAgent.ts"
import type { Prices } from "../../core/ports/Analyst.ts"
import { layerAnalyst } from "../../core/answers/analyst/layerAnalyst.ts"
import { parseRetryAfter } from "../endpoint.ts"
import { toUnstreamed } from "./openai.ts"
import { modelError, type Patience, retryUnsent, failOnSilence, unreachable, Unsent } from "./patience.ts"

/**
 * A language model of the AI SDK, specification v2, v3 or v4: `anthropic("…")`, `google("…")`, `bedrock("…")`. Declares
 * only what is used, so that no version of the SDK is a dependency.
 */
export interface AiSdkModel {
  readonly specificationVersion: string
  readonly provider: string
  readonly modelId: string
  doStream(options: any): PromiseLike<{ readonly stream: ReadableStream<any> }>
}

/** Adapts any model of the AI SDK to Effect's language model. */
const layerAiSdk = (model: AiSdkModel, patience: Patience = {}) =>
  Layer.effect(
    LanguageModel.LanguageModel,
    Effect.suspend(() => {
      const streamText = (asked: LanguageModel.ProviderOptions) => stream(model, patience, asked)
      return LanguageModel.make({
        streamText,
        generateText: (asked) => Effect.map(Stream.runCollect(streamText(asked)), toUnstreamed),
      })
    }),
  )

/** An answerer that uses the model: `open({ database, answerer: answererOf(model) })`. */
export const answererOf = (model: AiSdkModel, patience: Patience = {}) =>
  layerAgent.pipe(Layer.provide(layerAiSdk(model, patience)))

/** An analyst that uses the model: `open({ database, analyst: analystOf(model) })`. */
export const analystOf = (model: AiSdkModel, options: Patience & { readonly prices?: Prices } = {}) =>
  layerAnalyst(model.modelId, options.prices).pipe(Layer.provide(layerAiSdk(model, options)))

const stream = (model: AiSdkModel, patience: Patience, asked: LanguageModel.ProviderOptions) =>
  Stream.unwrap(
    Effect.gen(function* () {
      // Aborts the whole reply: the SDK ends its request on this signal, not when its stream is cancelled.
      const { signal } = yield* Effect.acquireRelease(
        Effect.sync(() => new AbortController()),
        (controller) => Effect.sync(() => controller.abort()),
      )
      const begin = Effect.tryPromise({
        try: (attempt) => model.doStream({ ...callOf(asked), abortSignal: AbortSignal.any([signal, attempt]) }),
        catch: (cause) => cause as ApiCallError,
      }).pipe(Effect.catch(unsent))
      const reply = yield* retryUnsent(begin, patience)
      return Stream.fromReadableStream({ evaluate: () => reply.stream, onError: unreachable }).pipe(
        failOnSilence(patience),
        Stream.mapEffect(convertPart),
        Stream.flattenIterable,
        requireEnd,
      )
    }),
  )

/** The SDK's own errors among those that providers throw. */
interface ApiCallError {
  readonly isRetryable?: boolean
  readonly statusCode?: number
  readonly responseHeaders?: Readonly<Record<string, string>>
}

/** An error without a status that is not the SDK's call error, such as a missing key, is not retryable. */
const unsent = Effect.fnUntraced(function* (error: ApiCallError) {
  const { statusCode: status, isRetryable = false, responseHeaders } = error
  return yield* new Unsent({
    error: status === undefined ? unreachable(error) : modelError(AiError.reasonFromHttpStatus({ status })),
    isTransient: isRetryable,
    after: yield* parseRetryAfter(responseHeaders?.["retry-after"]),
  })
})

const callOf = ({ prompt, tools, toolChoice }: LanguageModel.ProviderOptions) => ({
  prompt: prompt.content.map(encodeMessage),
  ...(tools.length > 0 && {
    tools: tools.map((tool) => ({
      type: "function",
      name: tool.name,
      description: Tool.getDescription(tool),
      inputSchema: Tool.getJsonSchema(tool),
    })),
    toolChoice: choiceOf(toolChoice),
  }),
})

const choiceOf = (choice: LanguageModel.ProviderOptions["toolChoice"]) => {
  if (typeof choice === "string") return { type: choice }
  return "tool" in choice ? { type: "tool", toolName: choice.tool } : { type: choice.mode ?? "auto" }
}

const encodeMessage = (message: Prompt.Message): object => {
  switch (message.role) {
    case "system":
      return { role: "system", content: message.content }
    case "user":
      return { role: "user", content: message.content.flatMap(textOf) }
    case "assistant":
      return {
        role: "assistant",
        content: message.content.flatMap((part): ReadonlyArray<object> =>
          part.type === "tool-call"
            ? [
                {
                  type: "tool-call",
                  toolCallId: part.id,
                  toolName: part.name,
                  input: part.params,
                  providerOptions: part.options,
                },
              ]
            : textOf(part),
        ),
      }
    case "tool":
      return {
        role: "tool",
        content: message.content.flatMap((part) =>
          part.type === "tool-result"
            ? [
                {
                  type: "tool-result",
                  toolCallId: part.id,
                  toolName: part.name,
                  output: { type: part.isFailure ? "error-json" : "json", value: part.result },
                },
              ]
            : [],
        ),
      }
  }
}

const textOf = (part: Prompt.Part): ReadonlyArray<object> =>
  part.type === "text" && part.text !== "" ? [{ type: "text", text: part.text }] : []

/** Signed thoughts, which a provider may expect back; undefined members are not JSON. */
const asJson = (metadata: unknown) => JSON.parse(JSON.stringify(metadata ?? {}))

const FINISHED = new Set(["stop", "length", "content-filter", "tool-calls", "other"])

/** Converts a part of any SDK version to Effect's. Omits everything but text and tool calls. */
const convertPart = (part: any): Effect.Effect<ReadonlyArray<StreamPartEncoded>, AiError.AiError> => {
  switch (part.type) {
    case "text-start":
    case "text-end":
      return Effect.succeed([{ type: part.type, id: part.id }])
    case "text-delta":
      return Effect.succeed([{ type: "text-delta", id: part.id, delta: part.delta }])
    case "tool-call":
      return part.providerExecuted
        ? Effect.succeed([])
        : Effect.map(
            Effect.orElseSucceed(
              Effect.try(() => JSON.parse(part.input || "{}") as unknown),
              () => part.input,
            ),
            (params) => [
              {
                type: "tool-call",
                id: part.toolCallId,
                name: part.toolName,
                params,
                metadata: asJson(part.providerMetadata),
              },
            ],
          )
    case "error":
      return Effect.fail(unreachable(part.error))
    case "finish": {
      const { finishReason, usage } = part
      const reason = finishReason?.unified ?? finishReason
      return Effect.succeed([
        {
          type: "finish",
          reason: FINISHED.has(reason) ? reason : "other",
          usage: {
            inputTokens: { total: tokens(usage?.inputTokens) },
            outputTokens: { total: tokens(usage?.outputTokens) },
          },
        },
      ])
    }
    default:
      return Effect.succeed([])
  }
}

/** A number in v2, an object since v3. */
const tokens = (count: number | { readonly total?: number } | undefined) =>
  typeof count === "object" ? count.total : count

/** A reply without a finish part is incomplete. */
const requireEnd = (parts: Stream.Stream<StreamPartEncoded, AiError.AiError>) =>
  Stream.suspend(() => {
    let finished = false
    const told = Stream.tap(parts, (part) => Effect.sync(() => (finished ||= part.type === "finish")))
    const check = Effect.suspend(() =>
      finished
        ? Effect.void
        : Effect.fail(modelError(new AiError.InvalidOutputError({ description: "the model's reply was interrupted" }))),
    )
    return Stream.concat(told, Stream.fromEffectDrain(check))
  })
