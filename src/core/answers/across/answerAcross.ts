import * as Effect from "effect/Effect"
import { labelRows } from "../../search/rows.ts"
import { SearchIndex } from "../../search/SearchIndex.ts"
import { Database } from "../../storage/Database.ts"
import { type AnswerEvent, text } from "../Answerer.ts"
import { type Asker, readsDocuments } from "../Asker.ts"
import { makeCitation } from "../citations/citing.ts"
import { asText, linkTo } from "../citations/markdown.ts"
import type { Quote } from "../citations/References.ts"
import { compose } from "../quotes/compose.ts"
import { writeCount } from "../questions/words/numbers.ts"
import { questionsAbout, writeQuestions } from "../questions/reply/refusal.ts"
import { PRICE_CHANGE } from "../subjects/vocabulary.ts"
import { numberIn, orderByNumber, type Stated } from "./compare.ts"
import { excludesNamed, readAcross, topicOfComparison } from "./question.ts"

/** Competitors whose documents are asked, those with the most documents first. */
const MAX_COMPETITORS = 12
const MAX_PASSAGES = 6
/** In UTF-16 units. */
const MAX_LENGTH = 500

interface CompetitorRow {
  readonly id: string
  readonly name: string
  readonly documents: number
}

/** Asks the documents of every competitor, compares what they say, and names the competitors whose documents do not say it. */
export const answerAcross = Effect.fn("Answers.across")(function* (asker: Asker, question: string) {
  if (question.length > MAX_LENGTH || !readsDocuments(asker)) return undefined
  const org = asker.organizationId
  const { scoped, sql } = yield* Database
  const index = yield* SearchIndex
  const all = yield* scoped<CompetitorRow>(
    org,
    sql`select c.id, c.name, (select count(*)::int from documents d where d.org_id = scope.org and d.competitor_id = c.id) as documents
    from competitors c where c.org_id = scope.org order by documents desc, c.name limit 1000`,
  )
  const lower = question.toLowerCase()
  const named = all.filter(({ name }) => lower.includes(name.toLowerCase()))
  const across = readAcross(
    question,
    named.map(({ name }) => name),
  )
  if (across === undefined || all.length === 0) return undefined
  const asked = chooseAsked(question, all, named).slice(0, MAX_COMPETITORS)
  const found = yield* Effect.forEach(
    asked,
    Effect.fnUntraced(function* (competitor) {
      if (competitor.documents === 0) return { competitor, quote: undefined, stated: undefined, change: undefined }
      const scope = { within: "library", competitorIds: [competitor.id] } as const
      const result = yield* index.search(org, { text: across.query, limit: MAX_PASSAGES, scope })
      const quotes = compose(across.query, result)
      const stating = quotes.flatMap((quote) => {
        const stated = across.compares && numberIn(writeSentence(quote), across.compares)
        return stated === undefined ? [] : [{ quote, stated }]
      })[0]
      const quote = stating?.quote ?? quotes[0]
      const change =
        across.compares === "money" ? quotes.find((each) => each !== quote && isPriceChange(each)) : undefined
      return { competitor, quote, stated: stating?.stated, change }
    }),
    { concurrency: 4 },
  )
  const saying = found.flatMap(({ quote, ...rest }) => (quote === undefined ? [] : [{ ...rest, quote }]))
  if (saying.length === 0) {
    // A search would find texts that name both and compare them on something else.
    const names = named.map(({ name }) => name)
    const topic = topicOfComparison(question, names)
    return topic === undefined ? undefined : [text(refuse(topic, names))]
  }
  const ordered = across.order === undefined ? [] : orderByNumber(saying, across.order)
  const rest = saying.filter((each) => !ordered.includes(each))
  const lines = yield* Effect.forEach(
    [...ordered, ...rest],
    Effect.fnUntraced(function* ({ competitor, quote, stated, change }) {
      const quoted = yield* Effect.forEach(change === undefined ? [quote] : [quote, change], (each) =>
        Effect.map(makeCitation(org, each), (citation) => ({
          event: { type: "citation", citation } as const,
          said: `“${asText(writeSentence(each))}” — ${linkTo(citation)}`,
        })),
      )
      const said = quoted.map((each) => each.said).join("; ")
      return [
        ...quoted.map(({ event }) => event),
        text(`- **${asText(competitor.name)}**${stated === undefined ? "" : ` (${asText(stated.text)})`}: ${said}\n`),
      ]
    }),
  )
  const silent = found.filter(({ quote }) => quote === undefined).map(({ competitor }) => asText(competitor.name))
  const head =
    writeFirst(ordered, across.superlative) ??
    `The documents of ${saying.length} of ${asked.length} competitors say something about this:`
  return [
    {
      type: "tool_call",
      id: "across",
      name: "search_knowledge_base",
      arguments: { query: across.query },
    } as const,
    { type: "tool_result", id: "across", name: "search_knowledge_base", found: saying.length } as const,
    text(`${head}\n\n`),
    ...lines.flat(),
    ...(silent.length === 0 ? [] : [text(`\nThe documents about ${silent.join(", ")} do not say it.\n`)]),
  ] satisfies ReadonlyArray<AnswerEvent>
})

const refuse = (topic: string, names: ReadonlyArray<string>): string =>
  `I cannot compare ${names.map(asText).join(" and ")} on “${asText(topic)}”: no document about them says something of it.\n\n${writeQuestions(names.slice(0, 2).flatMap((name) => questionsAbout("competitor", name).slice(0, 1)))}`

/** The competitors that the question names, or all others if it excludes them; all if it names none. */
const chooseAsked = (
  question: string,
  all: ReadonlyArray<CompetitorRow>,
  named: ReadonlyArray<CompetitorRow>,
): ReadonlyArray<CompetitorRow> => {
  if (named.length === 0) return all
  const names = named.map(({ name }) => name)
  return excludesNamed(question, names) ? all.filter((each) => !named.includes(each)) : named
}

/** The competitors that share the first place; undefined if no document states what is compared. */
const writeFirst = (
  ordered: ReadonlyArray<{ readonly competitor: CompetitorRow; readonly stated: Stated | undefined }>,
  superlative: string | undefined,
): string | undefined => {
  const first = ordered[0]?.stated
  if (first === undefined) return undefined
  const names = ordered
    .filter(({ stated }) => stated?.value === first.value)
    .map(({ competitor }) => `**${asText(competitor.name)}**`)
  const verb = superlative === undefined ? "" : names.length > 1 ? ` are ${superlative}` : ` is ${superlative}`
  return `${names.join(" and ")}${verb}: ${asText(first.text)}, of ${writeCount(ordered.length, "competitor")} whose documents state it.`
}

const isPriceChange = (quote: Quote) => {
  const sentence = writeSentence(quote)
  return PRICE_CHANGE.statement.test(sentence) && numberIn(sentence, "money") !== undefined
}

const writeSentence = ({ passage, start, end }: Quote) => labelRows(passage, start, end)
