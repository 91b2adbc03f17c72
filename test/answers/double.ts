import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { type AnswerEvent, Answerer, AnswerFailed } from "../../src/core/answers/Answerer.ts"
import type { Citation } from "../../src/core/answers/citation.ts"

/** The steps of the double, in order. */
export type Step =
  | AnswerEvent
  | { readonly wait: number }
  /** Waits until the test calls `release` with this name. */
  | { readonly hold: string }
  | { readonly repeat: number; readonly every: number; readonly content: string }
  | { readonly fail: "unavailable" | "internal" }
  | { readonly die: true }

export const text = (content: string) => ({ type: "content_delta", content }) as const

export const citation = (n: number): Citation => ({
  document_id: `doc_${n}`,
  document_name: `Document ${n}.md`,
  deal_id: null,
  deal_name: null,
  url: `https://sightline.example/viewer/documents/doc_${n}?org=org_1&expires=1&signature=${"ab".repeat(32)}#page=${n}`,
  excerpt: `What document ${n} says.`,
})
export const cite = (n: number) => ({ type: "citation", citation: citation(n) }) as const
export const link = (n: number) => `[Document ${n}](${citation(n).url})`

/** A question that tells the double what to do. */
export const question = (steps: ReadonlyArray<Step>, more: object = {}) => ({
  messages: [{ role: "user", content: JSON.stringify(steps) }],
  ...more,
})

const holds = new Map<string, PromiseWithResolvers<void>>()
const holdOf = (name: string) => {
  const hold = holds.get(name) ?? Promise.withResolvers<void>()
  holds.set(name, hold)
  return hold
}

/** Lets the answers of this process that hold at `name` go on. */
export const release = (name: string) => holdOf(name).resolve()

/** An answerer that does what the question says; `onEnd` hears how each answer ended, `onStart` that one begins. */
export const layerDouble = (
  onEnd: (how: "done" | "interrupted" | "failed") => void = () => {},
  onStart: () => void = () => {},
) =>
  Layer.succeed(Answerer, {
    kind: "extractive",
    answer: (_org, messages) =>
      Stream.fromIterable(JSON.parse(messages.at(-1)?.content ?? "[]") as ReadonlyArray<Step>).pipe(
        Stream.onStart(Effect.sync(onStart)),
        Stream.flatMap(perform),
        Stream.onExit((exit) =>
          Effect.sync(() =>
            onEnd(
              exit._tag === "Success"
                ? "done"
                : exit.cause.reasons.some(({ _tag }) => _tag === "Interrupt")
                  ? "interrupted"
                  : "failed",
            ),
          ),
        ),
      ),
  })

const perform = (step: Step): Stream.Stream<AnswerEvent, AnswerFailed> => {
  if ("type" in step) return Stream.succeed(step)
  if ("wait" in step) return Stream.fromEffectDrain(Effect.sleep(`${step.wait} millis`)) // virtual time
  if ("hold" in step) return Stream.fromEffectDrain(Effect.promise(() => holdOf(step.hold).promise))
  if ("fail" in step) return Stream.fail(new AnswerFailed({ reason: step.fail, message: "the model is unreachable" }))
  if ("die" in step) return Stream.die(new Error("secret of the inside"))
  return Stream.range(1, step.repeat).pipe(
    Stream.mapEffect((n) => {
      const pause = step.every === 0 ? Effect.void : Effect.sleep(`${step.every} millis`) // virtual time
      return Effect.as(pause, text(`${n} ${step.content}`))
    }),
  )
}

export interface SseEvent {
  readonly id: number
  readonly data: any
}

/** The events of a stream's text; every block must be an event of ours or a ping. */
export const eventsOf = (body: string): ReadonlyArray<SseEvent> =>
  body
    .split("\n\n")
    .filter((block) => block !== "" && block !== ": ping")
    .map((block) => {
      const match = /^id: (\d+)\ndata: (.*)$/.exec(block)
      if (match === null) throw new Error(`no event of ours: ${JSON.stringify(block)}`)
      return { id: Number(match[1]), data: JSON.parse(match[2]!) }
    })
