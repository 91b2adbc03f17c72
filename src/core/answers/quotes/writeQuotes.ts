import * as Effect from "effect/Effect"
import { labelRows, speakerAt } from "../../search/rows.ts"
import { span } from "../../telemetry/tracing.ts"
import type { AnswerEvent } from "../Answerer.ts"
import { makeCitation } from "../citations/citing.ts"
import { LinkRemover } from "../citations/LinkRemover.ts"
import { asText, linkTo } from "../citations/markdown.ts"
import type { Quote } from "../citations/References.ts"

/** Writes quotes, each with its speaker if it has one and a link to its place. */
export const quoteAll = (org: string, quotes: ReadonlyArray<Quote>) =>
  Effect.map(span("answer.cite")(Effect.forEach(quotes, (quote) => writeQuote(org, quote))), (events) => events.flat())

const writeQuote = (org: string, quote: Quote) =>
  Effect.map(makeCitation(org, quote), (citation): ReadonlyArray<AnswerEvent> => {
    const said = toPlainLine(labelRows(quote.passage, quote.start, quote.end))
    const speaker = speakerAt(quote.passage, quote.start)
    const by = speaker === undefined ? "" : `${asText(speaker)}, `
    return [
      { type: "citation", citation },
      { type: "content_delta", content: `“${said}” — ${by}${linkTo(citation)}\n\n` },
    ]
  })

/** Puts a text on one line and removes its links. */
export const toPlainLine = (text: string): string => {
  const remover = new LinkRemover()
  return remover.push(text.replaceAll(/\s+/g, " ")) + remover.end()
}
