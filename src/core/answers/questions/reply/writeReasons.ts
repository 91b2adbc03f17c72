import { capitalize } from "../../../common/capitalize.ts"
import { asText } from "../../citations/markdown.ts"
import { writeCount, formatCount, formatRate, formatValue } from "../words/numbers.ts"
import { nameOf, type Report, type ReportRow } from "./reply.ts"
import { describeDimension, findOutcome, writeMore } from "./table.ts"
import type { ReportPlan, Wording } from "./writeReport.ts"

/** Names that share the first place. */
const MAX_TIES = 4

const SPOKE: Readonly<Record<string, string>> = { negative: "spoke against us", positive: "spoke for us" }

interface Filters {
  readonly driver_effect?: ReadonlyArray<string>
  readonly driver_ids?: ReadonlyArray<string>
}

/** Reasons: how often each spoke for or against us, of all matching deals. */
export const writeReasons = (
  plan: ReportPlan,
  { data, others }: Report,
  matching: number,
  { links, currency, rest }: Pick<Wording, "links" | "currency" | "rest">,
): string => {
  const { driver_effect: [effect] = [], driver_ids: named } = plan.query.filters as Filters
  const isByAmount = plan.query.orderBy?.endsWith("amount") === true
  const measure = isByAmount ? "amount" : "deals"
  const outcome = findOutcome(plan.query)
  const [first] = data
  if (first === undefined) return "Nothing here says why: these deals have no recorded reasons."
  const dimensions = plan.query.groupBy.filter((each) => each !== "driver")
  const amount = (row: ReportRow) => formatValue("amount", row.values["amount"] ?? null, currency)
  const share = (row: ReportRow) => (matching === 0 ? "–" : formatRate((row.values["deals"] ?? 0) / matching))
  const rows = data.slice(0, 10)
  const lines = rows.map(
    (row) =>
      `| ${[...dimensions.map((each) => asText(nameOf(row, each))), `${asText(nameOf(row, "driver"))}${links.has(row) ? ` ${links.get(row)}` : ""}`, formatCount(row.values["deals"] ?? 0), share(row), amount(row)].join(" | ")} |`,
  )
  const header = [
    ...dimensions.map((each) => capitalize(describeDimension(each))),
    "Reason",
    "Deals",
    "Share",
    "Amount",
  ]
  const more = others + data.length - rows.length
  const ties = dimensions.length > 0 ? [first] : data.filter((row) => row.values[measure] === first.values[measure])
  const isTied = ties.length > 1
  const names = ties.slice(0, MAX_TIES).map((row) => `**${asText(nameOf(row, "driver"))}**`)
  const verb = SPOKE[effect ?? ""] ?? (isTied ? "are named" : "is named")
  const deals = writeCount(first.values["deals"] ?? 0, outcome === undefined ? "deal" : `${outcome} deal`)
  const each = isTied ? " each" : ""
  const most = isByAmount
    ? `in the most amount: ${amount(first)}${each}, in ${deals} of ${formatCount(matching)}`
    : `${named === undefined ? "most often: " : ""}in ${deals}${each} of ${formatCount(matching)} (${share(first)})`
  const sentence = `${names.join(" and ")} ${verb} ${most}.`
  return `${sentence}\n\n| ${header.join(" | ")} |\n| ${header.map((_, n) => (n < header.length - 3 ? "---" : "---:")).join(" | ")} |\n${lines.join("\n")}${writeMore(more, rest)}`
}
