import type { Passage } from "../../search/SearchIndex.ts"
import type { Quote } from "../citations/References.ts"
import { isDirected, isQuestion } from "../extractive/directed.ts"
import { type Sentence, sentencesOf } from "../extractive/sentences.ts"
import { Words } from "../deals/Words.ts"
import type { Subject } from "./subject.ts"
import type { Asked } from "./topics.ts"
import { HEADINGS, type Topic } from "./vocabulary.ts"

/** Sentences that an answer has, all quotes together. */
const MOST_SENTENCES = 6

/**
 * What is held under the headings of each topic, in the order of the topics, each with its share of the sentences. None
 * where nothing stands under any of them. Of several deals only the first topic that is held is told.
 */
export const quotesOf = (
  subject: Subject,
  { topics, deals }: Asked,
  sections: ReadonlyArray<Passage>,
): ReadonlyArray<Quote> => {
  const used = new Set<Passage>()
  const runsOf = (carrying: ReadonlyArray<Passage>) => {
    const runs = carrying.filter((section) => !used.has(section)).flatMap(runOf)
    for (const { section } of runs) used.add(section)
    return runs.length === 0 ? [] : [runs]
  }
  const carried = topics.flatMap((topic) => runsOf(carriersOf(topic, subject, sections)))
  const groups = carried.length === 0 && topics[0] === "summary" ? runsOf(beginnings(sections)) : carried
  const told = deals.length > 1 ? groups.slice(0, 1) : groups
  const shares = shared(
    MOST_SENTENCES,
    told.map((runs) => runs.reduce((sum, { sentences }) => sum + sentences.length, 0)),
  )
  return told.flatMap((runs, index) => {
    const each = shared(
      shares[index] ?? 0,
      runs.map(({ sentences }) => sentences.length),
    )
    return runs.flatMap(({ section, sentences }, n) => joined(section, sentences.slice(0, each[n])))
  })
}

/** Whole sentences that follow one another are one quote; a line that ends without a mark is one of its own. */
const joined = (passage: Passage, sentences: ReadonlyArray<Sentence>): ReadonlyArray<Quote> => {
  const quotes: Array<Quote> = []
  for (const [n, { start, end }] of sentences.entries()) {
    const last = quotes.at(-1)
    if (last !== undefined && /[.!…]["”’)]*$/.test(sentences[n - 1]!.text)) quotes[quotes.length - 1] = { ...last, end }
    else quotes.push({ passage, start, end })
  }
  return quotes
}

/** The sections whose own heading says the topic; where there are none, those under such a heading, or of a document so named. */
const carriersOf = (topic: Topic, subject: Subject, sections: ReadonlyArray<Passage>): ReadonlyArray<Passage> => {
  const says = (title: string) => HEADINGS[topic].test(without(title, subject.name))
  const own = sections.filter(({ headings }) => says(headings.at(-1) ?? ""))
  const carrying =
    own.length > 0
      ? own
      : sections.filter(
          ({ source, name, headings }) =>
            headings.slice(0, -1).some(says) || (source === "document" && says(name.replace(/\.\w{1,5}$/, ""))),
        )
  // A record says the same in its summary and, with how it told, in its own lists.
  const records = Map.groupBy(
    carrying.filter(({ source }) => source === "deal"),
    ({ id }) => id,
  )
  const fullest = new Set([...records.values()].map((parts) => parts.reduce((a, b) => (depth(b) < depth(a) ? b : a))))
  return carrying.filter((section) => section.source === "document" || fullest.has(section))
}

const depth = ({ headings }: Passage) => headings.length

/** What each document begins with, and each record: its facts, from the stage on. */
const beginnings = (sections: ReadonlyArray<Passage>): ReadonlyArray<Passage> =>
  [...Map.groupBy(sections, ({ source, id }) => `${source} ${id}`).values()].flatMap(([first]) => {
    if (first === undefined) return []
    const from = first.source === "deal" ? Math.max(`\n${first.text}`.indexOf("\nStage: "), 0) : 0
    return [{ ...first, start: first.start + from, text: first.text.slice(from) }]
  })

const without = (title: string, name: string) =>
  title.toLowerCase().replaceAll(name.toLowerCase(), " ").replaceAll(/[-_]+/g, " ")

/** The first sentences of a section that follow one another and may be quoted. */
const runOf = (section: Passage) => {
  const quotable = ({ text }: Sentence) => !isDirected(text) && !isQuestion(text) && !section.headings.includes(text)
  const all = sentencesOf(section.text)
  const first = all.findIndex(quotable)
  const after = all.findIndex((sentence, n) => n > first && !quotable(sentence))
  return first < 0 ? [] : [{ section, sentences: all.slice(first, after < 0 ? undefined : after) }]
}

/** Deals `most` out one by one, the first first, to no one more than it has use for. */
const shared = (most: number, uses: ReadonlyArray<number>): ReadonlyArray<number> => {
  const shares = uses.map(() => 0)
  for (let left = most; left > 0;) {
    const before = left
    for (const [index, use] of uses.entries()) {
      if (left === 0 || shares[index]! >= use) continue
      shares[index]!++
      left--
    }
    if (before === left) break
  }
  return shares
}

/**
 * May a passage that was found by its words answer what no heading did? It belongs to the subject or, where it is of no
 * other, says its name; and it says what was asked, under no heading that says something else. Of a deal, what its record
 * says was looked through by its headings.
 */
export const mayAnswer =
  ({ kind, id, name }: Subject, { topics, deals }: Asked) =>
  ({ source, dealId, competitorId, name: document, headings, text }: Passage): boolean => {
    if (kind !== "competitor" && dealId !== null) {
      if (source === "deal" || !deals.some((deal) => deal.id === dealId)) return false
    } else if (competitorId !== null) {
      if (competitorId !== id) return false
    } else if (new Words([document, ...headings, text].join("\n")).find(name) === undefined) return false
    if (topics[0] === "summary") return true
    const heading = without(headings.at(-1) ?? "", name)
    const says = (said: string) => topics.some((topic) => HEADINGS[topic].test(said))
    return says(heading) || (!Object.values(HEADINGS).some((under) => under.test(heading)) && says(without(text, name)))
  }

/** Titles and documents that are told of. */
const TITLES = 8
const NAMES = 6

/** What is held on a subject, by the names of its documents and what their parts are called. */
export const heldOn = ({ name }: Subject, sections: ReadonlyArray<Passage>): string => {
  const documents = Map.groupBy(sections, ({ source, id }) => `${source} ${id}`)
  const told = [...documents.values()].slice(0, NAMES).map((parts) => {
    const [first] = parts
    const level = first?.source === "deal" || parts.some(({ headings }) => headings.length > 1) ? 1 : 0
    const titles = new Set(parts.flatMap(({ headings }) => headings.slice(level, level + 1)))
    const named = [...titles].filter((title) => !isDirected(title)).slice(0, TITLES)
    const of = first?.source === "deal" ? `the record of ${first.name}` : (first?.name ?? "")
    return named.length === 0 ? of : `${of} (${named.join(", ")})`
  })
  const more = documents.size - told.length
  if (told.length === 0) return `It has no document about ${name}.`
  return `About ${name} it has ${told.join("; ")}${more > 0 ? ` and ${more} more` : ""}.`
}
