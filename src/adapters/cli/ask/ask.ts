import process from "node:process"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import type { Citation } from "../../../core/answers/citation.ts"
import type { Response, ResponseEvent } from "../../../core/answers/events.ts"
import { Operator } from "../../../core/operator/Operator.ts"
import { print } from "../terminal/output.ts"
import { connect } from "../connection/client.ts"
import { chooseServer, type ServerChoice } from "../connection/server.ts"
import { asOperator } from "../connection/workspace.ts"

interface AskInput extends ServerChoice {
  readonly question: string
  readonly json: boolean
}

/** The question has no answer; the message says why. */
class Unanswered extends Schema.TaggedError<Unanswered>()("Unanswered", { message: Schema.String }) {}

/** Asks a question and streams the answer to stdout, with numbered sources below. */
export const ask = Effect.fnUntraced(function* (input: AskInput) {
  const from = yield* chooseServer(input)
  if ("organization" in from) return yield* askAsOperator(from.organization, input)
  const messages = [{ role: "user", content: input.question }] as const
  const events = connect(from).stream((client, signal) => client.answers.stream({ messages }, { signal }))
  yield* printAnswer(input, events, from.address)
})

const askAsOperator = (org: string, input: AskInput) =>
  asOperator(
    Effect.gen(function* () {
      const operator = yield* Operator
      yield* printAnswer(input, yield* operator.ask(org, input.question), operator.server)
    }).pipe(Effect.scoped),
  )

const broken = () => new Unanswered({ message: "the answer was interrupted" })

const printAnswer = Effect.fnUntraced(function* <E>(
  { json }: AskInput,
  events: Stream.Stream<ResponseEvent, E>,
  base = "",
) {
  const cited: Array<Citation> = []
  let last: Response | undefined
  yield* Stream.runForEach(
    events,
    Effect.fnUntraced(function* (event) {
      if (event.type === "error") return yield* new Unanswered({ message: event.error.message })
      if (event.type === "citation") cited.push(event.citation)
      if (event.type === "done") last = { message: event.message, tool_calls: event.tool_calls }
      if (event.type === "content_delta" && !json) yield* write(numberLinks(event.content, cited))
    }),
  ).pipe(Effect.onError(() => (json ? Effect.void : write("\n"))))
  if (last === undefined) return yield* broken()
  const sources = cited.map(({ document_name, url }, n) => [
    `[${n + 1}] ${document_name}`,
    `    ${url.startsWith("/") ? base : ""}${url}`,
  ])
  const gap = last.message.content.endsWith("\n") ? [""] : ["", ""]
  yield* print(json, last, sources.length === 0 ? [] : [...gap, "Sources", ...sources.flat()])
})

const write = (text: string) => Effect.sync(() => void process.stdout.write(text))

/** Replaces long link addresses by numbers that refer to the list below. A link arrives whole from its address's first character on. */
const numberLinks = (text: string, cited: ReadonlyArray<Citation>) =>
  cited.reduce(
    // The number in the list replaces a link's text that is the number of a table's row.
    (all, { url }, n) =>
      all.replaceAll(`](${url})`, `][${n + 1}]`).replaceAll(new RegExp(String.raw`\[\d+\](\[${n + 1}\])`, "g"), "$1"),
    text,
  )
