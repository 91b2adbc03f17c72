import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { splitSentences } from "../../common/sentences.ts"
import { divideStatements, labelRows } from "../../search/rows.ts"
import { type Passage, SearchIndex } from "../../search/SearchIndex.ts"
import { Database } from "../../storage/Database.ts"
import { type AnswerEvent, text } from "../Answerer.ts"
import { type Asker, readsDeals, readsDocuments, scopeOf } from "../Asker.ts"
import { makeCitation } from "../citations/citing.ts"
import { asText, linkTo } from "../citations/markdown.ts"
import type { Quote } from "../citations/References.ts"
import { writeCount } from "../questions/words/numbers.ts"
import { comparesWithSame } from "../quotes/comparison.ts"
import { isInstruction } from "../quotes/instructions.ts"
import { TermMatcher } from "../quotes/TermMatcher.ts"
import { listDocuments } from "../subjects/documents.ts"
import { readDocuments } from "../subjects/sections.ts"
import { type MentionQuestion, readMentions } from "./question.ts"

/** In UTF-16 units. */
const MAX_LENGTH = 300

/** Passages that a search returns. */
const MAX_PASSAGES = 60

/** Documents that an answer lists. */
const MAX_LISTED = 10

/**
 * Lists the documents of a kind, or those that have the words of a question, each with the sentence that has most of them. Undefined
 * if the question is another one.
 */
export const answerMentions = Effect.fn("Answers.mentions")(function* (asker: Asker, question: string) {
  if (question.length > MAX_LENGTH || !readsDocuments(asker)) return undefined
  const asked = readMentions(question)
  if (asked === undefined) return undefined
  const { kind, words, news } = asked
  if (news !== undefined) return yield* answerNews(asker, news)
  return yield* words === undefined ? answerKind(asker, kind) : answerWords(asker, kind, words)
})

const answerWords = Effect.fnUntraced(function* (asker: Asker, kind: string | undefined, words: string) {
  const index = yield* SearchIndex
  const scope = { ...scopeOf(asker), documentTypes: ["asset", "intel"] } as const
  const { passages, terms } = yield* index.search(asker.organizationId, { text: words, limit: MAX_PASSAGES, scope })
  if (terms.length === 0) return undefined
  const matcher = new TermMatcher(terms)
  const every = (1n << BigInt(terms.length)) - 1n
  const having = passages.filter((passage) => isOfKind(kind, passage) && matcher.find(writeAll(passage)) === every)
  const quotes = having
    .flatMap((passage) => chooseSentence(passage, matcher))
    // One sentence of a call says nothing of the words of another; several things may stand apart.
    .filter(({ passage, start, end }) => {
      if (!hasSpeakers(passage) || SEVERAL.test(words)) return true
      const said = passage.text.slice(start, end)
      return matcher.find(`${writeTitle(passage)}\n${said}`) === every && comparesWithSame(words, said)
    })
  const found = [...Map.groupBy(quotes, ({ passage }) => passage.id).values()].map(([best]) => best!)
  const said = `the words “${asText(words)}”`
  const head =
    found.length === 0
      ? `No ${kind ?? "document"} has ${said}.`
      : `${passages.length === MAX_PASSAGES ? "At least " : ""}**${writeCount(found.length, kind ?? "document")}** ${found.length === 1 ? "has" : "have"} ${said}.${writeShown(found.length, "first")}\n\n`
  const writeLine = (quote: Quote, link: string) =>
    `- ${link}: “${asText(labelRows(quote.passage, quote.start, quote.end))}”\n`
  return yield* writeList(asker, { words, count: found.length, head, quotes: found }, writeLine)
})

const answerKind = Effect.fnUntraced(function* (asker: Asker, kind: string | undefined) {
  const org = asker.organizationId
  const { scoped, sql } = yield* Database
  const name = kind?.replaceAll(/[\s-]/g, "")
  const isOfKind =
    name === undefined
      ? sql`true`
      : sql`(strpos(regexp_replace(lower(file_name), '[^[:alnum:]]', '', 'g'), ${name}) > 0
          or (${isSpoken(name)}::boolean and content_type ~ '^(audio|video)/|vtt|subrip'))`
  const matching = sql`${isOfKind} and status = 'ready' and replaced_by is null and (deal_id is null or ${readsDeals(asker)}::boolean)`
  const [counted] = yield* scoped<{ readonly count: number }>(
    org,
    sql`select count(*)::int as count from documents where org_id = scope.org and ${matching}`,
  )
  const count = counted?.count ?? 0
  const quotes = listDocuments(yield* readDocuments(org, matching, { documents: MAX_LISTED, chunks: 1 }))
  const head =
    count === 0
      ? `The workspace has no ${kind ?? "document"}.`
      : `The workspace has **${writeCount(count, kind ?? "document")}**.${writeShown(count, "newest")}\n\n`
  const writeLine = ({ passage }: Quote, link: string) => `- ${link}, added ${passage.createdAt.slice(0, 10)}\n`
  return yield* writeList(asker, { words: kind ?? "document", count, head, quotes }, writeLine)
})

/** Lists the newest documents about competitors, each with its first sentence. */
const answerNews = Effect.fnUntraced(function* (asker: Asker, news: NonNullable<MentionQuestion["news"]>) {
  const org = asker.organizationId
  const { sql } = yield* Database
  const now = new Date(yield* Clock.currentTimeMillis)
  const { unit, offset } = news === "all" ? { unit: "year", offset: 0 } : news
  const from = sql`date_trunc(${unit}, ${now}::timestamptz) + ${`${offset} ${unit}`}::interval`
  const isRecent =
    news === "all" ? sql`true` : sql`created_at >= ${from} and created_at < ${from} + ${`1 ${unit}`}::interval`
  const isNews = sql`competitor_id is not null and status = 'ready' and replaced_by is null and ${isRecent}`
  const quotes = listDocuments(yield* readDocuments(org, isNews, { documents: MAX_LISTED, chunks: 1 }))
  const when = news === "all" ? "" : ` added ${offset < 0 ? "last" : "this"} ${unit}`.replace("this day", "today")
  const head =
    quotes.length === 0
      ? `No document about a competitor was${when === "" ? " found" : when}.`
      : `Documents about competitors${when}, the newest first${quotes.length < MAX_LISTED ? "" : `, at most ${MAX_LISTED}`}:\n\n`
  const writeLine = ({ passage, start, end }: Quote, link: string) =>
    `- ${link}, added ${passage.createdAt.slice(0, 10)}: “${asText(passage.text.slice(start, end))}”\n`
  return yield* writeList(asker, { words: "competitors", count: quotes.length, head, quotes }, writeLine)
})

interface List {
  readonly words: string
  readonly count: number
  readonly head: string
  readonly quotes: ReadonlyArray<Quote>
}

const writeList = Effect.fnUntraced(function* (
  asker: Asker,
  { words, count, head, quotes }: List,
  writeLine: (quote: Quote, link: string) => string,
) {
  const call = { id: "call_mentions", name: "search_knowledge_base" } as const
  const lines = yield* Effect.forEach(quotes.slice(0, MAX_LISTED), (quote) =>
    Effect.map(makeCitation(asker.organizationId, quote), (citation): ReadonlyArray<AnswerEvent> => [
      { type: "citation", citation },
      text(writeLine(quote, linkTo(citation))),
    ]),
  )
  return [
    { type: "tool_call", ...call, arguments: { query: words } } as const,
    { type: "tool_result", ...call, found: count } as const,
    text(head),
    ...lines.flat(),
  ] satisfies ReadonlyArray<AnswerEvent>
})

const writeShown = (count: number, order: string) => (count > MAX_LISTED ? ` The ${order} ${MAX_LISTED}:` : "")

const writeTitle = ({ name, headings }: Passage) => [name, ...headings].join("\n")

const writeAll = (passage: Passage) => `${writeTitle(passage)}\n${passage.text}`

const hasSpeakers = ({ places }: Passage) => places.some(({ place }) => "speaker" in place)

const SEVERAL = /[,&+]|(?<!\p{L})(?:and|or|plus)(?!\p{L})/iu

const isSpoken = (kind: string) => /^(?:recording|transcript|call|meeting|conversation)$/.test(kind)

/** A call is a text with times, or one that its name calls a call. */
const isOfKind = (kind: string | undefined, { name, place }: Passage): boolean => {
  if (kind === undefined || (isSpoken(kind) && place.kind === "time")) return true
  return name
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, "")
    .includes(kind.replaceAll(/[\s-]/g, ""))
}

/** The statement that has most of the words; none if the passage only instructs. */
const chooseSentence = (passage: Passage, matcher: TermMatcher): ReadonlyArray<Quote> => {
  const statements = divideStatements(passage, splitSentences).filter(({ text }) => !isInstruction(text))
  const weights = statements.map(({ text }) => matcher.coverage(matcher.find(text)))
  const best = statements[weights.indexOf(Math.max(...weights))]
  return best === undefined ? [] : [{ passage, start: best.start, end: best.end }]
}
