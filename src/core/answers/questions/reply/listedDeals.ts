import * as Effect from "effect/Effect"
import { Deals, dealsIn } from "../../../deals/Deals.ts"
import type { CanonicalFilters } from "../../../deals/filters/filters.ts"
import { ViewerLinks } from "../../../library/viewer/ViewerLinks.ts"
import { type DealRecord, DealRecords } from "../../../search/DealRecords.ts"
import type { Plan } from "../plan/plan.ts"
import type { ListedDeal } from "./writeDeals.ts"

/** The part of a deal's record that a list cites: its drivers if the question asks why, else its facts from the stage on. */
const cutExcerpt = (
  { text, headings }: DealRecord,
  wantsReasons: boolean,
): { readonly start: number; readonly end: number } => {
  const drivers = headings.findIndex(({ start, end }) => text.slice(start, end) === "Drivers")
  if (wantsReasons && drivers >= 0) {
    return trimmed(text, headings[drivers]!.end, headings[drivers + 1]?.start ?? text.length)
  }
  const facts = trimmed(text, headings[0]?.end ?? 0, headings[1]?.start ?? text.length)
  const stage = text.indexOf("\nStage: ", facts.start) + 1
  return stage > 0 && stage < facts.end
    ? { start: stage, end: facts.end }
    : facts.end > facts.start
      ? facts
      : { start: 0, end: headings[0]?.end ?? text.length }
}

/** Trims white space, and cuts at the end of a line if the part is too long. */
const trimmed = (text: string, from: number, to: number) => {
  const start = from + (text.slice(from, to).length - text.slice(from, to).trimStart().length)
  const end = start + text.slice(start, to).trimEnd().length
  if (end - start <= MAX_LENGTH) return { start, end }
  const cut = text.lastIndexOf("\n", start + MAX_LENGTH)
  return { start, end: cut > start ? cut : start + MAX_LENGTH }
}

/** In UTF-16 units. */
const MAX_LENGTH = 600

/** Deals in the list of an answer. */
export const MAX_LISTED = 10
/** Deals of a list whose question says how many: "the top 25 deals". */
export const MAX_ASKED = 50

/** The number of deals that a list shows at most. */
export const countListed = (limit: number | undefined): number =>
  limit === undefined ? MAX_LISTED : Math.min(Math.max(limit, 1), MAX_ASKED)

const COLUMNS = ["name", "amount", "deal_status", "close_date", "owner_name", "created_at"] as const

type Selected = Omit<ListedDeal, "citation">

/** Selects the deals that a list shows, in its order. */
export const selectDeals = Effect.fnUntraced(function* (
  org: string,
  plan: Pick<Extract<Plan, { kind: "list" }>, "sort" | "ascending" | "limit"> & { readonly filters: CanonicalFilters },
) {
  const page = yield* (yield* Deals).list(org, {
    filters: plan.filters,
    sort: plan.sort,
    sortOrder: plan.ascending ? "asc" : "desc",
    columns: COLUMNS,
    pageSize: countListed(plan.limit),
  })
  return dealsIn(page) as ReadonlyArray<Selected>
})

/** Adds to each deal the citation that opens its record. */
export const citeDeals = Effect.fnUntraced(function* (
  org: string,
  deals: ReadonlyArray<Selected>,
  wantsReasons: boolean,
) {
  const [records, links] = [yield* DealRecords, yield* ViewerLinks]
  const rows = yield* Effect.forEach(
    deals,
    Effect.fnUntraced(function* (deal) {
      const record = yield* records.text(org, deal.id)
      if (record === undefined) return []
      const { start, end } = cutExcerpt(record, wantsReasons)
      const url = yield* links.dealUrl(org, deal.id, { start, end, source: { text: record.text, start: 0 } })
      const named = { document_id: deal.id, document_name: deal.name, deal_id: deal.id, deal_name: deal.name }
      return [{ ...deal, citation: { ...named, url, excerpt: record.text.slice(start, end) } }]
    }),
    { concurrency: MAX_LISTED },
  )
  return rows.flat()
})
