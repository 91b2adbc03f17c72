import { capitalize } from "../../../common/capitalize.ts"
import { asText } from "../../citations/markdown.ts"
import { describeMeasure } from "./measureWords.ts"
import { formatChange, formatCount, formatRate, formatValue, unitOf, writeCount } from "../words/numbers.ts"
import type { ReportQuery } from "../plan/reportQuery.ts"
import type { Report, Values } from "./reply.ts"
import { findOutcome } from "./table.ts"
import { DAY_MS } from "../words/calendar.ts"

/** The longest of each unit, in days. */
const UNIT_DAYS = [
  ["week", 7],
  ["month", 31],
  ["quarter", 92],
  ["year", 366],
] as const

/** Whether a period begins as one of the calendar: "the last 90 days" are no quarter. */
const isCalendar = (from: string | undefined, unit: string) => unit === "week" || from?.endsWith("-01") === true

/** Names the compared periods: "this quarter" and "last quarter". */
const describeSpans = ({ filters, compare }: ReportQuery, asked: Date) => {
  const period = [filters.close_date, filters.created_at, filters.stage_changed_at, filters.slipped_from].find(
    (each) => each !== undefined,
  ) as { readonly from?: string; readonly to?: string } | undefined
  const [from, to] = [Date.parse(period?.from ?? ""), Date.parse(period?.to ?? "")]
  const days = (to - from) / DAY_MS + 1
  const [unit] =
    UNIT_DAYS.find(([unit, most]) => days <= most && days > most * 0.9 && isCalendar(period?.from, unit)) ?? []
  const hasEnded = asked.getTime() >= to + DAY_MS
  if (unit === undefined || from > asked.getTime() || hasEnded) {
    const span = `${period?.from ?? ""} to ${period?.to ?? ""}`
    const follows = unit !== undefined && hasEnded && asked.getTime() < to + days * DAY_MS
    const before = compare === "previous_year" ? "the year before" : `the ${unit ?? "period"} before`
    return { now: follows ? `last ${unit}` : `from ${span}`, earlier: before }
  }
  const earlier = unit !== "year" && compare === "previous_year" ? `the same ${unit} of last year` : `last ${unit}`
  return { now: `this ${unit}`, earlier }
}

/** Names the time with which a report compares: a period that runs, with the same days of the one before. */
export const describeEarlier = (query: ReportQuery, { partial }: Pick<Report["totals"], "partial">, asked: Date) =>
  `${partial === true ? "the same days of " : ""}${describeSpans(query, asked).earlier}`

/** Under so many decided deals, an answer warns that a rate is uncertain. */
export const FEW_DECIDED = 20

export const lacks = (measure: string, reason: string) =>
  `There is no value for “${describeMeasure(measure, undefined)}”: ${asText(reason.replaceAll("`", ""))}.`

/** Whether a sum is 0 because no deal has an amount. */
const lacksAmount = (measure: string, withoutAmount: number, values: Values): boolean =>
  measure === "amount" && withoutAmount > 0 && withoutAmount === values["deals"]

const writeWithout = (count: number): string =>
  count === 0 ? "" : ` (${formatCount(count)} of them ${count === 1 ? "has" : "have"} no amount)`

/** The sentence about one number. */
export const writeTotal = (
  query: ReportQuery,
  measure: string,
  { totals, withoutAmount, reasons }: Report,
  { currency, now: asked }: { readonly currency: string | undefined; readonly now: Date },
): string => {
  const { values, previous, drills } = totals
  const reason = reasons?.[measure]
  if (reason !== undefined && values[measure] === null) return lacks(measure, reason)
  if (previous === undefined && lacksAmount(measure, withoutAmount, values))
    return `**No amount** is recorded for ${writeCount(withoutAmount, `${findOutcome(query) ?? ""} deal`.trim())}.`
  const without = /^(?:deals|amount)$/.test(measure) ? writeWithout(withoutAmount) : ""
  const said = writeValue(query, measure, values, currency, drills?.[measure]?.deals).replace(/\.$/, `${without}.`)
  if (previous === undefined) return said
  return writeBeside(said.replace(/\.$/, ""), query, measure, totals, previous, currency, asked)
}

/** The number beside that of the period before. */
const writeBeside = (
  said: string,
  query: ReportQuery,
  measure: string,
  totals: Report["totals"],
  previous: Values,
  currency: string | undefined,
  asked: Date,
): string => {
  const { values, change, partial, previous_whole: wholes } = totals
  const { now, earlier } = describeSpans(query, asked)
  const before = previous[measure] ?? null
  const isPartial = partial === true
  const changed =
    typeof change?.[measure] === "number"
      ? ` (${[formatChange(measure, change[measure], currency), ...writePercent(measure, change[measure], before)].join(", ")})`
      : ""
  const format = (value: number | null | undefined) => formatValue(measure, value ?? null, currency)
  const whole = wholes?.[measure]
  const rows = [
    [isPartial ? `${now}, so far` : now, format(values[measure])],
    ...(isPartial && whole !== undefined ? [[earlier, format(whole)]] : []),
    [describeEarlier(query, totals, asked), format(before)],
  ]
  const table = [["Period", capitalize(describeMeasure(measure, findOutcome(query)))], ["---", "---:"], ...rows]
  return `${said} ${now}${isPartial ? " so far" : ""}; ${format(before)} in ${describeEarlier(query, totals, asked)}${changed}.\n\n${table.map((row) => `| ${row.join(" | ")} |`).join("\n")}`
}

/** A change in percent, where the number is no rate. */
export const writePercent = (measure: string, change: number, before: number | null): ReadonlyArray<string> =>
  before === null || before === 0 || unitOf(measure) === "rate"
    ? []
    : [`${change < 0 ? "−" : "+"}${formatRate(Math.abs(change / before))}`]

/** The parts of a sentence about one number. */
interface Figure {
  readonly query: ReportQuery
  readonly measure: string
  readonly values: Values
  readonly outcome: string | undefined
  readonly currency: string | undefined
  /** The deals behind the number, if they are others than those of the report. */
  readonly drilled: number | undefined
}

const writeValue = (
  query: ReportQuery,
  measure: string,
  values: Values,
  currency: string | undefined,
  drilled: number | undefined,
): string =>
  (SENTENCES[measure] ?? writeOther)({ query, measure, values, outcome: findOutcome(query), currency, drilled })

const numberOf = ({ values }: Figure, name: string) => values[name] ?? 0
const format = ({ values, currency }: Figure, name: string) => formatValue(name, values[name] ?? null, currency)
const writeDealCount = (figure: Figure) =>
  writeCount(numberOf(figure, "deals"), figure.outcome === undefined ? "deal" : `${figure.outcome} deal`)
const writeDecided = (figure: Figure) => writeCount(numberOf(figure, "decided"), "decided deal")

const writeRate = (figure: Figure): string => {
  const { measure, outcome, values } = figure
  const value = values[measure] ?? null
  const what = describeMeasure(measure, outcome)
  if (value === null) return `There is no ${what}: **no matching deal** was won or lost.`
  if (measure === "win_rate_by_amount")
    return `**${formatRate(value)}** win rate by amount: ${format(figure, "amount_won")} won and ${format(figure, "amount_lost")} lost in ${writeDecided(figure)}.`
  const few = numberOf(figure, "decided") < FEW_DECIDED ? " With so few decided deals the rate is uncertain." : ""
  return `**${formatRate(value)}** ${what}: ${formatCount(numberOf(figure, "won"))} won and ${formatCount(numberOf(figure, "lost"))} lost of ${writeDecided(figure)}.${few}`
}

const writeRenewalRate = ({ measure, values, drilled }: Figure): string => {
  const value = values[measure] ?? null
  if (value === null) return "There is no renewal rate: **no matching renewal** was won or lost."
  const over = drilled === undefined ? "" : `, over ${writeCount(drilled, "decided renewal")}`
  return `**${formatRate(value)}** renewal rate${over}.`
}

const writeDeals = (figure: Figure): string => {
  if (numberOf(figure, "deals") === 0) return "**No deal** matches."
  const deals = writeDealCount(figure)
  return numberOf(figure, "amount") === 0
    ? `**${deals}**.`
    : `**${deals}**, worth ${format(figure, "amount")} in total.`
}

const writeAmount = (figure: Figure): string => {
  const { outcome } = figure
  const of = outcome === "open" ? "of open pipeline" : (outcome ?? "in total")
  return `**${format(figure, "amount")}** ${of}, from ${writeDealCount(figure)}.`
}

const writeClients = (figure: Figure): string =>
  `**${writeCount(numberOf(figure, "clients"), "client")}**, with ${writeDealCount(figure)} worth ${format(figure, "amount")}.`

const writeMentions = (figure: Figure): string =>
  `**${writeCount(numberOf(figure, "mentions"), "mention")}** in ${writeDealCount(figure)}, worth ${format(figure, "amount")}.`

const writeSentiment = (figure: Figure): string => {
  const { measure, values } = figure
  const count = writeCount(numberOf(figure, measure), `${measure} mention`)
  return `**${count}**${others(measure, values)} of ${writeCount(numberOf(figure, "mentions"), "mention")} in ${writeDealCount(figure)}.`
}

const writeOther = ({ query, measure, values, outcome, currency }: Figure): string => {
  const value = values[measure] ?? null
  const what = describeMeasure(measure, outcome)
  return value === null
    ? `This workspace has no ${what} for these deals: **no matching deal** has a value.`
    : `**${formatValue(measure, value, currency)}** ${what}${companion(query, measure, values, currency)}.`
}

const SENTENCES: Readonly<Record<string, (figure: Figure) => string>> = {
  deals: writeDeals,
  amount: writeAmount,
  win_rate: writeRate,
  loss_rate: writeRate,
  win_rate_by_amount: writeRate,
  renewal_rate: writeRenewalRate,
  clients: writeClients,
  mentions: writeMentions,
  positive: writeSentiment,
  negative: writeSentiment,
  neutral: writeSentiment,
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
