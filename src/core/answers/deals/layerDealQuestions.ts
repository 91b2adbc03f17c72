import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { Deals, dealsIn, type Totals } from "../../deals/Deals.ts"
import type { CanonicalFilters } from "../../deals/filters.ts"
import { resolveCompetitor } from "../../library/targets.ts"
import { ViewerLinks } from "../../library/viewer/ViewerLinks.ts"
import { DealRecords } from "../../search/DealRecords.ts"
import { Database } from "../../storage/Database.ts"
import type { ToolName } from "../tools/names.ts"
import { type AnswerEvent, AnswerFailed } from "../Answerer.ts"
import { DealQuestions } from "../DealQuestions.ts"
import {
  explainMissingStage,
  explainUnknown,
  type ListedDeal,
  NOT_COMBINABLE,
  writeAnswer,
  writeDealLine,
  writeHeadline,
  writeReasons,
  writeWinRate,
} from "./compose.ts"
import { excerptOf } from "./excerpt.ts"
import { type KnownName, loadNames, type WorkspaceNames } from "./names.ts"
import { parse, type Question } from "./parse.ts"

/** Deals in the list of an answer. */
const MAX_LISTED = 10
const COLUMNS = ["name", "amount", "deal_status", "close_date", "owner_name"] as const

const text = (content: string): AnswerEvent => ({ type: "content_delta", content })

/** Answers questions that count or list deals with the filters of deals. Does not answer a question that it understands only in part. */
export const layerDealQuestions = Layer.effect(
  DealQuestions,
  Effect.gen(function* () {
    const deals = yield* Deals
    const records = yield* DealRecords
    const links = yield* ViewerLinks
    const context = yield* Effect.context<Database>()

    const toolEvents = (id: string, name: ToolName, args: unknown, found: number): ReadonlyArray<AnswerEvent> => [
      { type: "tool_call", id, name, arguments: args },
      { type: "tool_result", id, name, found },
    ]

    /** Looks up competitors by similar spelling, and parses the question again with the spellings that it found. */
    const resolveSpellings = Effect.fnUntraced(function* (
      org: string,
      text: string,
      question: Question,
      names: WorkspaceNames,
      now: Date,
    ) {
      const events: Array<AnswerEvent> = []
      const meant = new Map<string, KnownName>()
      const closest = new Map<string, ReadonlyArray<string>>()
      for (const { said, as } of question.unknown) {
        if (as !== "competitor") continue
        const place = yield* Effect.result(resolveCompetitor(org, { competitor_name: said }))
        if (place._tag === "Failure" && place.failure._tag !== "NotFound") return yield* place.failure
        if (place._tag === "Success") {
          const isMeant = (each: KnownName) => each.kind === "competitor" && each.value === place.success.competitorId
          meant.set(
            said,
            names.names.find(isMeant) ?? { kind: "competitor", value: place.success.competitorId, name: said },
          )
        } else {
          const similar = place.failure.details?.["closest"] as ReadonlyArray<{ readonly name: string }> | undefined
          closest.set(
            said,
            (similar ?? []).map(({ name }) => name),
          )
        }
        const id = `competitor_${events.length / 2 + 1}`
        events.push(...toolEvents(id, "search_competitors", { name: said }, meant.has(said) ? 1 : 0))
      }
      const spellings = [...meant].map(([said, name]) => ({ ...name, name: said }))
      const again = meant.size === 0 ? question : parse(text, { ...names, names: [...names.names, ...spellings] }, now)
      if (again === undefined) return undefined
      const { competitors } = again.filters
      const filters = {
        ...again.filters,
        ...(competitors !== undefined && {
          competitors: [...new Set(competitors.map((said) => meant.get(said)?.name ?? said))],
        }),
      }
      const limit = again.limit === undefined ? {} : { limit: Math.min(Math.max(again.limit, 1), MAX_LISTED) }
      const unknown = again.unknown.map((each) => ({ ...each, closest: closest.get(each.said) ?? [] }))
      return { events, question: { ...again, ...limit, filters }, unknown }
    })

    const listDeals = Effect.fnUntraced(function* (org: string, question: Question, filters: CanonicalFilters) {
      const byDate = question.categories.some((category) => category !== "open") ? "close_date" : "created_at"
      const page = yield* deals.list(org, {
        filters,
        sort: question.sort === "amount" ? "amount" : byDate,
        sortOrder: question.ascending === true || question.sort === "oldest" ? "asc" : "desc",
        columns: COLUMNS,
        pageSize: question.limit ?? MAX_LISTED,
      })
      const found = dealsIn(page) as ReadonlyArray<Omit<ListedDeal, "citation">>
      const rows = yield* Effect.forEach(
        found,
        Effect.fnUntraced(function* (deal) {
          const record = yield* records.text(org, deal.id)
          if (record === undefined) return []
          const { start, end } = excerptOf(record, question.wantsReasons)
          const url = yield* links.dealUrl(org, deal.id, { start, end })
          const named = { document_id: deal.id, document_name: deal.name, deal_id: deal.id, deal_name: deal.name }
          return [{ ...deal, citation: { ...named, url, excerpt: record.text.slice(start, end) } }]
        }),
        { concurrency: MAX_LISTED },
      )
      return rows.flat()
    })

    const answerUnderstood = Effect.fnUntraced(function* (
      org: string,
      { events, question, unknown }: Effect.Success<ReturnType<typeof resolveSpellings>> & {},
      names: WorkspaceNames,
    ) {
      if (unknown.length > 0) return [...events, text(explainUnknown(unknown))]
      const { filters } = question
      if (filters.status?.length === 0) return [...events, text(explainMissingStage(question.categories))]
      const countDeals = Effect.fnUntraced(function* (id: string, filters: CanonicalFilters) {
        if (filters.status?.length === 0) return NO_DEALS
        const totals = yield* deals.totals(org, filters)
        events.push(...toolEvents(id, "count_deals", filters, totals.count))
        return totals
      })
      if (question.intent === "win_rate") {
        const ending = (category: "won" | "lost") => ({
          ...filters,
          status: names.stages.filter((stage) => stage.category === category).map(({ name }) => name),
        })
        const [won, lost] = [yield* countDeals("won", ending("won")), yield* countDeals("lost", ending("lost"))]
        return [...events, text(writeAnswer(question, names, [writeWinRate(won, lost)]))]
      }
      const totals = yield* countDeals("count", filters)
      const reasons = question.wantsReasons
        ? writeReasons(yield* deals.drivers(org, filters), question.categories, totals.count)
        : undefined
      const paragraphs = [
        writeHeadline(question, totals, names),
        ...(reasons === undefined || totals.count === 0 ? [] : [reasons]),
      ]
      events.push(text(`${writeAnswer(question, names, paragraphs)}\n`))
      if (totals.count === 0) return events
      const listed = yield* listDeals(org, question, filters)
      events.push(...toolEvents("list", "search_deals", { filters, limit: MAX_LISTED }, listed.length))
      for (const deal of listed)
        events.push({ type: "citation", citation: deal.citation }, text(writeDealLine(deal, names)))
      const more = totals.count - listed.length
      if (more > 0) events.push(text(`\nand ${more.toLocaleString("en-US")} more.\n`))
      return events
    })

    return DealQuestions.of({
      answer: Effect.fn("DealQuestions.answer")(
        function* (org, messages) {
          const question = messages.at(-1)?.content ?? ""
          if (question.length > MAX_LENGTH || !ABOUT_DEALS.test(question)) return Option.none()
          const names = yield* loadNames(org, question)
          const now = new Date(yield* Clock.currentTimeMillis)
          const parsed = parse(question, names, now)
          if (parsed === undefined) return Option.none()
          const understood = yield* resolveSpellings(org, question, parsed, names, now)
          if (understood === undefined) return Option.none()
          const events = yield* Effect.catchTag(answerUnderstood(org, understood, names), "BadRequest", () =>
            Effect.succeed([...understood.events, text(NOT_COMBINABLE)]),
          )
          return Option.some(events)
        },
        Effect.catchTag("DatabaseUnavailable", ({ message }) => new AnswerFailed({ reason: "unavailable", message })),
        Effect.provide(context),
      ),
    })
  }),
)

const NO_DEALS: Totals = { count: 0, valued: 0, amount: 0 }

/** In UTF-16 units. Longer texts are not questions that count or list. */
const MAX_LENGTH = 500
const ABOUT_DEALS = /\b(?:deals?|opportunit|opps?\b|pipeline|we\s|win[ -]|close[ -]rate)/i
