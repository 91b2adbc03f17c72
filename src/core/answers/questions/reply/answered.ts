import * as Effect from "effect/Effect"
import { asText } from "../../citations/markdown.ts"
import { citeFigure } from "../../figures/citeFigure.ts"
import { citeDeals, MAX_LISTED, selectDeals } from "./listedDeals.ts"
import { describeMeasure } from "./measureWords.ts"
import type { WorkspaceNames } from "../words/names.ts"
import { formatValue } from "../words/numbers.ts"
import { MAX_ROWS, type Plan } from "../plan/plan.ts"
import { type Answered, findKind } from "../turns/references.ts"
import { nameOf } from "./reply.ts"
import { runReport } from "./runReport.ts"
import type { Slots } from "../parse/slots.ts"
import { findOutcome } from "./table.ts"
import { writeDealLine } from "./writeDeals.ts"

type ReportPlan = Extract<Plan, { kind: "report" }>

/** Runs a report again, and returns its rows that have a name, as the answer shows them. */
const namedRows = Effect.fnUntraced(function* (org: string, { source, query }: ReportPlan) {
  const [dimension = ""] = query.groupBy
  const report = yield* runReport(org, source, query)
  const rows = report.data
    .map((row, index) => ({ row, index, name: nameOf(row, dimension) }))
    .filter(({ row: { group } }) => typeof group[dimension] === "string" || group[dimension]?.name !== null)
  return { report, rows: rows.slice(0, MAX_ROWS) }
})

/** The rows of the answer to a question; undefined if it shows one number. */
export const answeredBy = Effect.fn("DealQuestions.answered")(function* (
  org: string,
  plan: Plan | undefined,
  slots: Slots,
) {
  if (plan?.kind === "list") {
    const deals = yield* selectDeals(org, plan)
    const isSingular = plan.limit === 1
    const rows = deals.map(({ id, name }) => ({ kind: "deal" as const, id, name }))
    // A ranking without a number says that it shows the largest, and shows as many as a page has.
    const isCut = slots.rank !== undefined && deals.length === MAX_LISTED
    return { rows, isSingular, isWhole: plan.limit === undefined && !isCut } satisfies Answered
  }
  const kind = plan?.kind === "report" ? findKind(plan.query.groupBy[0] ?? "") : undefined
  if (plan?.kind !== "report" || kind === undefined) return undefined
  const { rows } = yield* namedRows(org, plan)
  const isSingular = plan.isRanked && (slots.rank?.limit === 1 || (slots.rank?.limit === undefined && slots.isSingular))
  const isWhole = slots.rank?.limit === undefined
  return { rows: rows.map(({ name }) => ({ kind, name })), isSingular, isWhole } satisfies Answered
})

/** Writes one row of the answer before: "and the second one?" */
export const answerRow = Effect.fn("DealQuestions.answerRow")(function* (
  org: string,
  plan: Plan,
  index: number,
  names: WorkspaceNames,
) {
  if (plan.kind === "list") {
    const deal = (yield* selectDeals(org, plan))[index]
    const [cited] = deal === undefined ? [] : yield* citeDeals(org, [deal], false)
    return cited === undefined
      ? undefined
      : { citation: cited.citation, content: writeDealLine(cited, names, undefined) }
  }
  if (plan.kind !== "report") return undefined
  const { query, source } = plan
  const { report, rows } = yield* namedRows(org, plan)
  const found = rows[index]
  if (found === undefined) return undefined
  const figure = { subject: source, query, row: found.index }
  const citation = yield* citeFigure(org, figure, report, names.currency)
  const values = query.measures
    .filter((each) => typeof found.row.values[each] === "number")
    .map(
      (each) =>
        `${describeMeasure(each, findOutcome(query))} ${formatValue(each, found.row.values[each]!, names.currency)}`,
    )
  const link = citation === undefined ? "" : ` [show as table](${citation.url})`
  return { citation, content: `**${asText(found.name)}**: ${values.join(", ")}.${link}\n` }
})

/** Asks which row a question means, and lists those of the answer before. */
export const askWhichRow = (said: string, rows: Answered["rows"]): string =>
  rows.length === 0
    ? `I do not know what “${asText(said)}” refers to: the answer before lists nothing that it can mean. Which one do you mean? Ask with its name.\n`
    : `“${asText(said)}” can mean several rows of the answer before. Which one do you mean?\n\n${rows.map(({ name }) => `- ${asText(name)}`).join("\n")}\n`
