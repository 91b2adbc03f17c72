import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { ViewerLinks } from "../../library/viewer/ViewerLinks.ts"
import { DealRecords } from "../../search/DealRecords.ts"
import { type Passage, SearchIndex } from "../../search/SearchIndex.ts"
import { Database } from "../../storage/Database.ts"
import { span } from "../../telemetry/tracing.ts"
import { answerAcross } from "../across/answerAcross.ts"
import { type AnswerEvent, Answerer, AnswerFailed, type Message } from "../Answerer.ts"
import { type Asker, describeOmission, readsDeals, readsDocuments, scopeOf } from "../Asker.ts"
import { makeCitation } from "../citations/citing.ts"
import { LinkRemover } from "../citations/LinkRemover.ts"
import { linkTo } from "../citations/markdown.ts"
import type { Quote } from "../citations/References.ts"
import { DealQuestions } from "../DealQuestions.ts"
import { describeHoldings, isRelevantTo, selectQuotes } from "../subjects/compose.ts"
import { sectionsOf } from "../subjects/sections.ts"
import { findSubject, type Subject, type SubjectQuestion } from "../subjects/subject.ts"
import { readTopics } from "../subjects/topics.ts"
import { FILLER_WORDS } from "../subjects/vocabulary.ts"
import { compose } from "./compose.ts"
import { questionsOf } from "./followUp.ts"

/** Passages that a search returns. */
const MAX_PASSAGES = 10

const NOTHING = "Nothing in this workspace answers this."

/**
 * Answers without a language model: quotes the sentences that answer best, each with a link to its place. A question about
 * one competitor, client or deal is answered from the texts about it; `DealQuestions` counts and lists deals.
 */
export const layerExtractive = Layer.effect(
  Answerer,
  Effect.gen(function* () {
    const index = yield* SearchIndex
    const deals = yield* DealQuestions
    const context = yield* Effect.context<Database | DealRecords | SearchIndex | ViewerLinks>()

    const search = (
      asker: Asker,
      query: string,
      number: number,
      isAllowed: (passage: Passage) => boolean,
      asked: string,
    ) =>
      Effect.gen(function* () {
        const name = readsDocuments(asker) ? "search_knowledge_base" : "search_deals"
        const call = { id: `call_${number}`, name } as const
        const scope = scopeOf(asker)
        const result =
          scope === undefined
            ? { passages: [], terms: [] }
            : yield* index.search(asker.organizationId, { text: query, limit: MAX_PASSAGES, scope })
        const events: ReadonlyArray<AnswerEvent> = [
          { type: "tool_call", ...call, arguments: { query } },
          { type: "tool_result", ...call, found: result.passages.length },
        ]
        const passages = result.passages.filter(isAllowed)
        return {
          quotes: yield* span("answer.quote")(Effect.sync(() => compose(query, { ...result, passages }, asked))),
          events,
        }
      })

    const quoteEvents = (org: string, quote: Quote) =>
      Effect.map(makeCitation(org, quote), (citation): ReadonlyArray<AnswerEvent> => [
        { type: "citation", citation },
        { type: "content_delta", content: `“${toPlainLine(citation.excerpt)}” — ${linkTo(citation)}\n\n` },
      ])

    const quoteAll = (org: string, quotes: ReadonlyArray<Quote>) =>
      Effect.map(span("answer.cite")(Effect.forEach(quotes, (quote) => quoteEvents(org, quote))), (events) =>
        events.flat(),
      )

    /** Tries each query until one has an answer in the allowed passages. */
    const fromText = Effect.fn("Extractive.fromText")(function* (
      asker: Asker,
      questions: ReadonlyArray<string>,
      isAllowed: (passage: Passage) => boolean,
      asked: string,
    ) {
      const events: Array<AnswerEvent> = []
      for (const [index, query] of questions.entries()) {
        const found = yield* search(asker, query, index + 1, isAllowed, asked)
        events.push(...found.events)
        if (found.quotes.length > 0)
          return { answered: true, events: [...events, ...(yield* quoteAll(asker.organizationId, found.quotes))] }
      }
      return { answered: false, events }
    })

    const answer = Effect.fn("Extractive.answer")(function* (asker: Asker, messages: ReadonlyArray<Message>) {
      const org = asker.organizationId
      const nothing = [NOTHING, describeOmission(asker)].filter((sentence) => sentence !== "").join(" ")
      const counted = readsDeals(asker) ? Option.getOrUndefined(yield* deals.answer(org, messages)) : undefined
      if (counted?.certainty === "certain") return counted.events
      const questions = counted?.question === undefined ? questionsOf(messages) : [counted.question]
      const across = readsDocuments(asker) ? yield* answerAcross(asker, questions.at(-1) ?? "") : undefined
      if (across !== undefined) return across
      const about = yield* findSubject(asker, questions)
      const request = about && readTopics(about)
      if (about !== undefined && request !== undefined) {
        const sections = yield* sectionsOf(asker, about.subject, request.deals)
        const quotes = selectQuotes(about.subject, request, sections)
        const brief = request.isBrief && readsDeals(asker) ? yield* deals.brief(org, about.subject) : []
        if (quotes.length > 0 || brief.length > 0)
          return [...readEvents(asker, about.subject, sections), ...brief, ...(yield* quoteAll(org, quotes))]
      }
      const isAllowed = about === undefined || request === undefined ? () => true : isRelevantTo(about.subject, request)
      const asked = about === undefined || request !== undefined ? [] : askedOf(about)
      // A note in the library can state why a deal ended although its record has no reason.
      const noted = request?.topics[0] === "reasons" ? yield* fromText(asker, questions, isAllowed, "") : undefined
      if (noted?.answered === true) return noted.events
      if (counted?.certainty === "understood") return counted.events
      const { answered, events } = noted ?? (yield* fromText(asker, questions, isAllowed, asked.join(" ")))
      if (answered) return events
      if (counted !== undefined && counted.events.length > 0) return [...events, ...counted.events]
      if (about === undefined) return [...events, text(nothing)]
      const sections = yield* sectionsOf(asker, about.subject, (request ?? about.subject).deals)
      const absent = asked.length === 0 ? "" : ` No text about ${about.subject.name} says “${asked.join(" ")}”.`
      return [
        ...events,
        text(`${nothing}${toPlainLine(absent)} ${toPlainLine(describeHoldings(about.subject, sections))}`),
      ]
    })

    return Answerer.of({
      kind: "extractive",
      answer: (asker, messages) =>
        Stream.fromIterableEffect(
          answer(asker, messages).pipe(
            Effect.catchTag("DatabaseUnavailable", ({ message }) =>
              Effect.fail(new AnswerFailed({ reason: "unavailable", message })),
            ),
            Effect.provide(context),
          ),
        ),
    })
  }),
)

/** The words of a question that are neither its subject nor fillers. */
const askedOf = ({ reader, subject }: SubjectQuestion) =>
  reader
    .unread()
    .map((word) => word.text)
    .filter((word) => !FILLER_WORDS[subject.kind === "competitor" ? "competitor" : "deal"].has(word))

const text = (content: string): AnswerEvent => ({ type: "content_delta", content })

/** The tool events for reading a subject's documents or deals. */
const readEvents = (
  asker: Asker,
  { kind, name }: Subject,
  sections: ReadonlyArray<Passage>,
): ReadonlyArray<AnswerEvent> => {
  const ofDeals = readsDocuments(asker) ? "search_deal_documents" : "select_deal"
  const call = { id: "call_subject", name: kind === "competitor" ? "get_assets" : ofDeals } as const
  const read = new Set(sections.map(({ source, id }) => `${source} ${id}`))
  return [
    { type: "tool_call", ...call, arguments: { [kind]: name } },
    { type: "tool_result", ...call, found: read.size },
  ]
}

/** Puts a text on one line and removes its links. */
const toPlainLine = (text: string) => {
  const remover = new LinkRemover()
  return remover.push(text.replaceAll(/\s+/g, " ")) + remover.end()
}
