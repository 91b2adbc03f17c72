import { asText } from "../citations/markdown.ts"
import { writeCount, formatCount, formatRate, formatValue } from "./numbers.ts"
import { nameOf, type Report, type ReportRow } from "./reply.ts"
import { describeDimension, findOutcome, writeMore } from "./table.ts"
import type { ReportPlan, Wording } from "./writeReport.ts"

const capitalize = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** Reasons: how often each spoke for or against us, of all matching deals. */
export const writeReasons = (
  plan: ReportPlan,
  { data, others }: Report,
  matching: number,
  { links, currency, rest }: Pick<Wording, "links" | "currency" | "rest">,
): string => {
  const effect = (plan.query.filters as { readonly driver_effect?: ReadonlyArray<string> }).driver_effect?.[0]
  const verb = effect === "negative" ? "spoke against us" : effect === "positive" ? "spoke for us" : "is named"
  const outcome = findOutcome(plan.query)
  const [first] = data
  if (first === undefined) return "Nothing here says why: these deals have no recorded reasons."
  const dimensions = plan.query.groupBy.filter((each) => each !== "driver")
  const isByAmount = plan.query.orderBy?.endsWith("amount") === true
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
  const sentence = isByAmount
    ? `**${asText(nameOf(first, "driver"))}** ${verb} in the most amount: ${amount(first)}, in ${writeCount(first.values["deals"] ?? 0, outcome === undefined ? "deal" : `${outcome} deal`)} of ${formatCount(matching)}.`
    : `**${asText(nameOf(first, "driver"))}** ${verb} most often: in ${writeCount(first.values["deals"] ?? 0, outcome === undefined ? "deal" : `${outcome} deal`)} of ${formatCount(matching)} (${share(first)}).`
  return `${sentence}\n\n| ${header.join(" | ")} |\n| ${header.map((_, n) => (n < header.length - 3 ? "---" : "---:")).join(" | ")} |\n${lines.join("\n")}${writeMore(more, rest)}`
}
