import { ASSOCIATION_DIMENSIONS, DIMENSIONS } from "../../../core/reports/dimensions.ts"
import { COMPARISONS, type Comparison, DEFAULT_LIMIT, MAX_LIMIT } from "../../../core/reports/limits.ts"
import { DEFAULT_MEASURE, MEASURES, type Subject } from "../../../core/reports/measures.ts"
import { CHARTS, type ChartKind } from "../../../core/views/charts.ts"
import type { Filters } from "../../client/client.ts"
import { pathOf } from "../../client/requests.ts"
import { BASE } from "../common/base.ts"
import { parseFilters } from "../deals/view.ts"

/** The state of the page. The address holds all of it, so that a link or the back button restores it. */
export interface ReportQuery {
  readonly subject: Subject
  readonly measures: ReadonlyArray<string>
  readonly groupBy: ReadonlyArray<string>
  readonly filters: Filters
  readonly compare: Comparison | undefined
  readonly orderBy: string | undefined
  readonly limit: number | undefined
  /** The chart that the reader chose; by default the first of `chartsOf`. */
  readonly chart: ChartKind | undefined
}

/** The state of an address without a query. */
const FIRST: ReportQuery = {
  subject: "deals",
  measures: ["won", "lost"],
  groupBy: ["close_date.quarter"],
  filters: { close_date: { period: "last_12_months" } },
  compare: undefined,
  orderBy: undefined,
  limit: undefined,
  chart: undefined,
}

export const readReport = (query: Readonly<Record<string, string>>): ReportQuery => {
  if (query["measures"] === undefined) return FIRST
  const measures = readNames(query["measures"])
  const subject = query["subject"] === "associations" ? "associations" : "deals"
  return {
    subject,
    measures: measures.length === 0 ? [DEFAULT_MEASURE[subject]] : measures,
    groupBy: readNames(query["group_by"]),
    filters: parseFilters(query["f"]),
    compare: COMPARISONS.find((each) => each === query["compare"]),
    orderBy: query["order_by"],
    limit: query["limit"] === undefined ? undefined : Number(query["limit"]),
    chart: CHARTS.find((each) => each === query["chart"]),
  }
}

/** The part of a page's address after its path. */
export const writeAddress = ({
  subject,
  measures,
  groupBy,
  filters,
  compare,
  orderBy,
  limit,
  chart,
}: ReportQuery): string =>
  `?${new URLSearchParams({
    ...(subject !== "deals" && { subject }),
    measures: writeNames(measures),
    ...(groupBy.length > 0 && { group_by: writeNames(groupBy) }),
    ...(Object.keys(filters).length > 0 && { f: JSON.stringify(filters) }),
    ...(compare !== undefined && { compare }),
    ...(orderBy !== undefined && { order_by: orderBy }),
    ...(limit !== undefined && { limit: String(limit) }),
    ...(chart !== undefined && { chart }),
  })}`

/** Names of custom metrics and properties may have commas. */
const writeNames = (names: ReadonlyArray<string>) => names.map(encodeURIComponent).join(",")

const readNames = (text = ""): ReadonlyArray<string> =>
  text === "" ? [] : text.split(",").flatMap((part) => (part.includes("%") ? decode(part) : [part]))

const decode = (part: string): ReadonlyArray<string> => {
  try {
    return [decodeURIComponent(part)]
  } catch {
    return []
  }
}

/** The parameters of the endpoint. A table of two or three dimensions needs all its groups. */
export const writeParameters = ({ measures, groupBy, filters, compare, orderBy, limit }: ReportQuery) => ({
  ...filters,
  measures,
  ...(groupBy.length > 0 && { group_by: groupBy }),
  ...(compare !== undefined && hasPeriod(filters) && { compare }),
  ...(orderBy !== undefined && { order_by: orderBy }),
  limit: limit ?? (groupBy.length > 1 ? MAX_LIMIT : DEFAULT_LIMIT),
})

/** A comparison needs a date filter with both ends. */
export const hasPeriod = (filters: Filters): boolean =>
  Object.values(filters).some((value) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return false
    const { period, from, to } = value as Readonly<Record<string, unknown>>
    return typeof period === "string" || (typeof from === "string" && typeof to === "string")
  })

const pathOfReport = (query: ReportQuery, parameters: object = {}) =>
  pathOf("reports", query.subject, parameters as Readonly<Record<string, unknown>>)

/** The path of the reply, for a request in the browser. */
export const writeRequestPath = (query: ReportQuery): string => `${BASE}${pathOfReport(query, writeParameters(query))}`

const quote = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`

/** The same request as a command of a shell, in which `KEY` is an API key. */
export const writeCurl = (query: ReportQuery): string =>
  [
    `curl -G ${quote(`${location.origin}${BASE}${pathOfReport(query)}`)}`,
    `  -H "Authorization: Bearer $KEY"`,
    ...Object.entries(writeParameters(query)).map(
      ([name, value]) =>
        `  --data-urlencode ${quote(`${name}=${typeof value === "object" ? JSON.stringify(value) : String(value)}`)}`,
    ),
  ].join(" \\\n")

/** The dimension without its grain. */
export const baseOf = (dimension: string): string => (isDated(dimension) ? dimension.split(".")[0]! : dimension)
export const grainOf = (dimension: string): string => dimension.split(".")[1] ?? "quarter"

export const isDated = (dimension: string): boolean => {
  const [name = ""] = dimension.split(".")
  return Object.hasOwn(ASSOCIATION_DIMENSIONS, name) && DIMENSIONS.associations[name]!.dated === true
}

/** The query about another subject, with the names that both have. */
export const withSubject = (query: ReportQuery, subject: Subject): ReportQuery => {
  const measures = query.measures.filter((name) => Object.hasOwn(MEASURES[subject], name))
  return {
    ...query,
    subject,
    measures: measures.length === 0 ? [DEFAULT_MEASURE[subject]] : measures,
    groupBy: query.groupBy.filter((name) => subject === "associations" || isOfDeals(name)),
    orderBy: undefined,
    chart: undefined,
  }
}

const isOfDeals = (dimension: string) =>
  Object.hasOwn(DIMENSIONS.deals, baseOf(dimension)) || !Object.hasOwn(DIMENSIONS.associations, baseOf(dimension))
