import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import { answererOf } from "../../src/adapters/models/openai.ts"
import { type AnswerEvent, Answerer, type Message } from "../../src/core/answers/Answerer.ts"
import { unrestricted } from "../../src/core/answers/Asker.ts"
import type { AnswererNeeds } from "../../src/core/answers/layerAgent.ts"
import { type Act, type ChatRequest, modelServer, refOf, type Script } from "./modelServer.ts"

const QUESTION: ReadonlyArray<Message> = [{ role: "user", content: "What does Zenith Cloud charge?" }]

/** Makes an answerer of the server's address. By default, ours. */
export type Ask = {
  readonly messages?: ReadonlyArray<Message>
  /** Receives each event of `readAnswer` at once. */
  readonly hear?: (event: AnswerEvent) => void
  readonly by?: (url: string) => Layer.Layer<Answerer, never, AnswererNeeds>
} & Partial<Parameters<typeof answererOf>[0]>

/** Asks an agent whose model is a server that follows the script. */
export const asked = Effect.fnUntraced(function* (
  org: string,
  script: Script,
  { messages = QUESTION, hear: _, by, ...options }: Ask = {},
) {
  const server = yield* modelServer(script)
  const own = { url: server.url, model: "tiny", key: Redacted.make("sk-test"), pause: 0.01, ...options }
  const context = yield* Layer.build(by?.(server.url) ?? answererOf(own))
  const answer = Effect.map(Answerer, (answerer) => answerer.answer(unrestricted(org), messages))
  return { server, stream: Stream.unwrap(Effect.provideContext(answer, context)) }
})

/** Asks, and reads the whole answer. */
export const readAnswer = Effect.fnUntraced(function* (...given: Parameters<typeof asked>) {
  const { server, stream } = yield* asked(...given)
  const events: Array<AnswerEvent> = []
  const keep = (event: AnswerEvent) => {
    events.push(event)
    given[2]?.hear?.(event)
  }
  const ended = yield* Effect.result(Stream.runForEach(stream, (event) => Effect.sync(() => keep(event))))
  return {
    server,
    events,
    text: events.map((event) => (event.type === "content_delta" ? event.content : "")).join(""),
    failure: ended._tag === "Failure" ? ended.failure : undefined,
    citations: events.flatMap((event) => (event.type === "citation" ? [event.citation] : [])),
    calls: events.flatMap((event) => (event.type === "tool_call" ? [event.name] : [])),
  }
})

export const FACT = "Zenith Cloud charges $48 per seat and month"

/** A model that says the fact and cites it. */
export const cited = (request: ChatRequest): ReadonlyArray<Act> => [{ text: `${FACT} [[${refOf(request, "$48")}]].` }]
