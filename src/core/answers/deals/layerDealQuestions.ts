import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { Deals, dealsIn, type Totals } from "../../deals/Deals.ts"
import type { CanonicalFilters } from "../../deals/filters.ts"
import { placeOfCompetitor } from "../../library/places.ts"
import { ViewerLinks } from "../../library/viewer/ViewerLinks.ts"
import { DealRecords } from "../../search/DealRecords.ts"
import { Database } from "../../storage/Database.ts"
import type { ToolName } from "../tools/names.ts"
import { type AnswerEvent, AnswerFailed } from "../Answerer.ts"
import { DealQuestions } from "../DealQuestions.ts"
import { headline, line, noStage, NOT_TOGETHER, notUnderstood, reasons, type Row, whole, winRate } from "./compose.ts"
import { excerptOf } from "./excerpt.ts"
import { loadNames, type Named, type Names } from "./names.ts"
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

    /** A rival that no name equals may be spelt a little wrong: then the question is read again with that spelling as a name. */
    const spelt = Effect.fnUntraced(function* (org: string, text: string, question: Question, names: Names, now: Date) {
      const events: Array<AnswerEvent> = []
      const meant = new Map<string, Named>()
      const closest = new Map<string, ReadonlyArray<string>>()
      for (const { said, as } of question.unknown) {
        if (as !== "competitor") continue
        const place = yield* Effect.result(placeOfCompetitor(database, org, { competitor_name: said }))
        if (place._tag === "Failure" && place.failure._tag !== "NotFound") return yield* place.failure
        if (place._tag === "Success") {
          const of = (each: Named) => each.kind === "competitor" && each.value === place.success.competitorId
          meant.set(said, names.named.find(of) ?? { kind: "competitor", value: place.success.competitorId, name: said })
        } else {
          const listed = place.failure.details?.["closest"] as ReadonlyArray<{ readonly name: string }> | undefined
          closest.set(
            said,
            (listed ?? []).map(({ name }) => name),
          )
        }
        const id = `competitor_${events.length / 2 + 1}`
        events.push(...used(id, "search_competitors", { name: said }, meant.has(said) ? 1 : 0))
      }
      const spellings = [...meant].map(([said, named]) => ({ ...named, name: said }))
      const again = meant.size === 0 ? question : parse(text, { ...names, named: [...names.named, ...spellings] }, now)
      if (again === undefined) return undefined
      const { competitors } = again.filters
      const filters = {
        ...again.filters,
        ...(competitors !== undefined && {
          competitors: [...new Set(competitors.map((said) => meant.get(said)?.name ?? said))],
        }),
      }
      const most = again.most === undefined ? {} : { most: Math.min(Math.max(again.most, 1), LISTED) }
      const unknown = again.unknown.map((each) => ({ ...each, closest: closest.get(each.said) ?? [] }))
      return { events, question: { ...again, ...most, filters }, unknown }
    })

    const rowsOf = Effect.fnUntraced(function* (org: string, question: Question, filters: CanonicalFilters) {
      const byDate = question.categories.some((category) => category !== "open") ? "close_date" : "created_at"
      const page = yield* deals.list(org, {
        filters,
        sort: question.sort === "amount" ? "amount" : byDate,
        sortOrder: question.ascending === true || question.sort === "oldest" ? "asc" : "desc",
        columns: COLUMNS,
        pageSize: question.most ?? LISTED,
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

    const answered = Effect.fnUntraced(function* (
      org: string,
      { events, question, unknown }: Effect.Success<ReturnType<typeof spelt>> & {},
      names: Names,
    ) {
      if (unknown.length > 0) return [...events, text(notUnderstood(unknown))]
      const { filters } = question
      if (filters.status?.length === 0) return [...events, text(noStage(question.categories))]
      const counted = Effect.fnUntraced(function* (id: string, filters: CanonicalFilters) {
        if (filters.status?.length === 0) return NO_DEALS
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
      const told = [headline(question, totals, names), ...(why === undefined || totals.count === 0 ? [] : [why])]
      events.push(text(`${whole(question, names, told)}\n`))
      if (totals.count === 0) return events
      const rows = yield* rowsOf(org, question, filters)
      events.push(...used("list", "search_deals", { filters, limit: LISTED }, rows.length))
      for (const row of rows) events.push({ type: "citation", citation: row.citation }, text(line(row, names)))
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
          const now = new Date(yield* Clock.currentTimeMillis)
          const asked = parse(question, names, now)
          if (asked === undefined) return Option.none()
          const understood = yield* spelt(org, question, asked, names, now)
          if (understood === undefined) return Option.none()
          const events = yield* Effect.catchTag(answered(org, understood, names), "BadRequest", () =>
            Effect.succeed([...understood.events, text(NOT_TOGETHER)]),
          )
          return Option.some(events)
        },
        Effect.catchTag("DatabaseUnavailable", ({ message }) => new AnswerFailed({ reason: "unavailable", message })),
      ),
    })
  }),
)

const NO_DEALS: Totals = { count: 0, valued: 0, amount: 0 }

/** A question that counts is short; a long text is read for what it tells. */
const LONGEST = 500
const ABOUT_DEALS = /\b(?:deals?|opportunit|opps?\b|pipeline|we\s|win[ -]|close[ -]rate)/i
