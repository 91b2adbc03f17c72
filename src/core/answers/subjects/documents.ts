import { divideStatements } from "../../search/rows.ts"
import type { Passage } from "../../search/SearchIndex.ts"
import { splitSentences } from "../../common/sentences.ts"
import type { Quote } from "../citations/References.ts"
import type { Subject } from "./subject.ts"

const THINGS = String.raw`(?:battle ?cards?|documents?|docs|files?|one[- ]pagers?|recordings?|transcripts?|(?<!apis? )calls?(?! per )|meetings?)`
const ASKS = new RegExp(
  String.raw`(?<!\p{L})(?:(?:do|did) we have|have we got|(?:is|are) there|which|list|show(?: me)?|how (?:old|many|recent)|latest|last|most recent|newest|who (?:wrote|made|added)|when)(?!\p{L}).*(?<!\p{L})${THINGS}(?!\p{L})|(?<!\p{L})when did (?:we|i) last (?:speak|talk|meet|call)(?!\p{L})`,
  "iu",
)
/** "What does the battlecard say about prices?" asks for its text. */
const OF_TEXT =
  /(?<!\p{L})(?:according to|sa(?:y|ys|id)|tells?|told|mention\p{L}*|states?|claims?|about (?:the )?pric\p{L}*|prep\p{L}*|brief\p{L}*)(?!\p{L})/iu

/** Whether a question asks which documents there are about its subject. */
export const asksForDocuments = (question: string): boolean => ASKS.test(question) && !OF_TEXT.test(question)

const NEWS =
  /(?<!\p{L})(?:any |some |the |is there )?(?:news|updates?|anything new|what(?:'s|’s| is) new)(?: (?:on|about|from|with|regarding|of))(?!\p{L})/iu

/** Whether a question asks for a list of the documents about its subject; of news, with their first sentences. */
export const asksForList = (question: string, { kind }: Pick<Subject, "kind">): "bare" | "quoted" | undefined =>
  asksForDocuments(question) ? "bare" : kind === "competitor" && NEWS.test(question) ? "quoted" : undefined

/** Documents that an answer lists. */
const MAX_LISTED = 10

/** The beginnings of the documents among passages, in their order. */
export const listDocuments = (sections: ReadonlyArray<Passage>): ReadonlyArray<Quote> =>
  sections
    .filter(({ source, n }) => source === "document" && n === 0)
    .slice(0, MAX_LISTED)
    .map((passage) => {
      const sentences = divideStatements(passage, splitSentences)
      const first = sentences.find(({ text }) => !passage.headings.includes(text)) ?? sentences[0]
      return { passage, start: first?.start ?? 0, end: first?.end ?? passage.text.length }
    })

/** The line above a list of documents. */
export const describeListed = (name: string, count: number): string =>
  count === 0
    ? `No document or call about ${name} was found.`
    : `Documents about ${name}, the newest first${count < MAX_LISTED ? "" : `, at most ${MAX_LISTED}`}. The dates are those of their uploads; nothing records who wrote them.\n\n`
