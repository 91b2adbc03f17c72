import { assert, test } from "vitest"
import { compose } from "../../src/core/answers/quotes/compose.ts"
import { References } from "../../src/core/answers/citations/References.ts"
import { selectQuotes } from "../../src/core/answers/subjects/compose.ts"
import { describePassage } from "../../src/core/answers/tools/contract.ts"
import { findSpoken } from "../../src/core/answers/said/spokenSentences.ts"
import type { Quote } from "../../src/core/answers/citations/References.ts"
import { passage } from "./passages.ts"

const TURNS = [
  ["Elif (us)", "Our planning has been in use for two years."],
  ["Nadir (them)", "We tried the workflow builder. It was slow and confusing."],
  ["Elif (us)", "Our planning has been in use at a company of your size, and"],
  ["Nadir (them)", "our auditors tried the workflow builder too."],
] as const

const text = TURNS.map(([, said]) => said).join("\n")
const placeOf = (n: number) => ({ kind: "time", start: 5 * n, end: 5 * n + 5, speaker: TURNS[n]![0] }) as const
const call = passage({
  id: "call",
  text,
  dealId: "d",
  place: placeOf(0),
  places: TURNS.map(([, said], n) => ({
    start: text.indexOf(said),
    end: text.indexOf(said) + said.length,
    place: placeOf(n),
  })),
})

const speakersIn = ({ passage, start, end }: Quote) =>
  passage.places
    .filter((placed) => placed.start < end && start < placed.end)
    .map(({ place }) => ("speaker" in place ? place.speaker : undefined))

const subject = {
  kind: "client",
  id: "c",
  name: "Zellander",
  aliases: [],
  deals: [],
  rivals: [],
  against: [],
} as const

test("no quotation has the words of two speakers", () => {
  const brief = { topics: ["summary"], deals: [], isBrief: true, isOfDeal: false, detail: undefined } as const
  const terms = ["workflow", "builder", "planning", "company"].map((word) => ({ word, idf: 1, forms: [word] }))
  const quotes = [
    ...selectQuotes(subject, brief, [call]),
    ...compose("What about the workflow builder and the planning at a company?", { passages: [call], terms }),
    ...findSpoken([call], new Map()),
  ]
  assert.isAbove(quotes.length, 6)
  for (const quote of quotes) assert.lengthOf(speakersIn(quote), 1, text.slice(quote.start, quote.end))
})

test("a model reads who says the words, and cites the words of one", () => {
  assert.include(describePassage(call).text, "Nadir (them): We tried the workflow builder. It was slow")
  const references = new References()
  const ref = references.ref(call)
  const cited = references.quote(ref, "Nadir tried the workflow builder, and it was slow and confusing.")
  assert.strictEqual(cited?.kind === "quote" && text.slice(cited.quote.start, cited.quote.end), TURNS[1][1])
  const joined = "The planning has been in use for two years, and the workflow builder was slow and confusing."
  assert.isUndefined(references.quote(ref, joined))
})
