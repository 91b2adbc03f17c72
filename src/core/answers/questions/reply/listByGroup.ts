import * as Effect from "effect/Effect"
import { type AnswerEvent, text } from "../../Answerer.ts"
import { asText } from "../../citations/markdown.ts"
import { citeDeals, MAX_ASKED, selectDeals } from "./listedDeals.ts"
import type { WorkspaceNames } from "../words/names.ts"
import type { Plan } from "../plan/plans.ts"
import { nameOf, type Report } from "./reply.ts"
import type { Slots } from "../parse/slots.ts"
import { writeDealLine } from "./writeDeals.ts"

/** The column that has a deal's group. */
const COLUMNS = { owner: "owner_name", status: "deal_status" } as const

/** Lists the deals behind a table under the name of each group: "list overdue deals by owner". None if they are too many to list. */
export const listByGroup = Effect.fn("DealQuestions.listByGroup")(function* (
  org: string,
  { query, measure, isRanked, isCompared }: Extract<Plan, { kind: "report" }>,
  { lists, head, counts }: Slots,
  report: Report,
  names: WorkspaceNames,
) {
  const [dimension = "", ...more] = query.groupBy
  const column = Object.entries(COLUMNS).find(([group]) => group === dimension)?.[1]
  const count = report.totals.values["deals"] ?? 0
  const isList = lists && !counts && head === "deal" && measure === "deals" && !isRanked && !isCompared
  if (!isList || column === undefined || more.length > 0 || count === 0 || count > MAX_ASKED) return []
  const plan = { filters: query.filters, sort: "amount", ascending: false, limit: count } as const
  const deals = yield* citeDeals(org, yield* selectDeals(org, plan), false)
  return report.data.flatMap((row): ReadonlyArray<AnswerEvent> => {
    const name = nameOf(row, dimension)
    const own = deals.filter((deal) => deal[column] === name || (deal[column] === null && name.startsWith("(no ")))
    return own.length === 0
      ? []
      : [
          text(`\n**${asText(name)}**\n\n`),
          ...own.flatMap((deal): ReadonlyArray<AnswerEvent> => [
            { type: "citation", citation: deal.citation },
            text(writeDealLine(deal, names, undefined)),
          ]),
        ]
  })
})
