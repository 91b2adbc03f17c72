import { MODIFIER_OF } from "../../../deals/filters/arrays.ts"
import type { CrmFilter, Operator } from "../../../deals/filters/crm.ts"
import type { CanonicalFilters } from "../../../deals/filters/filters.ts"
import { dimensionOfFilter } from "../../../reports/words.ts"
import { asText } from "../../citations/markdown.ts"
import { CENT, TENTH } from "../words/amounts.ts"
import type { WorkspaceNames } from "../words/names.ts"

/** The filter of each modifier. */
const FILTER_OF: ReadonlyMap<string, string> = new Map(
  Object.entries(MODIFIER_OF).map(([filter, modifier]) => [modifier, filter]),
)

const writeLabel = (name: string) =>
  (name in MODIFIER_OF ? dimensionOfFilter(name)?.one : undefined) ??
  name
    .replace(/^wl_/, "")
    .replace(/_score$/, " score")
    .replace(/^open_days$/, "days open")
    .replace(/^slipped_from$/, "slipped, once due")
    .replaceAll("_", " ")

const joinWords = (values: ReadonlyArray<string>, word: string) =>
  values.length < 2 ? values.join("") : `${values.slice(0, -1).join(", ")} ${word} ${values.at(-1)}`

/** Describes filters as a person does: "stage Lost, competitor Orvanta, close date from 2026-07-01 to 2026-09-30". */
export const describeFilters = (filters: CanonicalFilters, names: Names): string => describe(filters, names, String)

/** The same as Markdown: markup in names is text. */
export const writeFilters = (filters: CanonicalFilters, names: Names): string => describe(filters, names, asText)

type Names = Pick<WorkspaceNames, "names" | "currency">
type Write = (text: string) => string

const describe = (filters: CanonicalFilters, all: Names, write: Write): string => {
  const { names, currency } = all
  const nameOf = (value: string) => write(names.find((each) => each.value === value)?.name ?? value)
  const modifiers: Readonly<Record<string, string>> = MODIFIER_OF
  const parts = Object.entries(filters).flatMap(([name, value]: readonly [string, unknown]): ReadonlyArray<string> => {
    const modifier = modifiers[name] === undefined ? undefined : (filters as Record<string, unknown>)[modifiers[name]]
    if (name.endsWith("_filter_type")) return describePresence(name, value, filters)
    if (name === "and") return (value as ReadonlyArray<CanonicalFilters>).map((each) => describe(each, all, write))
    if (Array.isArray(value)) {
      if (name === "crm_filters" || name === "crm_account_filters")
        return value.map((each) => describeProperty(each, write))
      if (name === "deal_ids") return [`${value.length} selected ${value.length === 1 ? "deal" : "deals"}`]
      if (name === "driver_effect") return [`reasons ${value[0] === "negative" ? "against" : "for"} us`]
      const values = name === "outcome" ? value : value.map(nameOf)
      if (modifier === "is not") return [`${writeLabel(name)} not ${joinWords(values, "or")}`]
      return [`${writeLabel(name)} ${joinWords(values, modifier === "is all of" ? "and" : "or")}`]
    }
    if (name === "first_won") return [`${value === true ? "" : "not "}the first won deal of its client`]
    if (typeof value === "boolean") return [`${value ? "" : "not "}${name.replaceAll("_", " ")}`]
    return [
      `${writeLabel(name)} ${name === "amount" ? formatRange(value as Bounds, CENT, (bound) => formatMoney(bound, currency)) : formatRange(value as Bounds, TENTH, formatNumber)}`,
    ]
  })
  return parts.length === 0 ? "all deals" : parts.join(", ")
}

/** Describes a modifier that needs no value: "no region", "any competitor". */
const describePresence = (name: string, value: unknown, filters: CanonicalFilters): ReadonlyArray<string> => {
  if (name === "slipped_from_filter_type") {
    if (filters.slipped_from !== undefined) return []
    return [value === "is empty" ? "not slipped" : "slipped to a later quarter"]
  }
  const what = writeLabel(FILTER_OF.get(name) ?? name.replace(/_filter_type$/, ""))
  return value === "is empty" ? [`no ${what}`] : value === "is not empty" ? [`any ${what}`] : []
}

const OPERATORS: Partial<Readonly<Record<Operator, string>>> = {
  "is not": "not ",
  "is greater than": "above ",
  "is greater than or equal to": "at least ",
  "is less than": "below ",
  "is less than or equal to": "at most ",
}

/** "lead source Partner", "employee count above 1,000", "security review yes". */
const describeProperty = ({ property, operator, value }: CrmFilter, write: Write): string => {
  const name = (typeof property === "string" ? property : property.map_to).replaceAll("_", " ")
  const of =
    typeof value === "boolean" ? (value ? "yes" : "no") : typeof value === "number" ? formatNumber(value) : value
  return `${write(name)} ${OPERATORS[operator] ?? ""}${write(of ?? "")}`
}

interface Bounds {
  readonly from?: string
  readonly to?: string
  readonly min?: number
  readonly max?: number
}

/** A bound one step from a round number excludes that number, as "more than" and "less than" do. */
const formatRange = ({ from, to, min, max }: Bounds, step: number, write: (bound: number) => string) => {
  const round = (bound: number | undefined, by: number) => {
    const number = bound === undefined ? Number.NaN : Number((bound + by).toFixed(2))
    return Number.isInteger(number) ? number : undefined
  }
  const [above, below] = [round(min, -step), round(max, step)]
  const number = (bound: number | undefined) => (bound === undefined ? undefined : write(bound))
  const [low, high] = [from ?? number(min), to ?? number(max)]
  if (above === undefined && below === undefined && low !== undefined && high !== undefined)
    return `from ${low} to ${high}`
  const least = above !== undefined ? `above ${write(above)}` : low === undefined ? undefined : `from ${low}`
  const most = below !== undefined ? `below ${write(below)}` : high === undefined ? undefined : `up to ${high}`
  return [least, most].filter((bound) => bound !== undefined).join(" and ")
}

const formatNumber = (number: number): string => number.toLocaleString("en-US", { maximumFractionDigits: 2 })

/** An amount with its currency, if known: "48,000 EUR". */
export const formatMoney = (amount: number, currency: WorkspaceNames["currency"]): string =>
  currency === undefined ? formatNumber(amount) : `${formatNumber(amount)} ${currency}`

const MONTHS = "January February March April May June July August September October November December".split(" ")

/** Says that the quarters and years of a report are fiscal; empty if they are the calendar's. */
export const describeFiscalYear = (
  { groupBy }: { readonly groupBy: ReadonlyArray<string> },
  { fiscalStart }: WorkspaceNames,
): string =>
  fiscalStart > 1 && groupBy.some((each) => /\.(?:quarter|year)$/.test(each))
    ? `\n\nQuarters and years are fiscal: a year starts in ${MONTHS[fiscalStart - 1]}, and is named after the one in which it ends.`
    : ""
