import type * as LanguageModel from "effect/ai/LanguageModel"
import * as Prompt from "effect/ai/Prompt"
import type * as Toolkit from "effect/ai/Toolkit"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Record from "effect/Record"
import * as Stream from "effect/Stream"
import type { ViewerLinks } from "../../library/viewer/ViewerLinks.ts"
import type { SearchIndex } from "../../search/SearchIndex.ts"
import { type AnswerEvent, AnswerFailed, type Message } from "../Answerer.ts"
import { type Asker, mayUse, omission, scopeOf } from "../Asker.ts"
import { References } from "../citations/References.ts"
import { callTool, isToolName } from "../tools/callTool.ts"
import { shown, type Tools } from "../tools/contract.ts"
import type { Stage } from "../stages.ts"
import { makeCallId } from "./callId.ts"
import { conversation, firstQuery, instructions } from "./prompt.ts"
import { Speaker } from "./Speaker.ts"

export interface Services {
  readonly model: LanguageModel.LanguageModel
  readonly toolkit: Toolkit.WithHandler<Tools>
  readonly index: SearchIndex["Service"]
  readonly links: ViewerLinks["Service"]
}

export interface Question {
  readonly asker: Asker
  readonly messages: ReadonlyArray<Message>
  readonly stages: ReadonlyArray<Stage>
  readonly today: string
  /** When the answer is given up, in Unix milliseconds. */
  readonly until: number
}

/** Calls of tools in one answer, beside the search that comes first. */
const MOST_CALLS = 8

/** Of all requests of one answer together, in and out. Where a model does not count, four characters are one. */
const MOST_TOKENS = 120_000

/** Of one reply, in UTF-16 units. */
const LONGEST_REPLY = 100_000

/** Less time left than this, in milliseconds, and the model must answer. */
const HURRY = 20_000

/** Passages of the first search. */
const FIRST = 8

interface Call {
  readonly id: string
  readonly name: string
  readonly params: unknown
  /** What its provider wants to see of it again. */
  readonly metadata?: Prompt.ProviderOptions
}

/** Asks the model until it answers: with tools while there is room for them, at last without. */
export const converse = Effect.fnUntraced(function* (
  { model, toolkit, index, links }: Services,
  { asker, messages, stages, today, until }: Question,
  emit: (event: AnswerEvent) => Effect.Effect<unknown>,
) {
  const references = new References()
  const speaker = new Speaker(asker.organizationId, links, references, emit)
  const offered = { ...toolkit, tools: Record.filter(toolkit.tools, ({ name }) => mayUse(asker, name)) as Tools }
  const caller = {
    asker,
    point: (passage: Parameters<References["ref"]>[0]) => Effect.succeed({ ref: references.ref(passage) }),
  }
  const asked = new Set<string>()
  const usage = { input_tokens: 0, output_tokens: 0 }
  let room = MOST_CALLS
  let repeats = 0

  const search = Effect.gen(function* () {
    const args = { query: firstQuery(messages) }
    const call = { id: makeCallId(), name: "search_knowledge_base" } as const
    yield* emit({ type: "tool_call", ...call, arguments: args })
    const { passages } = yield* index.search(asker.organizationId, {
      text: args.query,
      limit: FIRST,
      scope: scopeOf(asker),
    })
    yield* emit({ type: "tool_result", ...call, found: passages.length })
    asked.add(JSON.stringify([call.name, args]))
    const result = {
      found: passages.length,
      passages: passages.map((passage) => ({ ref: references.ref(passage), ...shown(passage) })),
    }
    return exchange([{ ...call, params: args }], [{ call: { ...call, params: args }, result, isFailure: false }])
  })

  const answerTo = Effect.fnUntraced(function* (call: Call) {
    const { id, name, params } = call
    const refuse = (error: string) => ({ call, result: { error }, isFailure: true })
    if (!isToolName(name) || !mayUse(asker, name)) return refuse("there is no such tool")
    const key = JSON.stringify([name, params])
    if (asked.has(key)) {
      repeats++
      return refuse("this was asked already; answer from what it said, or ask for something else")
    }
    if (room === 0) return refuse("there are no more calls; answer now")
    asked.add(key)
    room--
    yield* emit({ type: "tool_call", id, name, arguments: params })
    const outcome = yield* callTool(toolkit, caller, name, params).pipe(
      Effect.map((result) => ({ call, result: result as object, isFailure: false, found: result.found })),
      Effect.catchTag("ToolRefused", ({ message }) => Effect.succeed({ ...refuse(message), found: 0 })),
    )
    yield* emit({ type: "tool_result", id, name, found: outcome.found })
    return outcome
  })

  const ask = Effect.fnUntraced(function* (prompt: ReadonlyArray<Prompt.MessageEncoded>, last: boolean) {
    const calls: Array<Call> = []
    let written = ""
    let counted = false
    speaker.begin(!last)
    yield* model
      .streamText({
        prompt: Prompt.make(prompt),
        toolkit: offered,
        toolChoice: last ? "none" : "auto",
        disableToolCallResolution: true,
        toolCallValidation: "deferred",
      })
      .pipe(
        Stream.runForEach((part) => {
          if (part.type === "text-delta") {
            written += part.delta
            return written.length > LONGEST_REPLY ? Effect.fail(endless) : speaker.write(part.delta)
          }
          if (part.type === "tool-call" && !last) calls.push(part)
          if (part.type === "error") return Effect.die(part.error)
          if (part.type === "finish") {
            const { inputTokens, outputTokens } = part.usage
            counted = inputTokens.total !== undefined
            usage.input_tokens += inputTokens.total ?? 0
            usage.output_tokens += outputTokens.total ?? 0
          }
          return Effect.void
        }),
      )
    if (!counted) {
      usage.input_tokens += Math.ceil(JSON.stringify(prompt).length / 4)
      usage.output_tokens += Math.ceil(written.length / 4)
    }
    yield* speaker.end(calls.length > 0)
    return { written, calls }
  })

  const prompt: Array<Prompt.MessageEncoded> = [
    { role: "system", content: instructions(today, stages, omission(asker)) },
    ...conversation(messages),
    ...(mayUse(asker, "search_knowledge_base") ? yield* search : []),
  ]
  for (let last = false; ;) {
    const { written, calls } = yield* ask(last ? [...prompt, ENOUGH] : prompt, last)
    if (calls.length === 0) break
    const outcomes = yield* Effect.forEach(calls, answerTo)
    prompt.push(...exchange(calls, outcomes, written))
    const spent = usage.input_tokens + usage.output_tokens + JSON.stringify(prompt).length / 4
    const hurry = until - (yield* Clock.currentTimeMillis) < HURRY
    last = room === 0 || repeats > 1 || spent > MOST_TOKENS || hurry
  }
  if (!speaker.spoke) yield* speaker.write(NOTHING)
  yield* speaker.end(false)
  yield* emit({ type: "usage", ...usage })
})

interface Outcome {
  readonly call: Call
  readonly result: unknown
  readonly isFailure: boolean
}

/** Calls of the model and what they were answered, as messages. */
const exchange = (
  calls: ReadonlyArray<Call>,
  outcomes: ReadonlyArray<Outcome>,
  written = "",
): ReadonlyArray<Prompt.MessageEncoded> => [
  {
    role: "assistant",
    content: [
      ...(written === "" ? [] : [{ type: "text", text: written } as const]),
      ...calls.map(
        ({ id, name, params, metadata = {} }) =>
          // Arguments that are none were refused; there are servers that refuse them too.
          ({
            type: "tool-call",
            id,
            name,
            params: Predicate.isObject(params) ? params : {},
            options: metadata,
          }) as const,
      ),
    ],
  },
  {
    role: "tool",
    content: outcomes.map(
      ({ call: { id, name }, result, isFailure }) => ({ type: "tool-result", id, name, result, isFailure }) as const,
    ),
  },
]

const ENOUGH: Prompt.MessageEncoded = {
  role: "user",
  content: "No more tools. Answer the question now, from what was found.",
}

const endless = new AnswerFailed({
  reason: "unavailable",
  message: "the model's answer did not end; ask again, or ask a narrower question",
})

const NOTHING = "I found no answer within the limits of one question. Ask a narrower question."
