import * as Effect from "effect/Effect"
import { Deals } from "../../../deals/Deals.ts"
import { type AnswerEvent, text } from "../../Answerer.ts"
import { asText } from "../../citations/markdown.ts"
import { toolEvents } from "./events.ts"
import { citeDeals, MAX_LISTED, selectDeals } from "./listedDeals.ts"
import { makeFilters } from "../parse/makeFilters.ts"
import type { WorkspaceNames } from "../words/names.ts"
import { writeCount, formatCount } from "../words/numbers.ts"
import type { Slots } from "../parse/slots.ts"
import { writeFilters } from "./wording.ts"
import { writeDealLine } from "./writeDeals.ts"

/** Writes the facts of the one deal of a client, or asks which of several deals is meant. */
export const answerOneDeal = Effect.fn("DealQuestions.answerOneDeal")(function* (
  org: string,
  said: string,
  slots: Slots,
  names: WorkspaceNames,
) {
  const filters = makeFilters({ ...slots, bases: [], head: "deal", groups: [] }, "deals")
  const { count } = yield* (yield* Deals).totals(org, filters)
  const plan = { filters, sort: "close_date", ascending: false, limit: undefined } as const
  const deals = yield* citeDeals(org, yield* selectDeals(org, plan), false)
  const head =
    count === 0
      ? "**No deal** matches.\n"
      : count === 1
        ? ""
        : `“the ${asText(said)} deal” can mean ${writeCount(count, "deal")}. Which one do you mean?\n\n`
  const more = count - deals.length
  return [
    ...toolEvents("list", "search_deals", { filters, limit: MAX_LISTED }, deals.length),
    text(head),
    ...deals.flatMap((deal): ReadonlyArray<AnswerEvent> => [
      { type: "citation", citation: deal.citation },
      text(writeDealLine(deal, names, undefined)),
    ]),
    ...(more > 0 ? [text(`\nand ${formatCount(more)} more.\n`)] : []),
    text(`\nFilter: ${writeFilters(filters, names)}.\n`),
  ]
})
