import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { Deals, dealsIn } from "../../deals/Deals.ts"
import type { CanonicalFilters } from "../../deals/filters.ts"
import { placeOfCompetitor } from "../../library/places.ts"
import { ViewerLinks } from "../../library/viewer/ViewerLinks.ts"
import { DealRecords } from "../../search/DealRecords.ts"
import { Database } from "../../storage/Database.ts"
import { type AnswerEvent, AnswerFailed, type ToolName } from "../Answerer.ts"
import { DealQuestions } from "../DealQuestions.ts"
import { headline, line, notUnderstood, reasons, type Row, whole, winRate } from "./compose.ts"
import { excerptOf } from "./excerpt.ts"
import { loadNames, type Names } from "./names.ts"
import { parse, type Question } from "./parse.ts"

/** Deals that an answer lists. */
const LISTED = 10
const COLUMNS = ["name", "amount", "deal_status", "close_date", "owner_name"] as const

const text = (content: string): AnswerEvent => ({ type: "content_delta", content })

/** Questions that count or list deals, answered by the deals' own filters. What it does not wholly understand it does not answer. */
export const layerDealQuestions = Layer.effect(
  DealQuestions,
  Effect.gen(function* () {
    const database = yield* Database
    const deals = yield* Deals
    const records = yield* DealRecords
    const links = yield* ViewerLinks

    /** A tool's call and what it found, as they are told. */
    const used = (id: string, name: ToolName, args: unknown, found: number): ReadonlyArray<AnswerEvent> => [
      { type: "tool_call", id, name, arguments: args },
      { type: "tool_result", id, name, found },
    ]

    /** A rival that no name equals may be spelt a little wrong. */
    const resolved = Effect.fnUntraced(function* (org: string, question: Question, names: Names) {
      const still: Array<Question["unknown"][number] & { readonly closest?: ReadonlyArray<string> }> = []
      const found: Array<string> = []
      for (const unknown of question.unknown) {
        if (unknown.as !== "competitor") {
          still.push(unknown)
          continue
        }
        const place = yield* Effect.result(placeOfCompetitor(database, org, { competitor_name: unknown.said }))
        if (place._tag === "Success") {
          found.push(
            names.named.find(({ kind, value }) => kind === "competitor" && value === place.success.competitorId)
              ?.name ?? unknown.said,
          )
        } else if (place.failure._tag === "NotFound") {
          const closest = place.failure.details?.["closest"] as ReadonlyArray<{ readonly name: string }> | undefined
          still.push({ ...unknown, closest: (closest ?? []).map(({ name }) => name) })
        } else return yield* place.failure
      }
      const competitors = [...(question.filters.competitors ?? []), ...found]
      return { still, filters: { ...question.filters, ...(found.length > 0 && { competitors }) } }
    })

    const rowsOf = Effect.fnUntraced(function* (org: string, question: Question, filters: CanonicalFilters) {
      const most = Math.min(question.most ?? LISTED, LISTED)
      const byDate = question.categories.some((category) => category !== "open") ? "close_date" : "created_at"
      const page = yield* deals.list(org, {
        filters,
        sort: question.sort === "amount" ? "amount" : byDate,
        sortOrder: question.ascending === true || question.sort === "oldest" ? "asc" : "desc",
        columns: COLUMNS,
        pageSize: Math.max(most, 1),
      })
      const found = dealsIn(page) as ReadonlyArray<Omit<Row, "citation">>
      const rows = yield* Effect.forEach(
        found,
        Effect.fnUntraced(function* (deal) {
          const record = yield* records.text(org, deal.id)
          if (record === undefined) return []
          const { start, end } = excerptOf(record, question.why)
          const url = yield* links.dealUrl(org, deal.id, { start, end })
          const named = { document_id: deal.id, document_name: deal.name, deal_id: deal.id, deal_name: deal.name }
          return [{ ...deal, citation: { ...named, url, excerpt: record.text.slice(start, end) } }]
        }),
        { concurrency: LISTED },
      )
      return rows.flat()
    })

    const answered = Effect.fnUntraced(function* (org: string, asked: Question, names: Names) {
      const { still, filters } = yield* resolved(org, asked, names)
      const searched = asked.unknown
        .filter(({ as }) => as === "competitor")
        .flatMap(({ said }, n) =>
          used(
            `competitor_${n + 1}`,
            "search_competitors",
            { name: said },
            still.some((each) => each.said === said) ? 0 : 1,
          ),
        )
      if (still.length > 0) return [...searched, text(notUnderstood(still))]
      const question = { ...asked, filters }
      const events: Array<AnswerEvent> = [...searched]
      const counted = Effect.fnUntraced(function* (id: string, filters: CanonicalFilters) {
        const totals = yield* deals.totals(org, filters)
        events.push(...used(id, "count_deals", filters, totals.count))
        return totals
      })
      if (question.intent === "win_rate") {
        const ending = (category: "won" | "lost") => ({
          ...filters,
          status: names.stages.filter((stage) => stage.category === category).map(({ name }) => name),
        })
        const [won, lost] = [yield* counted("won", ending("won")), yield* counted("lost", ending("lost"))]
        return [...events, text(whole(question, names, [winRate(won, lost)]))]
      }
      const totals = yield* counted("count", filters)
      const why = question.why
        ? reasons(yield* deals.drivers(org, filters), question.categories, totals.count)
        : undefined
      const told = [headline(question, totals), ...(why === undefined || totals.count === 0 ? [] : [why])]
      events.push(text(`${whole(question, names, told)}\n`))
      if (totals.count === 0) return events
      const rows = yield* rowsOf(org, question, filters)
      events.push(...used("list", "search_deals", { filters, limit: LISTED }, rows.length))
      for (const row of rows) events.push({ type: "citation", citation: row.citation }, text(line(row)))
      const more = totals.count - rows.length
      if (more > 0) events.push(text(`\nand ${more.toLocaleString("en-US")} more.\n`))
      return events
    })

    return DealQuestions.of({
      answer: Effect.fn("DealQuestions.answer")(
        function* (org, messages) {
          const question = messages.at(-1)?.content ?? ""
          if (question.length > LONGEST || !ABOUT_DEALS.test(question)) return Option.none()
          const names = yield* loadNames(database, org, question)
          const asked = parse(question, names, new Date(yield* Clock.currentTimeMillis))
          return asked === undefined ? Option.none() : Option.some(yield* answered(org, asked, names))
        },
        Effect.catchTags({
          DatabaseUnavailable: ({ message }) => new AnswerFailed({ reason: "unavailable", message }),
          BadRequest: Effect.die,
        }),
      ),
    })
  }),
)

/** A question that counts is short; a long text is read for what it tells. */
const LONGEST = 500
const ABOUT_DEALS = /\b(?:deals?|opportunit|opps?\b|pipeline|we\s|win[ -]|close[ -]rate)/i
