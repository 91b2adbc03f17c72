import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { ViewerLinks } from "../../library/viewer/ViewerLinks.ts"
import { DealRecords } from "../../search/DealRecords.ts"
import { type Passage, SearchIndex } from "../../search/SearchIndex.ts"
import { Database } from "../../storage/Database.ts"
import { type AnswerEvent, Answerer, AnswerFailed, type Message } from "../Answerer.ts"
import { type Asker, omission, readsDeals, readsDocuments, scopeOf } from "../Asker.ts"
import { citationOf } from "../citations/citing.ts"
import { LinkRemover } from "../citations/LinkRemover.ts"
import { linkTo } from "../citations/markdown.ts"
import type { Quote } from "../citations/References.ts"
import { DealQuestions } from "../DealQuestions.ts"
import { heldOn, mayAnswer, quotesOf } from "../subjects/compose.ts"
import { sectionsOf } from "../subjects/sections.ts"
import { namedIn, type Subject } from "../subjects/subject.ts"
import { askedOf } from "../subjects/topics.ts"
import { compose } from "./compose.ts"
import { questionsOf } from "./followUp.ts"

/** Passages that are read for an answer. */
const PASSAGES = 10

const NOTHING = "Nothing in this workspace answers this."

/**
 * Answers without a model: by the sentences of the workspace that answer best, quoted, each with a link to where it stands.
 * What is asked of one competitor, client or deal that it names is answered by what is held on that one; questions that count
 * or list deals by `DealQuestions`.
 */
export const layerExtractive = Layer.effect(
  Answerer,
  Effect.gen(function* () {
    const index = yield* SearchIndex
    const links = yield* ViewerLinks
    const deals = yield* DealQuestions
    const database = yield* Database
    const records = yield* DealRecords

    const search = (asker: Asker, query: string, number: number, may: (passage: Passage) => boolean) =>
      Effect.gen(function* () {
        const name = readsDocuments(asker) ? "search_knowledge_base" : "search_deals"
        const call = { id: `call_${number}`, name } as const
        const scope = scopeOf(asker)
        const result =
          scope === undefined
            ? { passages: [], terms: [] }
            : yield* index.search(asker.organizationId, { text: query, limit: PASSAGES, scope })
        const events: ReadonlyArray<AnswerEvent> = [
          { type: "tool_call", ...call, arguments: { query } },
          { type: "tool_result", ...call, found: result.passages.length },
        ]
        return { quotes: compose(query, { ...result, passages: result.passages.filter(may) }), events }
      })

    const told = (org: string, quote: Quote) =>
      Effect.map(citationOf(links, org, quote), (citation): ReadonlyArray<AnswerEvent> => [
        { type: "citation", citation },
        { type: "content_delta", content: `“${plain(citation.excerpt)}” — ${linkTo(citation)}\n\n` },
      ])

    const toldAll = (org: string, quotes: ReadonlyArray<Quote>) =>
      Effect.map(
        Effect.forEach(quotes, (quote) => told(org, quote)),
        (events) => events.flat(),
      )

    /** None where the text holds no answer in passages that may be quoted. */
    const fromText = Effect.fn("Extractive.fromText")(function* (
      asker: Asker,
      questions: ReadonlyArray<string>,
      may: (passage: Passage) => boolean,
    ) {
      const events: Array<AnswerEvent> = []
      for (const [index, query] of questions.entries()) {
        const found = yield* search(asker, query, index + 1, may)
        events.push(...found.events)
        if (found.quotes.length > 0)
          return { answered: true, events: [...events, ...(yield* toldAll(asker.organizationId, found.quotes))] }
      }
      return { answered: false, events }
    })

    const answer = Effect.fn("Extractive.answer")(function* (asker: Asker, messages: ReadonlyArray<Message>) {
      const org = asker.organizationId
      const nothing = [NOTHING, omission(asker)].filter((sentence) => sentence !== "").join(" ")
      const questions = questionsOf(messages)
      const named = yield* namedIn(database, asker, questions)
      const asked = named && askedOf(named)
      if (named !== undefined && asked !== undefined) {
        const sections = yield* sectionsOf(database, records, asker, named.subject, asked.deals)
        const quotes = quotesOf(named.subject, asked, sections)
        if (quotes.length > 0) return [...looked(asker, named.subject, sections), ...(yield* toldAll(org, quotes))]
      }
      const counted = readsDeals(asker) ? yield* deals.answer(org, messages) : Option.none()
      if (Option.isSome(counted)) return counted.value
      const may = named === undefined || asked === undefined ? () => true : mayAnswer(named.subject, asked)
      const { answered, events } = yield* fromText(asker, questions, may)
      if (answered) return events
      if (named === undefined) return [...events, text(nothing)]
      const sections = yield* sectionsOf(database, records, asker, named.subject, (asked ?? named.subject).deals)
      return [...events, text(`${nothing} ${plain(heldOn(named.subject, sections))}`)]
    })

    return Answerer.of({
      kind: "extractive",
      answer: (asker, messages) =>
        Stream.fromIterableEffect(
          answer(asker, messages).pipe(
            Effect.catchTag("DatabaseUnavailable", ({ message }) =>
              Effect.fail(new AnswerFailed({ reason: "unavailable", message })),
            ),
          ),
        ),
    })
  }),
)

const text = (content: string): AnswerEvent => ({ type: "content_delta", content })

/** That a subject's documents or deals were read. */
const looked = (
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

/** A quote on one line, without links of its own. */
const plain = (text: string) => {
  const remover = new LinkRemover()
  return remover.push(text.replaceAll(/\s+/g, " ")) + remover.end()
}
