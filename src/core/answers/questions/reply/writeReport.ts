import { capitalize } from "../../../common/capitalize.ts"
import { measureOf } from "../../../reports/measures.ts"
import { asText } from "../../citations/markdown.ts"
import { describeMeasure } from "./measureWords.ts"
import { findNoun, type Order } from "../words/lexicon.ts"
import { formatChange, formatValue, unitOf, writeCount } from "../words/numbers.ts"
import { MIN_DECIDED, type Plan } from "../plan/plan.ts"
import type { ReportQuery } from "../plan/reportQuery.ts"
import { nameOf, type Report, type ReportRow, type Values } from "./reply.ts"
import { describeDimension, findOutcome, writeTable } from "./table.ts"
import { describeEarlier, FEW_DECIDED, lacks, writeTotal } from "./writeTotal.ts"

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
  /** A first period that the deals of the workspace cover only in part. */
  readonly incomplete?: ReportRow | undefined
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
  if (query.groupBy.length === 1 && !isDate(dimension) && !report.data.some((row) => isNamed(row, dimension)))
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
    isRanked: plan.isRanked,
    links: wording.links,
    rest: wording.rest,
  }
  const gaps = reason === undefined ? [] : [`“–” is no value: ${asText(reason.replaceAll("`", ""))}.`]
  const before = writeBefore(query, report, wording)
  return [sentence, writeTable(report, shown), ...before, ...gaps, ...caution(query, report)].join("\n\n")
}

/** Says which time the column "Before" has. */
const writeBefore = (query: ReportQuery, { totals }: Report, { now }: Wording): ReadonlyArray<string> =>
  totals.previous === undefined || query.groupBy.some(isDate) ? [] : [`Before: ${describeEarlier(query, totals, now)}.`]

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

/** The parts of the sentence above a table. */
interface Heading {
  readonly plan: ReportPlan
  readonly report: Report
  /** The rows that have a name and a value. */
  readonly known: ReadonlyArray<ReportRow>
  /** The measure, and the groups. */
  readonly what: string
  readonly names: string
  readonly value: (row: { readonly values: Values }) => string
  readonly order: Order | undefined
  readonly currency: string | undefined
}

const isNamed = (row: ReportRow, dimension: string) => !nameOf(row, dimension).startsWith("(no ")

/** The sentence above a table. */
const writeGroups = (plan: ReportPlan, report: Report, { currency, order, incomplete }: Wording): string => {
  const { query, measure } = plan
  const [dimension = "", ...more] = query.groupBy
  const known = report.data.filter((row) => typeof row.values[measure] === "number" && isNamed(row, dimension))
  const heading: Heading = {
    plan,
    report,
    known,
    what: describeMeasure(measure, findOutcome(query)),
    names: query.groupBy.map(describeDimension).join(" and "),
    value: ({ values }) => formatValue(measure, values[measure] ?? null, currency),
    order,
    currency,
  }
  if (plan.countsGroups) return writeCountOfGroups(heading)
  if (plan.isCompared && more.length === 0 && known.length > 0) return writeCompared(heading)
  const leaders = plan.isRanked && report.others === 0 ? writeLeaders(heading) : undefined
  if (leaders !== undefined) return leaders
  if (!plan.isRanked && more.length > 0) return writeWhole(heading)
  if (isDate(dimension)) return writeCourse(heading, incomplete)
  return plan.isRanked && more.length === 0 ? writeHead(heading) : writeWhole(heading, writeRange(heading))
}

const writeCountOfGroups = ({ plan, report: { data, others, totals } }: Heading): string => {
  const [dimension = ""] = plan.query.groupBy
  const count = data.filter((row) => isNamed(row, dimension)).length + others
  const groups = writeCount(count, describeDimension(dimension), findNoun(dimension)?.many)
  const bound = describeBound(plan.query)
  if (bound !== undefined) return `**${groups}** ${count === 1 ? "has" : "have"} ${bound}.`
  return `**${groups}** ${count === 1 ? "is" : "are"} in ${writeCount(totals.values["deals"] ?? 0, "deal")}.`
}

const writeCompared = ({ plan, known, what, value, currency }: Heading): string => {
  const [dimension = ""] = plan.query.groupBy
  const said = known.map((row) => `**${asText(nameOf(row, dimension))}** ${value(row)}`).join(", ")
  const [high, low, ...more] = known.flatMap(({ values }) => values[plan.measure] ?? [])
  const apart =
    high === undefined || low === undefined || more.length > 0 || high === low
      ? ""
      : `, ${formatChange(plan.measure, Math.abs(high - low), currency).slice(1)} apart`
  return `${capitalize(what)}: ${said}${apart}.`
}

/** "less than 40 %": a rate that is read as below a bound lies next to it. */
const describeLimit = (measure: string, value: number, included: string, excluded: string): string => {
  if (unitOf(measure) !== "rate") return `${included} ${value}`
  const percent = Math.round(value * 1000) / 10
  return `${Math.abs(percent / 100 - value) < 1e-9 ? included : excluded} ${percent} %`
}

/** "at least 2 won deals": the bound by which the question leaves out groups, which the totals count all the same. */
const describeBound = (query: ReportQuery): string | undefined => {
  const { having = {} } = query
  if (having["decided"]?.min === MIN_DECIDED) return undefined
  const bounds = Object.entries(having).flatMap(([measure, { min, max }]) => {
    const what = describeMeasure(measure, findOutcome(query))
    return [
      ...(min === undefined ? [] : [`${describeLimit(measure, min, "at least", "more than")} ${what}`]),
      ...(max === undefined ? [] : [`${describeLimit(measure, max, "at most", "less than")} ${what}`]),
    ]
  })
  return bounds.length === 0 ? undefined : bounds.join(" and ")
}

/** The value over all groups; undefined where there is none. */
const writeOverAll = ({ plan: { measure, query }, report: { totals }, value }: Heading): string | undefined =>
  typeof totals.values[measure] === "number" &&
  measureOf(measure)?.isShare !== true &&
  describeBound(query) === undefined
    ? `**${value(totals)}** over all`
    : undefined

const writeWhole = (heading: Heading, range = ""): string => {
  const overAll = writeOverAll(heading)
  const bound = describeBound(heading.plan.query)
  const bounded = bound === undefined ? "" : `, those with ${bound}`
  return `${capitalize(heading.what)} by ${heading.names}${bounded}${overAll === undefined ? "" : `: ${overAll}`}${range}.`
}

/** From the lowest to the highest value, if the table has all groups. */
const writeRange = ({ plan, report: { others }, known, value }: Heading): string => {
  const [dimension = "", ...more] = plan.query.groupBy
  const [first, last] = [known[0], known.at(-1)]
  return others > 0 || first === undefined || last === undefined || known.length < 2 || more.length > 0
    ? ""
    : `, from ${rowText(last, dimension, value)} to ${rowText(first, dimension, value)}`
}

/** The first and last period of a table by date. */
const writeCourse = (heading: Heading, incomplete: ReportRow | undefined): string => {
  const { plan, known, what, names, value } = heading
  const [dimension = "", ...more] = plan.query.groupBy
  const [begin, next, ...later] = known
  const first = begin === incomplete && later.length > 0 ? next : begin
  const last = known.findLast((row) => row.partial !== true) ?? known.at(-1)
  if (more.length > 0 || first === undefined || last === undefined || plan.isRanked) return writeHead(heading)
  const ends = [...new Set([last, first])].map((row) => `${value(row)} in ${nameOf(row, dimension)}`)
  const overAll = writeOverAll(heading)
  return `${capitalize(what)} by ${names}: ${ends.join(", ")}${overAll === undefined ? "" : `; ${overAll}`}.`
}

/** Values of the second group that one sentence names. */
const MAX_LEADERS = 12

/** "Top rep in each region": the first of each region. Undefined for one group, three, or one by date. */
const writeLeaders = ({ plan: { query }, known, what, value, order }: Heading): string | undefined => {
  const [ranked = "", each, ...more] = query.groupBy
  if (each === undefined || more.length > 0 || query.groupBy.some(isDate)) return undefined
  const leaders = [...Map.groupBy(known, (row) => nameOf(row, each))].flatMap(([name, [first]]) =>
    first === undefined || name.startsWith("(no ")
      ? []
      : [`${asText(name)}: **${asText(nameOf(first, ranked))}** ${value(first)}`],
  )
  if (leaders.length === 0 || leaders.length > MAX_LEADERS) return undefined
  const [adjective] = SUPERLATIVE[order ?? "high"]
  return `${capitalize(adjective)} ${what} by ${describeDimension(each)}: ${leaders.join("; ")}.`
}

const rowText = (row: ReportRow, dimension: string, value: (row: ReportRow) => string) =>
  `${value(row)} (${asText(nameOf(row, dimension))})`

/** "**Orvanta** has the most lost deals: 34." Names all groups that share the first place. */
const writeHead = ({ plan: { query, measure }, known, what, names: groups, value, order }: Heading): string => {
  const [first] = known
  const [dimension = ""] = query.groupBy
  if (first === undefined) return `${capitalize(what)} by ${groups}.`
  const top = known.filter((row) => row.values[measure] === first.values[measure])
  const names = top.slice(0, 4).map((row) => `**${asText(nameOf(row, dimension))}**`)
  const isCount = unitOf(measure) === "count"
  const [adjective] = SUPERLATIVE[order ?? "high"]
  const adverb = query.orderBy?.startsWith("-") === false ? "fewest" : "most"
  const isExtreme = measure === "amount_max" || measure === "amount_min"
  const superlative = isExtreme ? what : isCount ? `${adverb} ${what}` : `${adjective} ${what}`
  return `${names.join(" and ")} ${top.length > 1 ? "have" : "has"} the ${superlative}: ${value(first)}.`
}
