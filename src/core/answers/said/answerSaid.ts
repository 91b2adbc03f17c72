import * as Effect from "effect/Effect"
import { findTopics } from "../../analysis/extracted/topics.ts"
import { fold } from "../../common/fold.ts"
import { ViewerLinks } from "../../library/viewer/ViewerLinks.ts"
import { Database } from "../../storage/Database.ts"
import { type AnswerEvent, text } from "../Answerer.ts"
import { type Asker, readsDeals, readsDocuments } from "../Asker.ts"
import type { Citation } from "../citation.ts"
import { asText, linkTo } from "../citations/markdown.ts"
import { readSaid, type SaidQuestion } from "./question.ts"

/** In UTF-16 units. */
const MAX_LENGTH = 300
const MAX_DEALS = 3
const MAX_QUOTES = 6

interface DealRow {
  readonly id: string
  readonly name: string
  readonly analyzed: boolean
}

interface FindingRow {
  readonly deal_id: string
  readonly document_id: string
  readonly document_name: string
  readonly target_name: string
  readonly aliases: ReadonlyArray<string>
  readonly side: "buyer" | "seller" | "unknown"
  readonly speaker: string | null
  readonly quote: string
  readonly start_at: number
  readonly end_at: number
}

/**
 * Answers what a side said about something in a deal, from the findings of its analysis. Undefined if the question is another one, or
 * names no deal that was analyzed: then its texts are searched.
 */
export const answerSaid = Effect.fn("Answers.said")(function* (asker: Asker, question: string) {
  if (question.length > MAX_LENGTH || !readsDeals(asker) || !readsDocuments(asker)) return undefined
  const said = readSaid(question)
  if (said === undefined) return undefined
  const { scoped, sql } = yield* Database
  const org = asker.organizationId
  const name = fold(said.deal)
  const found = yield* scoped<DealRow>(
    org,
    sql`select d.id, d.name, exists (select from deal_analyses a where a.org_id = scope.org and a.deal_id = d.id
        and a.finished_at is not null) as analyzed
      from deals d left join clients c on c.org_id = scope.org and c.id = d.client_id
      where d.org_id = scope.org and (strpos(d.folded, ${name}) > 0 or strpos(c.folded, ${name}) > 0)
      order by d.folded = ${name} desc, d.created_at desc, d.id limit 50`,
  )
  const exact = found.filter((deal) => fold(deal.name) === name)
  const deals = (exact.length > 0 ? exact : found).filter(({ analyzed }) => analyzed).slice(0, MAX_DEALS)
  if (deals.length === 0) return undefined
  const rows = yield* scoped<FindingRow>(
    org,
    sql`select f.deal_id, f.document_id, t.file_name as document_name, f.target_name, f.side, f.speaker, f.quote, f.start_at, f.end_at,
        coalesce(k.aliases, e.aliases, r.aliases, '{}') as aliases
      from findings f
      join documents t on t.org_id = scope.org and t.id = f.document_id
      left join competitors k on f.kind = 'competitor' and k.org_id = scope.org and k.id = f.target_id
      left join features e on f.kind = 'feature' and e.org_id = scope.org and e.id = f.target_id
      left join reasons r on f.kind = 'driver' and r.org_id = scope.org and r.id = f.target_id
      where f.org_id = scope.org and f.deal_id = any(${deals.map(({ id }) => id)}::text[]) and f.state <> 'rejected'
      order by t.created_at, f.document_id, f.start_at, f.id`,
  )
  const about = rows.filter((row) => isAbout(row, said.topic))
  const call = { id: "call_said", name: "search_deal_documents" } as const
  const events: Array<AnswerEvent> = [
    {
      type: "tool_call",
      ...call,
      arguments: { query: said.topic, ...(deals.length === 1 && { deal_id: deals[0]!.id }) },
    },
    { type: "tool_result", ...call, found: about.length },
  ]
  for (const deal of deals) events.push(...(yield* writeAnswer(org, deal, said, withoutRepeats(about, deal.id))))
  return events
})

/** One sentence can have several findings. */
const withoutRepeats = (rows: ReadonlyArray<FindingRow>, deal: string) => [
  ...new Map(
    rows.filter((row) => row.deal_id === deal).map((row) => [`${row.document_id} ${row.start_at}`, row]),
  ).values(),
]

const isAbout = ({ target_name, aliases, quote }: FindingRow, topic: string): boolean => {
  const wanted = topic.toLowerCase()
  if ([target_name, ...aliases].some((name) => name.toLowerCase() === wanted)) return true
  const topics = findTopics(topic)
  return quote.toLowerCase().includes(wanted) || findTopics(quote).some((each) => topics.includes(each))
}

const writeAnswer = Effect.fnUntraced(function* (
  org: string,
  deal: DealRow,
  { side, topic }: SaidQuestion,
  rows: ReadonlyArray<FindingRow>,
) {
  const who = side === undefined ? "anyone" : `the ${side}`
  const heading = `**${asText(deal.name)}**`
  const own = rows.filter((row) => side === undefined || row.side === side)
  const unknown = side === undefined ? [] : rows.filter((row) => row.side === "unknown")
  if (own.length === 0 && unknown.length === 0)
    return [text(`${heading}: no finding in its documents has ${who} speak about ${asText(topic)}.\n\n`)]
  const events: Array<AnswerEvent> = [text(`${heading}, what ${who} said about ${asText(topic)}:\n\n`)]
  if (own.length === 0) events.push(text("Nothing that is known to be theirs.\n\n"))
  events.push(...(yield* writeQuotes(org, deal, own)))
  if (unknown.length > 0) {
    events.push(text("Not known who says it:\n\n"), ...(yield* writeQuotes(org, deal, unknown)))
  }
  return events
})

const writeQuotes = Effect.fnUntraced(function* (org: string, deal: DealRow, rows: ReadonlyArray<FindingRow>) {
  const links = yield* ViewerLinks
  const events: Array<AnswerEvent> = []
  for (const row of rows.slice(0, MAX_QUOTES)) {
    const citation: Citation = {
      document_id: row.document_id,
      document_name: row.document_name,
      deal_id: deal.id,
      deal_name: deal.name,
      url: yield* links.url(org, row.document_id, {
        start: row.start_at,
        end: row.end_at,
        source: { text: row.quote, start: row.start_at },
      }),
      excerpt: row.quote,
    }
    const speaker = row.speaker === null ? "" : `${asText(row.speaker)}, `
    events.push(
      { type: "citation", citation },
      text(`- “${asText(row.quote.replaceAll(/\s+/g, " "))}” — ${speaker}${linkTo(citation)}\n`),
    )
  }
  const more = rows.length - MAX_QUOTES
  events.push(text(more > 0 ? `\n${more} more: \`GET /deals/${deal.id}/analysis\`.\n\n` : "\n"))
  return events
})
