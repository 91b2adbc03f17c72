import type { StreamPartEncoded } from "effect/ai/Response"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { makeCallId } from "../../core/answers/agent/callId.ts"

const optional = <S extends Schema.Top>(schema: S) => Schema.optional(Schema.NullOr(schema))

const Call = Schema.Struct({
  index: optional(Schema.Int),
  id: optional(Schema.String),
  function: optional(Schema.Struct({ name: optional(Schema.String), arguments: optional(Schema.String) })),
  extra_content: optional(Schema.Json),
})

const Said = Schema.Struct({ content: optional(Schema.String), tool_calls: optional(Schema.Array(Call)) })

const Chunk = Schema.fromJsonString(
  Schema.Struct({
    error: optional(Schema.Unknown),
    choices: optional(
      Schema.Array(
        // A server without streaming sends one message in place of deltas.
        Schema.Struct({ delta: optional(Said), message: optional(Said), finish_reason: optional(Schema.String) }),
      ),
    ),
    usage: optional(Schema.Struct({ prompt_tokens: optional(Schema.Int), completion_tokens: optional(Schema.Int) })),
  }),
)
const decode = Schema.decodeUnknownOption(Chunk)

const REASONS: Readonly<Record<string, "stop" | "length" | "content-filter" | "tool-calls">> = {
  stop: "stop",
  length: "length",
  content_filter: "content-filter",
  tool_calls: "tool-calls",
  function_call: "tool-calls",
}

/** The longest arguments of one tool call, in UTF-16 units, and the most calls of one reply. */
const MAX_ARGUMENTS_LENGTH = 100_000
const MAX_CALLS = 64

interface Collected {
  id: string
  name: string
  arguments: string
  extra: Schema.Json | undefined
}

/**
 * Assembles a streamed chat completion. `add` takes the data of one event and returns the complete parts, or an error;
 * `end` returns the rest. Tool calls are returned only when the reply is complete.
 */
export class ReplyReader {
  readonly #calls: Array<Collected> = []
  /** The last call of each index that the server sends. */
  readonly #open = new Map<number, Collected>()
  #reason: string | undefined
  #done = false
  #usage: { readonly input: number | undefined; readonly output: number | undefined } | undefined
  #begun = false

  add(data: string): ReadonlyArray<StreamPartEncoded> | { readonly wrong: string } {
    if (data === "[DONE]") {
      this.#done = true
      return []
    }
    const chunk = Option.getOrUndefined(decode(data))
    if (chunk === undefined) return { wrong: "the model's reply is not a chat completion" }
    if (chunk.error !== undefined && chunk.error !== null)
      return { wrong: "the model failed in the middle of its reply" }
    const { usage, choices } = chunk
    if (usage) this.#usage = { input: usage.prompt_tokens ?? undefined, output: usage.completion_tokens ?? undefined }
    const choice = choices?.[0]
    if (!choice) return []
    if (choice.finish_reason) this.#reason = choice.finish_reason
    const said = choice.delta ?? choice.message
    for (const [position, call] of (said?.tool_calls ?? []).entries()) {
      if (!this.#collect(call.index ?? position, call)) return { wrong: "the model's tool calls did not end" }
    }
    const delta = said?.content
    if (!delta) return []
    const begin = this.#begun ? [] : [{ type: "text-start", id: TEXT } as const]
    this.#begun = true
    return [...begin, { type: "text-delta", id: TEXT, delta }]
  }

  /** Adds a fragment to its call. False if the calls exceed a limit. */
  #collect(key: number, call: typeof Call.Type): boolean {
    const known = this.#callAt(key, call)
    known.id ||= call.id ?? ""
    known.name ||= call.function?.name ?? ""
    known.extra ??= call.extra_content ?? undefined
    known.arguments += call.function?.arguments ?? ""
    return known.arguments.length <= MAX_ARGUMENTS_LENGTH && this.#calls.length <= MAX_CALLS
  }

  /** Some servers send index 0 for every call; others give each fragment of a call its own id. */
  #callAt(key: number, { id, function: named }: typeof Call.Type): Collected {
    const known = this.#open.get(key)
    const isNext = id && named?.name && known?.id && known.id !== id
    if (known !== undefined && !isNext) return known
    const call = { id: "", name: "", arguments: "", extra: undefined }
    this.#calls.push(call)
    this.#open.set(key, call)
    return call
  }

  end(): ReadonlyArray<StreamPartEncoded> | { readonly wrong: string } {
    if (this.#reason === undefined && !this.#done) return { wrong: "the model's reply was interrupted" }
    const calls = this.#calls.map(({ id, name, arguments: text, extra }): StreamPartEncoded => ({
      type: "tool-call",
      id: id || makeCallId(),
      name,
      params: paramsOf(text),
      metadata: extra === undefined ? {} : { [EXTRA]: extra },
    }))
    return [
      ...(this.#begun ? [{ type: "text-end", id: TEXT } as const] : []),
      ...calls,
      {
        type: "finish",
        reason: calls.length > 0 ? "tool-calls" : (REASONS[this.#reason ?? "stop"] ?? "other"),
        usage: { inputTokens: { total: this.#usage?.input }, outputTokens: { total: this.#usage?.output } },
      },
    ]
  }
}

/** The key under which a tool call keeps Gemini's signature, which Gemini expects back. */
export const EXTRA = "extra_content"

const TEXT = "text"

/** Passes invalid JSON on as text, for the tool to reject. */
const paramsOf = (text: string): unknown => (text.trim() === "" ? {} : Option.getOrElse(json(text), () => text))

const json = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Unknown))
