import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { ViewerLinks } from "../../library/viewer/ViewerLinks.ts"
import { DealRecords } from "../../search/DealRecords.ts"
import { labelRows } from "../../search/rows.ts"
import { type Passage, SearchIndex } from "../../search/SearchIndex.ts"
import { Database } from "../../storage/Database.ts"
import { span } from "../../telemetry/tracing.ts"
import { answerAcross } from "../across/answerAcross.ts"
import { type AnswerEvent, Answerer, AnswerFailed, type Message, text } from "../Answerer.ts"
import { type Asker, describeOmission, readsDeals, readsDocuments, scopeOf } from "../Asker.ts"
import { makeCitation } from "../citations/citing.ts"
import { linkTo } from "../citations/markdown.ts"
import type { Quote } from "../citations/References.ts"
import { type DealAnswer, DealQuestions } from "../DealQuestions.ts"
import { questionsAbout, writeQuestions } from "../questions/reply/refusal.ts"
import { describeHoldings, selectQuotes, sentencesNaming } from "../subjects/compose.ts"
import { asksForList, describeListed, listDocuments } from "../subjects/documents.ts"
import { readSections } from "../subjects/sections.ts"
import { answerMentions } from "../mentions/answerMentions.ts"
import { answerSaid } from "../said/answerSaid.ts"
import { answerSpoken } from "../said/answerSpoken.ts"
import { readSpoken } from "../said/spokenQuestion.ts"
import { listFirstSpoken } from "../said/spokenTurns.ts"
import { findSubject, type Subject, type SubjectQuestion } from "../subjects/subject.ts"
import { type AskedFact, isNarrow, readTopics, type TopicRequest } from "../subjects/topics.ts"
import { allow, type Allowed, asksAdvice, asksToBeat, competitorOf, describeAsked, isOfBuyers } from "./allowed.ts"
import { findTime, quotesInTime } from "./agreesInTime.ts"
import { readEvents } from "./readEvents.ts"
import { comparesWithSame, hasSameRate } from "./comparison.ts"
import { compose } from "./compose.ts"
import { answerInParts } from "./compound.ts"
import { continuesNumbers, findQuestions, readSupport } from "./followUp.ts"
import { cutLongRuns } from "./longRuns.ts"
import { findParts } from "./parts.ts"
import { describeAbsence } from "./statesFact.ts"
import { quoteAll, toPlainLine } from "./writeQuotes.ts"

/** Passages that a search returns. */
const MAX_PASSAGES = 10

/** In UTF-16 units, of the name that a filter takes. */
const MAX_NAME_LENGTH = 200
/** Sentences of notes in a brief. */
const MAX_NOTES = 3
const NOTHING = "Nothing in this workspace answers this."
const ASK_WHOLE = "Please ask the whole question."

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

    const search = (asker: Asker, query: string, number: number, allowed: Allowed, competitor?: string) =>
      Effect.gen(function* () {
        const name = readsDocuments(asker) ? "search_knowledge_base" : "search_deals"
        const call = { id: `call_${number}`, name } as const
        const scope =
          competitor === undefined ? scopeOf(asker) : ({ within: "library", competitorIds: [competitor] } as const)
        const result =
          scope === undefined
            ? { passages: [], terms: [] }
            : yield* index.search(asker.organizationId, { text: query, limit: MAX_PASSAGES, scope })
        const events: ReadonlyArray<AnswerEvent> = [
          {
            type: "tool_call",
            ...call,
            arguments:
              name === "search_deals" ? { filters: { searchQuery: query.slice(0, MAX_NAME_LENGTH) } } : { query },
          },
          { type: "tool_result", ...call, found: result.passages.length },
        ]
        const passages = result.passages.filter(allowed.passage)
        const isAllowed = (quote: Quote) => {
          const sentence = labelRows(quote.passage, quote.start, quote.end)
          return allowed.quote(quote) && comparesWithSame(query, sentence) && hasSameRate(query, sentence)
        }
        const quotes = yield* span("answer.quote")(
          Effect.sync(() => compose(query, { ...result, passages }, allowed.focus)),
        )
        return {
          // If the best sentence is about something else, the others are too.
          quotes: quotes.slice(0, 1).every(isAllowed) ? quotes.filter(isAllowed) : [],
          events,
        }
      })

    /** Passages of the library about a client or deal, in documents of other things. */
    const notesOn = Effect.fnUntraced(function* (asker: Asker, subject: Subject, sections: ReadonlyArray<Passage>) {
      if (!readsDocuments(asker)) return []
      const name = subject.aliases[0] ?? subject.name
      const scope = { within: "library" } as const
      const { passages } = yield* index.search(asker.organizationId, { text: name, limit: MAX_PASSAGES, scope })
      const known = new Set(sections.map(({ id }) => id))
      return sentencesNaming(
        name,
        passages.filter(({ id }) => !known.has(id)),
      ).slice(0, MAX_NOTES)
    })

    /** Tries each query until one has an answer in the allowed passages. */
    const fromText = Effect.fn("Extractive.fromText")(function* (
      asker: Asker,
      questions: ReadonlyArray<string>,
      allowed: Allowed,
      /** A competitor whose own documents are sought first. */
      competitor?: string,
    ) {
      const events: Array<AnswerEvent> = []
      const queries = questions.flatMap((query) => [
        ...(competitor === undefined ? [] : [{ query, competitor }]),
        { query, competitor: undefined },
      ])
      for (const [index, { query, competitor }] of queries.entries()) {
        const found = yield* search(asker, query, index + 1, allowed, competitor)
        events.push(...found.events)
        if (found.quotes.length > 0)
          return { answered: true, events: [...events, ...(yield* quoteAll(asker.organizationId, found.quotes))] }
      }
      return { answered: false, events }
    })

    /** Says what the texts about a subject have in the place of what was asked. */
    const explainAbsence = Effect.fnUntraced(function* (
      asker: Asker,
      subject: Subject,
      request: TopicRequest | undefined,
      question: string,
      asked: ReadonlyArray<string>,
    ) {
      const sections = yield* readSections(asker, subject, (request ?? subject).deals)
      const parts = findParts(question, competitorOf(subject)?.name)
      const spoken = readSpoken(question)
      const absent =
        spoken?.isClaim === true && spoken.words !== undefined
          ? ` No buyer says “${spoken.words}” in a text about a deal.`
          : describeAbsence(subject.name, asked, parts, sections, findTime(question))
      const holdings = toPlainLine(describeHoldings(subject, sections))
      const offer = readsDeals(asker) ? offerQuestions(subject) : ""
      return text(`${nothingFor(asker)}${toPlainLine(absent)} ${holdings}${offer}`)
    })

    /** Answers from the sections about a subject that have the topics; undefined if none has. */
    const answerTopics = Effect.fnUntraced(function* (
      asker: Asker,
      { subject, reader }: SubjectQuestion,
      request: TopicRequest,
    ) {
      const org = asker.organizationId
      const kind = request.isOfDeal ? "deal" : subject.kind
      const briefed = { kind, id: subject.id, name: subject.name, deals: request.deals.map(({ id }) => id) }
      const brief = request.isBrief && readsDeals(asker) ? yield* deals.brief(org, briefed) : []
      if (request.isBrief && kind === "deal" && request.deals.length > 1) return brief
      const sections = yield* readSections(asker, subject, request.deals)
      const isInTime = quotesInTime(reader.original, subject, new Date(yield* Clock.currentTimeMillis))
      const selected = selectQuotes(subject, request, sections).filter((each) => request.isBrief || isInTime(each))
      const noted = request.isBrief && subject.kind !== "competitor" ? yield* notesOn(asker, subject, sections) : []
      const quotes = [...selected, ...noted]
      // How often we win is no advice.
      const isUnadvised = sections.length === 0 && asksAdvice(reader.original)
      if (quotes.length === 0 && brief.length === 0)
        return isUnadvised ? [yield* explainAbsence(asker, subject, request, reader.original, [])] : undefined
      const isWithout = quotes.length === 0 && subject.kind === "competitor" && readsDocuments(asker)
      const absent = isWithout ? [text(`No document about ${toPlainLine(subject.name)} was found.\n\n`)] : []
      return [...readEvents(asker, subject, sections), ...absent, ...brief, ...(yield* quoteAll(org, quotes))]
    })

    /** Lists the documents about a subject, the newest first. */
    const answerDocuments = Effect.fnUntraced(function* (asker: Asker, subject: Subject, isQuoted = false) {
      const sections = yield* readSections(asker, subject, subject.deals)
      const listed = yield* Effect.forEach(listDocuments(sections), (quote) =>
        Effect.map(makeCitation(asker.organizationId, quote), (citation): ReadonlyArray<AnswerEvent> => [
          { type: "citation", citation },
          text(
            `- ${linkTo(citation)}, added ${quote.passage.createdAt.slice(0, 10)}${isQuoted ? `: “${toPlainLine(citation.excerpt)}”` : ""}\n`,
          ),
        ]),
      )
      const head = describeListed(toPlainLine(subject.name), listed.length)
      return [...readEvents(asker, subject, sections), text(head), ...listed.flat()]
    })

    /** The answer from reports. How often we beat a competitor says nothing of how. */
    const count = Effect.fnUntraced(function* (asker: Asker, messages: ReadonlyArray<Message>) {
      if (!readsDeals(asker) || asksToBeat(findQuestions(messages).at(-1) ?? "")) return undefined
      return Option.getOrUndefined(yield* deals.answer(asker.organizationId, messages))
    })

    const answer = Effect.fn("Extractive.answer")(function* (asker: Asker, messages: ReadonlyArray<Message>) {
      const asked = messages.at(-1)?.content ?? ""
      const said =
        (yield* answerSaid(asker, asked)) ??
        (yield* answerSpoken(asker, listFirstSpoken(messages))) ??
        (yield* answerMentions(asker, asked))
      if (said !== undefined) return said
      const counted = yield* count(asker, messages)
      if (counted?.certainty === "certain") return counted.events
      const asks = counted?.question === undefined ? findQuestions(messages) : [counted.question]
      const questions = asks.map(readSupport)
      const last = questions.at(-1) ?? ""
      const spread = (yield* answerSpoken(asker, [asked, last])) ?? (yield* answerAcross(asker, last))
      if (spread !== undefined) return spread
      const about = yield* findSubject(asker, questions)
      if (about !== undefined) return yield* answerAbout(asker, questions, counted, about)
      if (continuesNumbers(messages)) {
        if (counted?.certainty === "understood") return counted.events
        return [text(`${nothingFor(asker)} `), ...(counted?.events ?? [text(ASK_WHOLE)])]
      }
      return yield* answerBySearch(asker, questions, counted)
    })

    /** Answers a question about one competitor, client or deal. */
    const answerAbout = Effect.fnUntraced(function* (
      asker: Asker,
      questions: ReadonlyArray<string>,
      counted: DealAnswer | undefined,
      about: SubjectQuestion,
    ) {
      const { subject } = about
      const last = questions.at(-1) ?? ""
      const listed = readsDocuments(asker) ? asksForList(last, subject) : undefined
      if (listed !== undefined) return yield* answerDocuments(asker, subject, listed === "quoted")
      const topical = isOfBuyers(last) ? undefined : readTopics(about)
      const topics = topical && (yield* answerTopics(asker, about, topical))
      if (topics !== undefined) return topics
      // The texts about both things may say more than those about one.
      if (subject.against.length > 0) return yield* answerBySearch(asker, questions, counted)
      const { fact } = topical?.detail ?? {}
      return yield* answerBySearch(asker, questions, counted, about, topical && withoutDetail(topical), fact)
    })

    /** Quotes what a search finds about the subject and the topics, if the question has them. */
    const answerBySearch = Effect.fnUntraced(function* (
      asker: Asker,
      questions: ReadonlyArray<string>,
      counted: DealAnswer | undefined,
      about?: SubjectQuestion,
      request?: TopicRequest,
      fact?: AskedFact,
    ) {
      const certainty = counted?.certainty
      const computed = counted?.events ?? []
      const subject = about?.subject
      const isForeign = certainty === "foreign"
      const asked = describeAsked(about, request, isForeign, fact)
      const last = questions.at(-1) ?? ""
      const texts = allow(questions, subject, request, asked, isForeign, fact)
      const isInTime = quotesInTime(last, subject, new Date(yield* Clock.currentTimeMillis))
      const allowed = { ...texts, quote: (each: Quote) => texts.quote(each) && isInTime(each) }
      const rival = request === undefined && readsDocuments(asker) ? competitorOf(subject)?.id : undefined
      // A note in the library can state why a deal ended although its record has no reason.
      const noted = request?.topics[0] === "reasons" ? yield* fromText(asker, questions, allowed) : undefined
      if (noted?.answered === true) return noted.events
      if (certainty === "understood") return computed
      const { answered, events } = noted ?? (yield* fromText(asker, questions, allowed, rival))
      if (answered) return events
      if (computed.length > 0 && standsAlone(counted, subject)) return [...events, ...computed]
      if (subject !== undefined) return [...events, yield* explainAbsence(asker, subject, request, last, asked)]
      return [...events, text(computed.length === 0 ? nothingFor(asker) : `${nothingFor(asker)} `), ...computed]
    })

    return Answerer.of({
      kind: "extractive",
      answer: (asker, messages) =>
        Stream.fromIterableEffect(
          answerInParts(cutLongRuns(messages), (turns) => answer(asker, turns)).pipe(
            Effect.catchTag("DatabaseUnavailable", AnswerFailed.by),
            // `Responses` has found the organization.
            Effect.catchTag("NotFound", Effect.die),
            Effect.provide(context),
          ),
        ),
    })
  }),
)

const nothingFor = (asker: Asker) => [NOTHING, describeOmission(asker)].filter((sentence) => sentence !== "").join(" ")

/** Whether a refusal of a question about deals says enough. Of a competitor's business it does not say which texts there are. */
const standsAlone = (counted: DealAnswer | undefined, subject: Subject | undefined): boolean =>
  counted?.certainty !== "unclear" && (counted?.certainty !== "foreign" || subject === undefined)

/** No heading has a detail, so a search by all words of the question may find it. */
const withoutDetail = (request: TopicRequest): TopicRequest | undefined =>
  request.detail !== undefined && isNarrow(request.detail) ? undefined : request

/** Two questions about the subject that run: those of its client for a deal. */
const offerQuestions = ({ kind, name, aliases: [client] }: Subject): string => {
  const offered = kind === "deal" ? questionsAbout("client", client ?? name) : questionsAbout(kind, name)
  return offered.length === 0 ? "" : `\n\n${writeQuestions(offered)}`
}
