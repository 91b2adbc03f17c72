import process from "node:process"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import type { Citation } from "../../../core/answers/citation.ts"
import type { Response } from "../../../core/answers/events.ts"
import { describeWithheld } from "../../../core/answers/withheld.ts"
import { print } from "../terminal/output.ts"
import { connect, type ServerChoice } from "../connection/server.ts"

interface AskInput extends ServerChoice {
  readonly question: string
  readonly json: boolean
}

/** The question has no answer; the message says why. */
class Unanswered extends Schema.TaggedError<Unanswered>()("Unanswered", { message: Schema.String }) {}

/** Asks a question and streams the answer to stdout, with numbered sources below. */
export const ask = Effect.fnUntraced(function* (input: AskInput) {
  const { json } = input
  const { stream, address } = yield* connect(input)
  const messages = [{ role: "user", content: input.question }] as const
  const cited: Array<Citation> = []
  let last: Response | undefined
  let begun = false
  yield* Stream.runForEach(
    stream((client, signal) => client.answers.stream({ messages }, { signal })),
    Effect.fnUntraced(function* (event) {
      if (event.type === "citation") cited.push(event.citation)
      if (event.type === "done") last = { message: event.message, tool_calls: event.tool_calls }
      if (event.type !== "content_delta" || json) return
      begun = true
      yield* write(numberLinks(event.content, cited))
    }),
  ).pipe(Effect.onError(() => (begun ? write("\n") : Effect.void)))
  if (last === undefined) return yield* new Unanswered({ message: "the answer was interrupted" })
  const sources = cited.map(
    ({ document_name, excerpt, url }, n) =>
      `[${n + 1}] ${document_name}, “${beginningOf(excerpt)}”  ${url.startsWith("/") ? address : ""}${url}`,
  )
  const gap = last.message.content.endsWith("\n") ? [""] : ["", ""]
  const { withheld } = last.message
  const notes = withheld === undefined ? [] : [describeWithheld(withheld)]
  const below = [...notes, ...(sources.length === 0 ? [] : [...(notes.length > 0 ? [""] : []), "Sources", ...sources])]
  yield* print(json, last, below.length === 0 ? [] : [...gap, ...below])
})

/** The place in a source: the cited words, or the row of a report. */
const beginningOf = (excerpt: string) => {
  const text = excerpt.replaceAll(/\s+/g, " ").trim()
  return text.length > MAX_PLACE_LENGTH ? `${text.slice(0, MAX_PLACE_LENGTH).toWellFormed()}…` : text
}
const MAX_PLACE_LENGTH = 40

const write = (text: string) => Effect.sync(() => void process.stdout.write(text))

/** Replaces long link addresses by numbers that refer to the list below. A link arrives whole from its address's first character on. */
const numberLinks = (text: string, cited: ReadonlyArray<Citation>) =>
  cited.reduce(
    // The number in the list replaces a link's text that is the number of a table's row.
    (all, { url }, n) =>
      all.replaceAll(`](${url})`, `][${n + 1}]`).replaceAll(new RegExp(String.raw`\[\d+\](\[${n + 1}\])`, "g"), "$1"),
    text,
  )
