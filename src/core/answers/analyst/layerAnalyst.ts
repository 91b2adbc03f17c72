import type * as AiError from "effect/ai/AiError"
import * as LanguageModel from "effect/ai/LanguageModel"
import * as Prompt from "effect/ai/Prompt"
import * as Tool from "effect/ai/Tool"
import * as Toolkit from "effect/ai/Toolkit"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import {
  Analyst,
  type Form,
  type Ground,
  type Inquiry,
  ModelUnfit,
  ModelUnreachable,
  type Prices,
} from "../../ports/Analyst.ts"
import { modelTokens, modelTurns } from "../../telemetry/metrics.ts"
import { makeProfile } from "../citations/profile.ts"
import { findValues, matches } from "../citations/values.ts"
import { Evidence, weighByRarity } from "../citations/verifier.ts"

/** Sentences of the grounds that one sentence can combine. */
const MAX_UNITS = 12

/** Whether the grounds together carry the sentence, by the check of citations in answers. */
const isCarried = (sentence: string, grounds: ReadonlyArray<Ground>): boolean => {
  const texts = grounds.map(({ text }) => new Evidence(text))
  const labels = [...new Set(grounds.flatMap((each) => each.labels))].join("\n")
  const evidence = new Evidence(grounds.map(({ text }) => text).join("\n"), {
    labels,
    maxUnits: MAX_UNITS,
    minShare: 0,
  })
  return evidence.find(makeProfile(sentence), weighByRarity(texts)) !== undefined
}

/** Whether each name and value of the sentence is in the grounds. Advice may use other words. */
const inventsNothing = (sentence: string, grounds: ReadonlyArray<Ground>): boolean => {
  const known = grounds.flatMap(({ text, labels }) => [text, ...labels]).join("\n")
  const values = findValues(known)
  const { capitals, stems } = makeProfile(known)
  const claim = makeProfile(sentence)
  return (
    claim.values.every((value) => values.some((other) => matches(value, other))) &&
    [...claim.names].every((name) => capitals.has(name) || stems.has(name))
  )
}

/** Reads texts of deals with the language model; `name` stands beside what it finds. */
export const layerAnalyst = (name: string, prices?: Prices) =>
  Layer.effect(
    Analyst,
    Effect.map(LanguageModel.LanguageModel, (model) => ({
      name,
      prices,
      isCarried,
      inventsNothing,
      fillIn: Effect.fn("Analyst.fillIn")(
        (inquiry: Inquiry) => fill(model, inquiry),
        Effect.catchTag("AiError", toFailure),
        Effect.onExit((exit) =>
          Metric.update(modelTurns({ outcome: Exit.isSuccess(exit) ? "completed" : "failed" }), 1),
        ),
      ),
    })),
  )

const fill = Effect.fnUntraced(function* (model: LanguageModel.LanguageModel, { rules, data, form }: Inquiry) {
  const reply = yield* model.generateText({
    prompt: Prompt.make([
      { role: "system", content: rules },
      { role: "user", content: data },
    ]),
    toolkit: { tools: { [form.name]: makeTool(form) } as Tools, handle: noHandler },
    toolChoice: { tool: form.name },
    disableToolCallResolution: true,
    toolCallValidation: "deferred",
  })
  const call = reply.toolCalls.find((each) => each.name === form.name)
  const inputTokens = reply.usage.inputTokens.total ?? estimateTokens(rules + data)
  const outputTokens = reply.usage.outputTokens.total ?? estimateTokens(reply.text + JSON.stringify(call?.params ?? ""))
  yield* Metric.update(modelTokens({ direction: "input" }), inputTokens)
  yield* Metric.update(modelTokens({ direction: "output" }), outputTokens)
  return { filled: call === undefined ? jsonIn(reply.text) : call.params, inputTokens, outputTokens }
})

/** Its caller decodes the arguments, so that one wrong entry does not spoil the others. */
const makeTool = ({ name, description, schema }: Form) =>
  Tool.make(name, { description, parameters: schema as Schema.Top as typeof Schema.Unknown })

type Tools = Readonly<Record<string, ReturnType<typeof makeTool>>>

/** The call is the answer; nothing runs it. */
const noHandler: Toolkit.WithHandler<Tools>["handle"] = () => Effect.die("a form is read, not called")

/** For a model that reports no usage. */
const CHARACTERS_PER_TOKEN = 4
const estimateTokens = (text: string) => Math.ceil(text.length / CHARACTERS_PER_TOKEN)

const parse = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Unknown))

/** Some models write the form as text, between fences. */
const jsonIn = (text: string): unknown => {
  const from = text.indexOf("{")
  return from < 0 ? undefined : Option.getOrUndefined(parse(text.slice(from, text.lastIndexOf("}") + 1)))
}

/** Waiting helps against these; the others need a person. */
const PASSING = new Set(["NetworkError", "RateLimitError", "InternalProviderError"])

/** Replies that were cut off or are no completion: another one may be whole. */
const GARBLED = new Set(["InvalidOutputError", "InvalidResponseError"])

/** The cause is for the operator only. */
const toFailure = (error: AiError.AiError) => {
  const { _tag: tag } = error.reason
  const failure = PASSING.has(tag)
    ? new ModelUnreachable({ reason: "the language model does not respond; the analysis goes on once it does" })
    : new ModelUnfit({
        reason: GARBLED.has(tag)
          ? "the language model's reply cannot be read; try again, or configure another model"
          : "the language model refuses the request; check its address, name and key, the options of `analystOf` (SIGHTLINE_MODEL_…), then run the analysis again",
      })
  return Effect.andThen(Effect.logWarning(`the model failed: ${error.message}`), Effect.fail(failure))
}
