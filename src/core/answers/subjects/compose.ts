import { findTopics } from "../../analysis/extracted/topics.ts"
import { divideStatements, speakerAt } from "../../search/rows.ts"
import type { Passage } from "../../search/SearchIndex.ts"
import type { Quote } from "../citations/References.ts"
import { isInstruction, isQuestion, isSmallTalk } from "../quotes/instructions.ts"
import { type Sentence, splitSentences } from "../../common/sentences.ts"
import { QuestionReader } from "../QuestionReader.ts"
import { quoteDetail } from "./detail.ts"
import type { Subject, SubjectDeal } from "./subject.ts"
import { isNarrow, type TopicRequest } from "./topics.ts"
import { HEADINGS, type Topic } from "./vocabulary.ts"

/** Sentences in all quotes of an answer together. */
const MAX_SENTENCES = 6
const MAX_BRIEF_SENTENCES = 16

/**
 * Quotes the sections under the headings of each topic, in the order of the topics, each with its share of the sentences.
 * For several deals, only the first topic that has a section.
 */
export const selectQuotes = (
  subject: Subject,
  request: TopicRequest,
  all: ReadonlyArray<Passage>,
): ReadonlyArray<Quote> => {
  const { topics, deals, isBrief, isOfDeal, detail } = request
  if (detail !== undefined) {
    const quotes = quoteDetail(
      detail,
      detail.fact === undefined ? topics.flatMap((topic) => findCarriers(topic, subject, all)) : all,
    )
    if (quotes.length > 0 || isNarrow(detail)) return quotes
  }
  // The brief on a client lists its deals, so their records add nothing.
  const isOfClient = isBrief && subject.kind === "client" && !isOfDeal
  const ownTexts = isOfClient ? [] : findOwnTexts(subject, request, all)
  const documents = isOfClient ? all.filter(({ source }) => source === "document") : ownTexts
  const sections = isOfClient || ownTexts.length > 0 ? documents : all
  const used = new Set<Passage>()
  const isOther = chooseOther(request)
  const takeRuns = (carrying: ReadonlyArray<Passage>) => {
    const runs = carrying
      .filter((section) => !used.has(section))
      .flatMap(joinRun)
      .map(({ section, sentences }) => ({ section, sentences: sentences.filter(({ text }) => !isOther(text)) }))
      .filter(({ sentences }) => sentences.length > 0)
    for (const { section } of runs) used.add(section)
    return runs.length === 0 ? [] : [runs]
  }
  const byTopic = saysPrice(request)
    ? takeRuns(sections)
    : topics.flatMap((topic) => takeRuns(inOrder(topic, findCarriers(topic, subject, sections))))
  if (isOfClient) return takeRuns(sections).flatMap((runs) => cutRuns(runs, MAX_BRIEF_SENTENCES))
  // The notes about the subject are a part of a brief, whatever their headings.
  const notes = isBrief ? takeRuns(sections.filter(({ source }) => source === "document")) : []
  const found = [...byTopic, ...notes]
  const groups = found.length === 0 && topics[0] === "summary" ? takeRuns(beginnings(sections)) : found
  const isOfOne = new Set(ownTexts.map(({ dealId }) => dealId)).size === 1
  const quoted = deals.length > 1 && !isOfOne ? groups.slice(0, 1) : groups
  const shares = shareOut(
    isBrief || isOfOne ? MAX_BRIEF_SENTENCES : MAX_SENTENCES,
    quoted.map((runs) => runs.reduce((sum, { sentences }) => sum + sentences.length, 0)),
  )
  return quoted.flatMap((runs, index) => cutRuns(runs, shares[index] ?? 0))
}

/** The documents of a client with words of its own: these have what it said, rather than the records of its deals. */
const findOwnTexts = (
  subject: Subject,
  { topics, deals }: TopicRequest,
  all: ReadonlyArray<Passage>,
): ReadonlyArray<Passage> => {
  if (deals.length < 2 || !topics.includes("said")) return []
  const documents = all.filter(({ source }) => source === "document")
  const ids = new Set(findCarriers("said", subject, documents).map(({ id }) => id))
  return documents.filter(({ id }) => ids.has(id))
}

/** "What did they say about price?" */
const saysPrice = ({ topics }: TopicRequest) => topics.includes("said") && topics.includes("pricing")

/** The sentences under the headings of a request that answer something else. */
const chooseOther = (request: TopicRequest): ((sentence: string) => boolean) => {
  if (saysPrice(request)) return (sentence) => !findTopics(sentence).includes("Price")
  return request.topics[0] === "reasons" ? contradicts(request.deals) : () => false
}

/** A driver that spoke against us explains no deal that we won, and one that spoke for us none that we lost. */
const contradicts = (deals: ReadonlyArray<SubjectDeal>) => {
  const outcomes = new Set(deals.map(({ outcome }) => outcome))
  const [only] = outcomes.size === 1 ? outcomes : []
  const sign = only === "won" ? "(negative)" : only === "lost" ? "(positive)" : undefined
  return (sentence: string) => sign !== undefined && sentence.includes(sign)
}

/** The sections of a topic in the order of quotes: statements of people stand in their own texts first. */
const inOrder = (topic: Topic, sections: ReadonlyArray<Passage>): ReadonlyArray<Passage> =>
  topic === "said" ? sections.toSorted((a, b) => Number(a.source === "deal") - Number(b.source === "deal")) : sections

interface Run {
  readonly section: Passage
  readonly sentences: ReadonlyArray<Sentence>
}

/** Quotes at most `total` sentences of the runs, in turns. */
const cutRuns = (runs: ReadonlyArray<Run>, total: number): ReadonlyArray<Quote> => {
  const each = shareOut(
    total,
    runs.map(({ sentences }) => sentences.length),
  )
  return runs.flatMap(({ section, sentences }, n) => mergeAdjacent(section, sentences.slice(0, each[n])))
}

/** Merges adjacent sentences of one speaker into one quote. A line without final punctuation stays a quote of its own. */
const mergeAdjacent = (passage: Passage, sentences: ReadonlyArray<Sentence>): ReadonlyArray<Quote> => {
  const quotes: Array<Quote> = []
  for (const [n, { start, end }] of sentences.entries()) {
    const last = quotes.at(-1)
    const goesOn = last !== undefined && speakerAt(passage, start) === speakerAt(passage, last.start)
    if (goesOn && /[.!…]["”’)]*$/.test(sentences[n - 1]!.text)) quotes[quotes.length - 1] = { ...last, end }
    else quotes.push({ passage, start, end })
  }
  return quotes
}

/** The sections whose own heading names the topic; else those under such a heading, or in a document with such a name. */
const findCarriers = (topic: Topic, subject: Subject, sections: ReadonlyArray<Passage>): ReadonlyArray<Passage> => {
  const isAbout = (title: string) => HEADINGS[topic].test(without(title, subject.name))
  const own = sections.filter(({ headings }) => isAbout(headings.at(-1) ?? ""))
  const carrying =
    own.length > 0
      ? own
      : sections.filter(
          ({ source, name, headings }) =>
            headings.slice(0, -1).some(isAbout) || (source === "document" && isAbout(name.replace(/\.\w{1,5}$/, ""))),
        )
  // A record repeats its lists in its summary. The list is the fuller section.
  const records = Map.groupBy(
    carrying.filter(({ source }) => source === "deal"),
    ({ id }) => id,
  )
  const fullest = new Set([...records.values()].map((parts) => parts.reduce((a, b) => (depth(b) < depth(a) ? b : a))))
  return carrying.filter((section) => section.source === "document" || fullest.has(section))
}

const depth = ({ headings }: Passage) => headings.length

/** The beginning of each document, and the facts of each record from the stage on. */
const beginnings = (sections: ReadonlyArray<Passage>): ReadonlyArray<Passage> =>
  [...Map.groupBy(sections, ({ source, id }) => `${source} ${id}`).values()].flatMap(([first]) => {
    if (first === undefined) return []
    const from = first.source === "deal" ? Math.max(`\n${first.text}`.indexOf("\nStage: "), 0) : 0
    return [{ ...first, start: first.start + from, text: first.text.slice(from) }]
  })

const without = (title: string, name: string) =>
  title.toLowerCase().replaceAll(name.toLowerCase(), " ").replaceAll(/[-_]+/g, " ")

/** The first run of adjacent sentences in a section that can be quoted. */
const joinRun = (section: Passage) => {
  const isQuotable = ({ text }: Sentence) =>
    !isInstruction(text) && !isQuestion(text) && !isSmallTalk(text) && !section.headings.includes(text)
  const all = divideStatements(section, splitSentences)
  const first = all.findIndex(isQuotable)
  const after = all.findIndex((sentence, n) => n > first && !isQuotable(sentence))
  return first < 0 ? [] : [{ section, sentences: all.slice(first, after < 0 ? undefined : after) }]
}

/** Distributes `total` one by one in turns. No share exceeds its need. */
const shareOut = (total: number, needs: ReadonlyArray<number>): ReadonlyArray<number> => {
  const shares = needs.map(() => 0)
  for (let left = total; left > 0;) {
    const before = left
    for (const [index, need] of needs.entries()) {
      if (left === 0 || shares[index]! >= need) continue
      shares[index]!++
      left--
    }
    if (before === left) break
  }
  return shares
}

/** Whether a sentence of a competitor's document names another competitor, and not this one: then it is about that one. */
export const isAboutRival =
  ({ kind, name, rivals }: Subject) =>
  ({ passage, start, end }: Quote): boolean => {
    if (kind !== "competitor") return false
    const sentence = new QuestionReader(passage.text.slice(start, end))
    return sentence.find(name) === undefined && rivals.some((rival) => sentence.find(rival) !== undefined)
  }

/** Whether a passage belongs to a subject or names it. What a text says of another thing is no answer about this one. */
export const isAbout =
  ({ id, name, aliases, deals }: Subject) =>
  ({ dealId, competitorId, name: document, headings, text }: Passage): boolean => {
    if (competitorId === id || deals.some((deal) => deal.id === dealId)) return true
    const reader = new QuestionReader([document, ...headings, text].join("\n"))
    return [name, ...aliases].some((each) => reader.find(each) !== undefined)
  }

/**
 * Whether a passage that search found can answer, after no heading did. It must belong to the subject, or belong to no
 * other and contain the subject's name; and it must be about a topic of the question, not under a heading of another topic.
 * Deal records are excluded: their headings were already considered.
 */
export const isRelevantTo =
  ({ kind, id, name, aliases }: Subject, { topics, deals }: TopicRequest) =>
  ({ source, dealId, competitorId, name: document, headings, text }: Passage): boolean => {
    if (kind !== "competitor" && dealId !== null) {
      if (source === "deal" || !deals.some((deal) => deal.id === dealId)) return false
    } else if (kind === "competitor" && source === "deal" && topics[0] === "pricing") {
      // What the record of a deal says about prices is about our offer.
      return false
    } else if (kind === "competitor" && competitorId !== null) {
      if (competitorId !== id) return false
    } else {
      const reader = new QuestionReader([document, ...headings, text].join("\n"))
      if ([name, ...aliases].every((each) => reader.find(each) === undefined)) return false
    }
    if (topics[0] === "summary") return true
    const heading = without(headings.at(-1) ?? "", name)
    const isOnTopic = (part: string) => topics.some((topic) => HEADINGS[topic].test(part))
    // A note in the library states a reason without a heading for it.
    if (kind !== "competitor" && dealId === null && topics.includes("reasons") && STATES_REASON.test(text)) return true
    return (
      isOnTopic(heading) ||
      (!Object.values(HEADINGS).some((under) => under.test(heading)) && isOnTopic(without(text, name)))
    )
  }

const STATES_REASON = /\b(?:because|due to|since|owing to|reason|lost (?:to|on|over)|chose|went with|decided)\b/i

/** The sentences that contain a name. */
export const sentencesNaming = (name: string, passages: ReadonlyArray<Passage>): ReadonlyArray<Quote> =>
  passages.flatMap((passage) =>
    divideStatements(passage, splitSentences).flatMap(({ start, end, text }) =>
      isInstruction(text) || isQuestion(text) || isSmallTalk(text) || new QuestionReader(text).find(name) === undefined
        ? []
        : [{ passage, start, end }],
    ),
  )

/** Documents in the description of a subject, and titles of each. */
const MAX_DOCUMENTS = 6
const MAX_TITLES = 8

/** Lists what the workspace has about a subject: documents and their titles. */
export const describeHoldings = ({ name }: Subject, sections: ReadonlyArray<Passage>): string => {
  // Deals of one client often share a name.
  const documents = Map.groupBy(sections, ({ source, id, name }) => `${source} ${source === "deal" ? name : id}`)
  const listed = [...documents.values()].slice(0, MAX_DOCUMENTS).map((parts) => {
    const [first] = parts
    const level = first?.source === "deal" || parts.some(({ headings }) => headings.length > 1) ? 1 : 0
    const titles = new Set(parts.flatMap(({ headings }) => headings.slice(level, level + 1)))
    const shown = [...titles].filter((title) => !isInstruction(title)).slice(0, MAX_TITLES)
    const of = first?.source === "deal" ? `the record of ${first.name}` : (first?.name ?? "")
    return shown.length === 0 ? of : `${of} (${shown.join(", ")})`
  })
  const more = documents.size - listed.length
  if (listed.length === 0) return `It has no document about ${name}.`
  return `About ${name} it has ${listed.join("; ")}${more > 0 ? ` and ${more} more` : ""}.`
}
