import * as Effect from "effect/Effect"
import { type AnswerEvent, type Message, text } from "../Answerer.ts"
import { asText } from "../citations/markdown.ts"
import { ASKS } from "../offers.ts"
import { READ_AS } from "../reader/wording.ts"

const ASK = "(?:what|who|whom|whose|which|how|why|when|(?:to|by|from|with|against|on|for) (?:whom|what|how))"
const TWO = new RegExp(
  String.raw`^\W*(?<first>(?:${ASK}|where|is|are|was|were|do|does|did|has|have|can)(?:['’]s)?(?!\p{L}).{6,}?)(?:(?<!\?)\?+\s+(?:(?:and|also),? )?|,? (?:and|&|plus) (?:also )?)(?=${ASK}(?:['’]s)?(?!\p{L}))(?<second>\S.{3,})$`,
  "isu",
)

/** The two questions of "who owns the deal, and why did we lose it?"; undefined for one question. */
export const splitQuestion = (question: string): readonly [first: string, second: string] | undefined => {
  const { first, second } = TWO.exec(question.trim())?.groups ?? {}
  return first === undefined || second === undefined
    ? undefined
    : [`${first.replace(/(?<![\s,?])[\s,?]+$/, "")}?`, second]
}

const contentOf = (events: ReadonlyArray<AnswerEvent>): string =>
  events.map((event) => (event.type === "content_delta" ? event.content : "")).join("")

/** Begins answers that quote something else, since nothing is recognized as what was asked. */
const INSTEAD = /^(?:In the calls, n|N)o sentence/

/** Whether events cite an answer and ask nothing back. */
const isAnswered = (events: ReadonlyArray<AnswerEvent>): boolean => {
  const content = contentOf(events)
  return events.some(({ type }) => type === "citation") && !content.includes(ASKS) && !INSTEAD.test(content)
}

type Answering<E, R> = (messages: ReadonlyArray<Message>) => Effect.Effect<ReadonlyArray<AnswerEvent>, E, R>

/** The grammar answers all of a question. The network reads one of two questions, and quotes may answer one of them. */
const isWhole = (events: ReadonlyArray<AnswerEvent>): boolean => {
  const content = contentOf(events)
  return isAnswered(events) && /^Filter: /m.test(content) && !content.includes(READ_AS)
}

/** "By how much?" names nothing: it asks for more of what the first question asks. */
const BARE =
  /^(?:(?:by|since|for|from|until|to) )?(?:how (?:much|many|long|often|far)|why|when|where|what|who|whom|which)\W*$/iu

/** Answers the last question; if it is two that were not answered as one, answers them in turn, and says which one has no answer. */
export const answerInParts = Effect.fnUntraced(function* <E, R>(
  messages: ReadonlyArray<Message>,
  answer: Answering<E, R>,
) {
  const whole = yield* answer(messages)
  const parts = isWhole(whole) ? undefined : splitQuestion(messages.at(-1)?.content ?? "")
  if (parts === undefined) return whole
  const asked = [...messages.slice(0, -1), { role: "user", content: parts[0] }] as const
  const first = yield* answer(asked)
  if (!isAnswered(first)) return whole
  // Quotes that answer the first part say it, or nothing does: a number of all deals is about something else.
  if (BARE.test(parts[1]) && contentOf(first).trimStart().startsWith("“")) return isAnswered(whole) ? whole : first
  const answered = { role: "assistant", content: contentOf(first) } as const
  const second = yield* answer([...asked, answered, { role: "user", content: parts[1] }])
  if (isAnswered(second)) return [...first, text("\n"), ...second]
  if (isAnswered(whole) && !contentOf(whole).includes(READ_AS)) return whole
  return [...first, text(`\nI have no answer to “${asText(parts[1])}”. Please ask it alone.\n`)]
})
