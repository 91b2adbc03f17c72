import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { ViewerLinks } from "../../library/viewer/ViewerLinks.ts"
import { SearchIndex } from "../../search/SearchIndex.ts"
import { type AnswerEvent, Answerer, AnswerFailed, type Message } from "../Answerer.ts"
import { citationOf, linkTo } from "../citations/citing.ts"
import { LinkRemover } from "../citations/LinkRemover.ts"
import type { Quote } from "../citations/References.ts"
import { DealQuestions } from "../DealQuestions.ts"
import { compose } from "./compose.ts"
import { questionsOf } from "./followUp.ts"

/** Passages that are read for an answer. */
const PASSAGES = 10

const NOTHING = "This workspace holds nothing that answers this."

/**
 * Answers without a model: by the sentences of the workspace that answer best, quoted, each with a link to where it stands.
 * Questions that count or list deals are answered by `DealQuestions`.
 */
export const layerExtractive = Layer.effect(
  Answerer,
  Effect.gen(function* () {
    const index = yield* SearchIndex
    const links = yield* ViewerLinks
    const deals = yield* DealQuestions

    const search = (org: string, query: string, number: number) =>
      Effect.gen(function* () {
        const call = { id: `call_${number}`, name: "search_knowledge_base" } as const
        const result = yield* index.search(org, { text: query, limit: PASSAGES })
        const events: ReadonlyArray<AnswerEvent> = [
          { type: "tool_call", ...call, arguments: { query } },
          { type: "tool_result", ...call, found: result.passages.length },
        ]
        return { quotes: compose(query, result), events }
      })

    const told = (org: string, quote: Quote) =>
      Effect.map(citationOf(links, org, quote), (citation): ReadonlyArray<AnswerEvent> => [
        { type: "citation", citation },
        { type: "content_delta", content: `“${plain(citation.excerpt)}” — ${linkTo(citation)}\n\n` },
      ])

    const fromText = Effect.fn("Extractive.fromText")(function* (org: string, messages: ReadonlyArray<Message>) {
      const events: Array<AnswerEvent> = []
      for (const [index, query] of questionsOf(messages).entries()) {
        const found = yield* search(org, query, index + 1)
        events.push(...found.events)
        if (found.quotes.length === 0) continue
        for (const quote of found.quotes) events.push(...(yield* told(org, quote)))
        return events
      }
      events.push({ type: "content_delta", content: NOTHING })
      return events
    })

    return Answerer.of({
      kind: "extractive",
      answer: (org, messages) =>
        Stream.fromIterableEffect(
          Effect.gen(function* () {
            const counted = yield* deals.answer(org, messages)
            return Option.isSome(counted) ? counted.value : yield* fromText(org, messages)
          }).pipe(
            Effect.catchTag("DatabaseUnavailable", ({ message }) =>
              Effect.fail(new AnswerFailed({ reason: "unavailable", message })),
            ),
          ),
        ),
    })
  }),
)

/** A quote on one line, without links of its own. */
const plain = (text: string) => {
  const remover = new LinkRemover()
  return remover.push(text.replaceAll(/\s+/g, " ")) + remover.end()
}
