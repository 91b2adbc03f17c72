import { measureOf } from "../../reports/measures.ts"
import { asText } from "../citations/markdown.ts"
import { describeMeasure } from "./measureWords.ts"
import { findNoun, type Order } from "./lexicon.ts"
import { writeCount, formatChange, formatCount, formatRate, formatValue, unitOf } from "./numbers.ts"
import { describeSpans } from "./spans.ts"
import { MIN_DECIDED, type Plan } from "./plan.ts"
import type { ReportQuery } from "./reportQuery.ts"
import { nameOf, type Report, type ReportRow, type Values } from "./reply.ts"
import { describeDimension, findOutcome, writeTable } from "./table.ts"

/** Under so many decided deals, an answer warns that a rate is uncertain. */
const FEW_DECIDED = 20

export type ReportPlan = Extract<Plan, { kind: "report" }>

export interface Wording {
  readonly currency: string | undefined
  /** The superlative of the question. */
  readonly order: Order | undefined
  /** The time of the question. */
  readonly now: Date
  /** The links to the rows. */
  readonly links: ReadonlyMap<ReportRow, string>
  /** The address of the page that has all rows. */
  readonly rest?: string | undefined
}

/** Writes the sentence with the number, and the table if there are groups. */
export const writeReport = (plan: ReportPlan, report: Report, wording: Wording): string => {
  const { query, measure } = plan
  if (query.groupBy.length === 0) return writeTotal(query, measure, report, wording)
  return writeGrouped(plan, { ...report, data: knownRows(query.groupBy, measure, report.data) }, wording)
}

/** The rows that a table can show: those of dates have a value. */
export const knownRows = (groupBy: ReadonlyArray<string>, measure: string, rows: Report["data"]): Report["data"] =>
  groupBy.some(isDate) ? rows.filter(({ values }) => values[measure] !== null) : rows

const isDate = (dimension: string) => dimension.includes(".")

const writeGrouped = (plan: ReportPlan, report: Report, wording: Wording): string => {
  const { query } = plan
  const [dimension = ""] = query.groupBy
  const isNamed = (row: ReportRow) => isDate(dimension) || !nameOf(row, dimension).startsWith("(no ")
  if (!report.data.some(isNamed) && !isDate(dimension) && query.groupBy.length === 1)
    return `This workspace has no ${describeDimension(dimension)} for these deals, so they cannot be grouped by it.`
  if (report.data.length === 0) return "**No deal** matches."
  const reason = report.reasons?.[plan.measure]
  if (reason !== undefined && report.data.every(({ values }) => values[plan.measure] === null))
    return lacks(plan.measure, reason)
  const sentence = writeGroups(plan, report, wording)
  const outcome = findOutcome(query)
  const shown = {
    measures: query.measures,
    groups: query.groupBy,
    currency: wording.currency,
    outcome,
    links: wording.links,
    rest: wording.rest,
  }
  const gaps = reason === undefined ? [] : [`“–” is no value: ${asText(reason.replaceAll("`", ""))}.`]
  return [sentence, writeTable(report, shown), ...gaps, ...caution(query, report)].join("\n\n")
}

const lacks = (measure: string, reason: string) =>
  `There is no value for “${describeMeasure(measure, undefined)}”: ${asText(reason.replaceAll("`", ""))}.`

const caution = ({ having, groupBy }: ReportQuery, { data }: Report): ReadonlyArray<string> => {
  const least = having?.["decided"]?.min
  const few = data.some(
    ({ values }) => typeof values["decided"] === "number" && values["decided"] < FEW_DECIDED && "win_rate" in values,
  )
  return [
    ...(least !== undefined && least === MIN_DECIDED
      ? [`Only groups with at least ${least} decided deals are ranked.`]
      : []),
    ...(few && groupBy.every((each) => !each.includes("."))
      ? [`A rate over fewer than ${FEW_DECIDED} decided deals is uncertain.`]
      : []),
  ]
}

/** The sentence about one number. */
const writeTotal = (
  query: ReportQuery,
  measure: string,
  { totals, withoutAmount, reasons }: Report,
  { currency, now: asked }: Wording,
): string => {
  const { values, previous, change, drills } = totals
  const reason = reasons?.[measure]
  if (reason !== undefined && values[measure] === null) return lacks(measure, reason)
  const without =
    withoutAmount === 0 || !/^(?:deals|amount)$/.test(measure)
      ? ""
      : ` (${formatCount(withoutAmount)} of them ${withoutAmount === 1 ? "has" : "have"} no amount)`
  const said = writeValue(query, measure, values, currency, drills?.[measure]?.deals).replace(/\.$/, `${without}.`)
  if (previous === undefined) return said
  const { now, earlier } = describeSpans(query, asked)
  const before = previous[measure] ?? null
  const isPartial = totals.partial === true
  const changed =
    typeof change?.[measure] === "number"
      ? ` (${[formatChange(measure, change[measure], currency), ...writePercent(measure, change[measure], before)].join(", ")})`
      : ""
  const format = (value: number | null | undefined) => formatValue(measure, value ?? null, currency)
  const whole = totals.previous_whole?.[measure]
  const rows = [
    [isPartial ? `${now}, so far` : now, format(values[measure])],
    ...(isPartial && whole !== undefined ? [[earlier, format(whole)]] : []),
    [isPartial ? `the same days of ${earlier}` : earlier, format(before)],
  ]
  const table = [["Period", capitalize(describeMeasure(measure, findOutcome(query)))], ["---", "---:"], ...rows]
  return `${said.replace(/\.$/, "")} ${now}${isPartial ? " so far" : ""}; ${format(before)} in ${isPartial ? "the same days of " : ""}${earlier}${changed}.\n\n${table.map((row) => `| ${row.join(" | ")} |`).join("\n")}`
}

/** A change in percent, where the number is no rate. */
const writePercent = (measure: string, change: number, before: number | null): ReadonlyArray<string> =>
  before === null || before === 0 || unitOf(measure) === "rate"
    ? []
    : [`${change < 0 ? "−" : "+"}${formatRate(Math.abs(change / before))}`]

const writeValue = (
  query: ReportQuery,
  measure: string,
  values: Values,
  currency: string | undefined,
  drilled: number | undefined,
): string => {
  const outcome = findOutcome(query)
  const value = values[measure] ?? null
  const number = (name: string) => values[name] ?? 0
  const format = (name: string) => formatValue(name, values[name] ?? null, currency)
  const deals = writeCount(number("deals"), outcome === undefined ? "deal" : `${outcome} deal`)
  switch (measure) {
    case "deals":
      if (value === 0) return "**No deal** matches."
      return number("amount") === 0 ? `**${deals}**.` : `**${deals}**, worth ${format("amount")} in total.`
    case "amount":
      return `**${format("amount")}** ${outcome === "open" ? "of open pipeline" : outcome === undefined ? "in total" : outcome}, from ${deals}.`
    case "win_rate_by_amount":
      return value === null
        ? `There is no ${describeMeasure(measure, outcome)}: **no matching deal** was won or lost.`
        : `**${formatRate(value)}** win rate by amount: ${format("amount_won")} won and ${format("amount_lost")} lost in ${writeCount(number("decided"), "decided deal")}.`
    case "win_rate":
    case "loss_rate": {
      if (value === null)
        return `There is no ${describeMeasure(measure, outcome)}: **no matching deal** was won or lost.`
      const few = number("decided") < FEW_DECIDED ? " With so few decided deals the rate is uncertain." : ""
      return `**${formatRate(value)}** ${describeMeasure(measure, outcome)}: ${formatCount(number("won"))} won and ${formatCount(number("lost"))} lost of ${writeCount(number("decided"), "decided deal")}.${few}`
    }
    case "renewal_rate":
      return value === null
        ? "There is no renewal rate: **no matching renewal** was won or lost."
        : `**${formatRate(value)}** renewal rate${drilled === undefined ? "" : `, over ${writeCount(drilled, "decided renewal")}`}.`
    case "clients":
      return `**${writeCount(number("clients"), "client")}**, with ${deals} worth ${format("amount")}.`
    case "mentions":
      return `**${writeCount(number("mentions"), "mention")}** in ${deals}, worth ${format("amount")}.`
    case "positive":
    case "negative":
    case "neutral":
      return `**${writeCount(number(measure), `${measure} mention`)}**${others(measure, values)} of ${writeCount(number("mentions"), "mention")} in ${deals}.`
    default:
      return value === null
        ? `This workspace has no ${describeMeasure(measure, outcome)} for these deals: **no matching deal** has a value.`
        : `**${format(measure)}** ${describeMeasure(measure, outcome)}${companion(query, measure, values, currency)}.`
  }
}

/** The other sentiment beside one. */
const others = (measure: string, values: Values): string => {
  const other = measure === "positive" ? "negative" : "positive"
  return typeof values[other] === "number" ? ` and ${formatCount(values[other])} ${other}` : ""
}

/** The base of a mean or median, and the other of the two. */
const companion = (query: ReportQuery, measure: string, values: Values, currency: string | undefined): string => {
  const outcome = findOutcome(query)
  const others = query.measures.slice(1).flatMap((each) => {
    const value = values[each]
    if (typeof value !== "number") return []
    if (each === "deals") return [`over ${writeCount(value, outcome === undefined ? "deal" : `${outcome} deal`)}`]
    if (each === "decided") return [`over ${writeCount(value, "decided deal")}`]
    return [`${describeMeasure(each, outcome)} ${formatValue(each, value, currency)}`]
  })
  return others.length === 0 || measure === "" ? "" : ` (${others.join(", ")})`
}

const SUPERLATIVE: Readonly<Record<Order, readonly [adjective: string, adverb: string]>> = {
  high: ["highest", "most"],
  good: ["best", "most"],
  low: ["lowest", "fewest"],
  bad: ["worst", "fewest"],
  long: ["longest", "most"],
  short: ["shortest", "fewest"],
  new: ["latest", "most"],
  old: ["earliest", "most"],
}

/** The sentence above a table. */
const writeGroups = (plan: ReportPlan, { data, totals, others }: Report, { currency, order }: Wording): string => {
  const { query, measure } = plan
  const [dimension = ""] = query.groupBy
  const outcome = findOutcome(query)
  const what = describeMeasure(measure, outcome)
  const value = (row: { readonly values: Values }) => formatValue(measure, row.values[measure] ?? null, currency)
  const known = data.filter(
    (row) => typeof row.values[measure] === "number" && !nameOf(row, dimension).startsWith("(no "),
  )
  const groups = data.length + others
  if (plan.countsGroups) {
    const named = data.filter((row) => !nameOf(row, dimension).startsWith("(no ")).length + others
    return `**${writeCount(named, describeDimension(dimension), findNoun(dimension)?.many)}** ${named === 1 ? "is" : "are"} in ${writeCount(totals.values["deals"] ?? 0, "deal")}.`
  }
  const names = query.groupBy.map(describeDimension).join(" and ")
  const total =
    typeof totals.values[measure] === "number" && measureOf(measure)?.isShare !== true
      ? `**${value(totals)}** over all`
      : undefined
  if (plan.isCompared && query.groupBy.length === 1 && known.length > 0)
    return `${capitalize(what)}: ${known.map((row) => `**${asText(nameOf(row, dimension))}** ${value(row)}`).join(", ")}.`
  const leaders = plan.isRanked && others === 0 ? writeLeaders(plan, known, what, value, order) : undefined
  if (leaders !== undefined) return leaders
  if (query.groupBy.length > 1 && !plan.isRanked)
    return `${capitalize(what)} by ${names}${total === undefined ? "" : `: ${total}`}.`
  if (isDate(dimension)) {
    const [first, last] = [known[0], known.findLast((row) => row.partial !== true) ?? known.at(-1)]
    if (query.groupBy.length > 1 || first === undefined || last === undefined || plan.isRanked)
      return writeHead(plan, known, what, value, order)
    const ends = [...new Set([last, first])].map((row) => `${value(row)} in ${nameOf(row, dimension)}`)
    return `${capitalize(what)} by ${names}: ${ends.join(", ")}${total === undefined ? "" : `; ${total}`}.`
  }
  if (plan.isRanked && query.groupBy.length === 1) return writeHead(plan, known, what, value, order)
  return `${capitalize(what)} by ${names}${total === undefined ? "" : `: ${total}`}${others === 0 && groups > 1 && known.length > 1 && query.groupBy.length === 1 ? `, from ${rowText(known.at(-1)!, dimension, value)} to ${rowText(known[0]!, dimension, value)}` : ""}.`
}

/** Values of the second group that one sentence names. */
const MAX_LEADERS = 12

/** "Top rep in each region": the first of each region. Undefined for one group, three, or one by date. */
const writeLeaders = (
  { query }: ReportPlan,
  rows: ReadonlyArray<ReportRow>,
  what: string,
  value: (row: ReportRow) => string,
  order: Order | undefined,
): string | undefined => {
  const [ranked = "", each, ...more] = query.groupBy
  if (each === undefined || more.length > 0 || query.groupBy.some(isDate)) return undefined
  const leaders = [...Map.groupBy(rows, (row) => nameOf(row, each))].flatMap(([name, [first]]) =>
    first === undefined || name.startsWith("(no ")
      ? []
      : [`${asText(name)}: **${asText(nameOf(first, ranked))}** ${value(first)}`],
  )
  if (leaders.length === 0 || leaders.length > MAX_LEADERS) return undefined
  const [adjective] = SUPERLATIVE[order ?? "high"]
  return `${capitalize(adjective)} ${what} by ${describeDimension(each)}: ${leaders.join("; ")}.`
}

const capitalize = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

const rowText = (row: ReportRow, dimension: string, value: (row: ReportRow) => string) =>
  `${value(row)} (${asText(nameOf(row, dimension))})`

/** "**Orvanta** has the most lost deals: 34." Names all groups that share the first place. */
const writeHead = (
  { query, measure }: ReportPlan,
  rows: ReadonlyArray<ReportRow>,
  what: string,
  value: (row: ReportRow) => string,
  order: Order | undefined,
): string => {
  const [first] = rows
  const [dimension = ""] = query.groupBy
  if (first === undefined) return `${capitalize(what)} by ${query.groupBy.map(describeDimension).join(" and ")}.`
  const top = rows.filter((row) => row.values[measure] === first.values[measure])
  const names = top.slice(0, 4).map((row) => `**${asText(nameOf(row, dimension))}**`)
  const isCount = unitOf(measure) === "count"
  const [adjective, adverb] = SUPERLATIVE[order ?? "high"]
  const isExtreme = measure === "amount_max" || measure === "amount_min"
  const superlative = isExtreme ? what : isCount ? `${adverb} ${what}` : `${adjective} ${what}`
  return `${names.join(" and ")} ${top.length > 1 ? "have" : "has"} the ${superlative}: ${value(first)}.`
}
