import * as LanguageModel from "effect/ai/LanguageModel"
import * as Prompt from "effect/ai/Prompt"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Metric from "effect/Metric"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Record from "effect/Record"
import * as Stream from "effect/Stream"
import { SearchIndex } from "../../search/SearchIndex.ts"
import { modelTokens, modelTurns } from "../../telemetry/metrics.ts"
import { span } from "../../telemetry/tracing.ts"
import { type AnswerEvent, AnswerFailed, type Message } from "../Answerer.ts"
import { type Asker, describeOmission, mayUse, readsDeals, scopeOf } from "../Asker.ts"
import { DealQuestions } from "../DealQuestions.ts"
import { findCourtesy } from "../questions/reply/holdings.ts"
import type { ReportRows } from "../figures/figure.ts"
import { References } from "../citations/References.ts"
import { callTool, isToolName } from "../tools/callTool.ts"
import { describePassage, TOOLS, type Tools } from "../tools/contract.ts"
import type { Stage } from "../stages.ts"
import { makeCallId } from "./callId.ts"
import { CitedTextWriter } from "./CitedTextWriter.ts"
import { asToolCall, withCounts } from "./counted.ts"
import { paced } from "./paced.ts"
import { conversation, firstQuery, instructions } from "./prompt.ts"
import { SourcedNumbers } from "./SourcedNumbers.ts"

interface Question {
  readonly asker: Asker
  readonly messages: ReadonlyArray<Message>
  readonly stages: ReadonlyArray<Stage>
  readonly today: string
  readonly timezone: string
  /** The deadline, in Unix milliseconds. */
  readonly deadlineMs: number
}

/** Tool calls in one answer, without those before the model is asked. */
const MAX_CALLS = 8

/** Input and output tokens of one answer. If the model reports no usage, four characters count as one token. */
const MAX_TOKENS = 120_000

/** The length of one reply of the model, in UTF-16 units. */
const MAX_REPLY_LENGTH = 100_000

/** With less time left, the model must answer without tools. */
const MIN_TOOL_TIME_MS = 20_000

/** Passages that the first search returns. */
const FIRST_PASSAGES = 8

interface Call {
  readonly id: string
  readonly name: string
  readonly params: unknown
  /** Metadata that the provider requires back with the call. */
  readonly metadata?: Prompt.ProviderOptions
}

/**
 * Asks the model until it answers: first with tools, and without them once a limit is reached. A question about numbers is
 * answered without the model first, and that answer is what the model starts from.
 */
export const converse = Effect.fnUntraced(function* (
  { asker, messages, stages, today, timezone, deadlineMs }: Question,
  emit: (event: AnswerEvent) => Effect.Effect<unknown>,
) {
  const model = yield* LanguageModel.LanguageModel
  const toolkit = yield* TOOLS
  const index = yield* SearchIndex
  const references = new References()
  const numbers = new SourcedNumbers()
  const asked = conversation(messages)
  numbers.say(asked.map(({ role, content }) => (role === "user" ? String(content) : "")))
  numbers.bound(today)
  const writer = new CitedTextWriter({ org: asker.organizationId, references, numbers, emit })
  const courtesy = findCourtesy(lastOf(messages))
  // A greeting that begins a conversation needs no tools, whose schemas are most of a request.
  const isGreeting = courtesy !== undefined && courtesy !== "help" && messages.every(({ role }) => role !== "assistant")
  const tools = Record.filter(toolkit.tools, ({ name }) => !isGreeting && mayUse(asker, name)) as Tools
  const caller = {
    asker,
    point: (passage: Parameters<References["ref"]>[0]) => Effect.succeed({ ref: references.ref(passage) }),
    pointToRow: (rows: ReportRows, row: number | undefined) => Effect.succeed({ ref: references.refRow(rows, row) }),
  }
  const pastCalls = new Set<string>()
  const usage = { input_tokens: 0, output_tokens: 0 }
  let callsLeft = MAX_CALLS
  let repeats = 0

  /** A sentence about a result repeats the dates and bounds of its arguments, and the dates of its rows. */
  const learnBounds = (params: unknown) => {
    const ofReports = references.reports.map(({ figure }) => figure.query.filters)
    numbers.bound([params, ofReports, references.dates])
  }

  const search = Effect.gen(function* () {
    const args = { query: firstQuery(messages) }
    const call = { id: makeCallId(), name: "search_knowledge_base" } as const
    yield* emit({ type: "tool_call", ...call, arguments: args })
    const { passages } = yield* index.search(asker.organizationId, {
      text: args.query,
      limit: FIRST_PASSAGES,
      scope: scopeOf(asker),
    })
    yield* emit({ type: "tool_result", ...call, found: passages.length })
    pastCalls.add(JSON.stringify([call.name, args]))
    const result = {
      found: passages.length,
      passages: passages.map((passage) => ({ ref: references.ref(passage), ...describePassage(passage) })),
    }
    return exchange([{ ...call, params: args }], [{ call: { ...call, params: args }, result, isFailure: false }])
  })

  const answerTo = Effect.fnUntraced(function* (call: Call) {
    const { id, name, params } = call
    const refuse = (error: string) => ({ call, result: { error }, isFailure: true })
    if (!isToolName(name) || !mayUse(asker, name)) return refuse("no such tool")
    const key = JSON.stringify([name, params])
    if (pastCalls.has(key)) {
      repeats++
      return refuse("this is a repeated call; answer from its earlier result, or call with other arguments")
    }
    if (callsLeft === 0) return refuse("the limit of tool calls is reached; answer now")
    pastCalls.add(key)
    callsLeft--
    yield* emit({ type: "tool_call", id, name, arguments: params })
    const outcome = yield* callTool(caller, name, params).pipe(
      span("answer.tool", () => ({ attributes: { tool: name } })),
      Effect.map((result) => ({
        call,
        result: name === "describe_workspace" ? withCounts(result, references) : result,
        isFailure: false,
        found: result.found,
      })),
      Effect.catchTag("ToolRefused", ({ message }) => Effect.succeed({ ...refuse(message), found: 0 })),
    )
    yield* emit({ type: "tool_result", id, name, found: outcome.found })
    if (!outcome.isFailure) learnBounds(params)
    return outcome
  })

  const askModel = Effect.fnUntraced(
    function* (prompt: ReadonlyArray<Prompt.MessageEncoded>, last: boolean) {
      const calls: Array<Call> = []
      let written = ""
      let turn: { readonly input: number; readonly output: number } | undefined
      writer.begin(!last)
      yield* model
        .streamText({
          prompt: Prompt.make(prompt),
          toolkit: { ...toolkit, tools },
          toolChoice: last ? "none" : "auto",
          disableToolCallResolution: true,
          toolCallValidation: "deferred",
        })
        .pipe(
          paced,
          Stream.runForEach((part) => {
            if (part.type === "tick") return writer.tick()
            if (part.type === "text-delta") {
              written += part.delta
              return written.length > MAX_REPLY_LENGTH ? Effect.fail(replyTooLong) : writer.write(part.delta)
            }
            if (part.type === "tool-call" && !last) calls.push(part)
            if (part.type === "error") return failModel(part.error)
            if (part.type === "finish") {
              const { inputTokens, outputTokens } = part.usage
              if (inputTokens.total !== undefined) turn = { input: inputTokens.total, output: outputTokens.total ?? 0 }
            }
            return Effect.void
          }),
        )
      const { input, output } = turn ?? {
        input: Math.ceil(JSON.stringify(prompt).length / 4),
        output: Math.ceil(written.length / 4),
      }
      usage.input_tokens += input
      usage.output_tokens += output
      yield* Metric.update(modelTokens({ direction: "input" }), input)
      yield* Metric.update(modelTokens({ direction: "output" }), output)
      yield* span("answer.verify")(writer.end(calls.length > 0))
      return { written, calls }
    },
    (asking) =>
      asking.pipe(
        span("answer.model"),
        Effect.onExit((exit) =>
          Metric.update(modelTurns({ outcome: Exit.isSuccess(exit) ? "completed" : "failed" }), 1),
        ),
      ),
  )

  const deals = yield* DealQuestions
  const answered = readsDeals(asker) ? yield* deals.answer(asker.organizationId, messages) : Option.none()
  const counted = Option.getOrUndefined(
    Option.filter(answered, ({ certainty }) => certainty === "certain" || certainty === "understood"),
  )

  /** Gives the model the answer of `DealQuestions` as the result of a tool that it did not need to call. */
  const giveCounted = Effect.fnUntraced(function* (events: ReadonlyArray<AnswerEvent>) {
    const { name, params, result } = asToolCall(events, references)
    for (const event of events) if (event.type === "tool_call" || event.type === "tool_result") yield* emit(event)
    learnBounds(params)
    const call = { id: makeCallId(), name, params }
    return exchange([call], [{ call, result, isFailure: false }])
  })

  // An explanation of what was not understood is no answer: the model may understand the question, and find it in texts.
  const isCertain = counted?.certainty === "certain" && isComputed(counted.events)
  const searchesFirst = !isCertain && courtesy === undefined && mayUse(asker, "search_knowledge_base")
  const prompt: Array<Prompt.MessageEncoded> = [
    { role: "system", content: instructions({ today, timezone }, stages, describeOmission(asker)) },
    ...asked,
    ...(counted === undefined || isGreeting ? [] : yield* giveCounted(counted.events)),
    ...(searchesFirst ? yield* search : []),
  ]
  for (let last = false; ;) {
    const { written, calls } = yield* askModel(last ? [...prompt, ANSWER_NOW] : prompt, last)
    if (calls.length === 0) break
    const outcomes = yield* Effect.forEach(calls, answerTo)
    prompt.push(...exchange(calls, outcomes, written))
    const spent = usage.input_tokens + usage.output_tokens + JSON.stringify(prompt).length / 4
    const isLate = deadlineMs - (yield* Clock.currentTimeMillis) < MIN_TOOL_TIME_MS
    last = callsLeft === 0 || repeats > 1 || spent > MAX_TOKENS || isLate
  }
  if (!writer.isAnswer(counted !== undefined)) {
    yield* writer.beginParagraph()
    if (counted === undefined) yield* writer.say(NOTHING)
    else yield* Effect.forEach(counted.events.filter(isText), emit)
  }
  yield* emit({ type: "usage", ...usage })
})

interface CallOutcome {
  readonly call: Call
  readonly result: unknown
  readonly isFailure: boolean
}

const lastOf = (messages: Question["messages"]) => messages.at(-1)?.content ?? ""

const isComputed = (events: ReadonlyArray<AnswerEvent>) =>
  events.some(({ type }) => type === "tool_call" || type === "citation")

const isText = ({ type }: AnswerEvent) => type === "citation" || type === "content_delta"

/** The calls of the model and their results, as messages. */
const exchange = (
  calls: ReadonlyArray<Call>,
  outcomes: ReadonlyArray<CallOutcome>,
  written = "",
): ReadonlyArray<Prompt.MessageEncoded> => [
  {
    role: "assistant",
    content: [
      ...(written === "" ? [] : [{ type: "text", text: written } as const]),
      ...calls.map(
        ({ id, name, params, metadata = {} }) =>
          // Some servers reject a call whose arguments are no object. We refused such a call.
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

const ANSWER_NOW: Prompt.MessageEncoded = {
  role: "user",
  content: "No more tools. Answer the question now, from the results so far.",
}

/** The cause is for the operator only. Providers for Effect fail their stream, or send any value in a part of it. */
export const failModel = (cause: unknown) =>
  Effect.andThen(
    Effect.logWarning(`the model failed: ${cause instanceof Error ? cause.message : JSON.stringify(cause)}`),
    Effect.fail(new AnswerFailed({ reason: "unavailable", message: "the language model is unreachable; try again" })),
  )

const replyTooLong = new AnswerFailed({
  reason: "unavailable",
  message: "the model's answer did not end; ask again, or ask a narrower question",
})

const NOTHING = "I found no answer within the limits of one question. Ask a narrower question."
