import * as Effect from "effect/Effect"
import type { Passage } from "../../search/SearchIndex.ts"
import { type AnswerEvent, text } from "../Answerer.ts"
import type { Asker } from "../Asker.ts"
import { makeCitation } from "../citations/citing.ts"
import { asText, linkTo } from "../citations/markdown.ts"
import { writeCount } from "../questions/words/numbers.ts"
import type { Attitude, SpokenQuestion } from "./spokenQuestion.ts"
import type { SpokenSentence } from "./spokenSentences.ts"

/** Sentences that an answer quotes. */
const MAX_QUOTED = 10

const NOUN: Readonly<Record<Attitude, string>> = {
  positive: "praise",
  negative: "an objection",
  need: "a need",
  question: "a question",
  promise: "a promise",
  withdrawal: "a promise taken back",
}

/** Words for the sentences that a question seeks. */
export const describeSought = ({ attitude, words }: SpokenQuestion): string => {
  const parts = [
    ...(attitude === undefined ? [] : [NOUN[attitude]]),
    ...(words === undefined ? [] : [`about “${asText(words)}”`]),
  ]
  return parts.length === 0 ? "an answer" : parts.join(" ")
}

const countDistinct = (values: ReadonlyArray<string>) => new Set(values).size

/** The line above the sentences of an answer. */
export const writeFound = ({ words, attitude, side }: SpokenQuestion, found: ReadonlyArray<SpokenSentence>): string => {
  const count = writeCount(found.length, "sentence")
  const calls = writeCount(countDistinct(found.map(({ passage }) => passage.id)), "call")
  const who = side === undefined ? "" : ` of ${side === "buyer" ? "buyers" : "our side"}`
  const kind = attitude === undefined ? "" : `, recognized as ${NOUN[attitude]}`
  const about = words === undefined ? "" : ` with “${asText(words)}”`
  return `**${count}**${who} in ${calls}${about}${kind}:`
}

/** Writes sentences, each with its speaker and a link to its place. */
export const writeSpoken = Effect.fnUntraced(function* (
  asker: Asker,
  asked: SpokenQuestion,
  found: ReadonlyArray<SpokenSentence>,
  head: string,
) {
  const call = { id: "call_spoken", name: "search_deal_documents" } as const
  const lines = yield* Effect.forEach(found.slice(0, MAX_QUOTED), (sentence) =>
    Effect.map(makeCitation(asker.organizationId, sentence), (citation): ReadonlyArray<AnswerEvent> => [
      { type: "citation", citation },
      text(`- “${asText(sentence.text.replaceAll(/\s+/g, " "))}” — ${asText(sentence.speaker)}, ${linkTo(citation)}\n`),
    ]),
  )
  const more = found.length - MAX_QUOTED
  return [
    { type: "tool_call", ...call, arguments: { query: asked.words ?? asked.name ?? "" } } as const,
    { type: "tool_result", ...call, found: found.length } as const,
    text(`${head}\n\n`),
    ...lines.flat(),
    ...(more > 0 ? [text(`\n${more} more.\n`)] : []),
  ] satisfies ReadonlyArray<AnswerEvent>
})
/** Who speaks in the calls of a name, by side. */
export const writeSpeakers = Effect.fnUntraced(function* (
  asker: Asker,
  asked: SpokenQuestion,
  name: string,
  passages: ReadonlyArray<Passage>,
  spoken: ReadonlyArray<SpokenSentence>,
) {
  const bySide = (side: SpokenSentence["side"]) => [
    ...new Set(spoken.filter((each) => each.side === side).map(({ speaker }) => asText(speaker))),
  ]
  const parts = [
    ["our side", bySide("seller")],
    ["theirs", bySide("buyer")],
    ["side not known", bySide("unknown")],
  ] as const
  const listed = parts.flatMap(([side, people]) => people.map((each) => `- ${each}: ${side}\n`))
  const calls = writeCount(countDistinct(passages.map(({ id }) => id)), "call")
  const first = distinctBy(passages, ({ id }) => id).map((passage) => ({ passage, start: 0, end: passage.text.length }))
  const links = yield* Effect.forEach(first.slice(0, MAX_QUOTED), (quote) =>
    Effect.map(makeCitation(asker.organizationId, quote), (citation) => ({ type: "citation", citation }) as const),
  )
  const call = { id: "call_spoken", name: "search_deal_documents" } as const
  return [
    { type: "tool_call", ...call, arguments: { query: asked.name ?? "" } } as const,
    { type: "tool_result", ...call, found: first.length } as const,
    text(`Speakers in ${calls} of ${asText(name)}: ${links.map(({ citation }) => linkTo(citation)).join(", ")}\n\n`),
    ...links,
    ...listed.map(text),
  ] satisfies ReadonlyArray<AnswerEvent>
})

const distinctBy = <A>(values: ReadonlyArray<A>, keyOf: (value: A) => string): ReadonlyArray<A> => [
  ...new Map(values.map((value) => [keyOf(value), value])).values(),
]
