import type { CanonicalFilters } from "../../../deals/filters/filters.ts"
import { findNoun } from "../words/lexicon.ts"

export type Values = Readonly<Record<string, number | null>>

/** A value of a dimension; null for deals without one. Dates are texts. */
export type GroupValue = string | { readonly id: string | null; readonly name: string | null }

export interface ReportRow {
  readonly group: Readonly<Record<string, GroupValue>>
  /** The groups of dates as people write them. */
  readonly labels?: Readonly<Record<string, string>> | undefined
  readonly values: Values
  readonly previous?: Values | undefined
  readonly previous_whole?: Values | undefined
  readonly change?: Values | undefined
  readonly partial?: boolean | undefined
  readonly filters: CanonicalFilters
  /** By measure that is about some of the row's deals only: the filters that select these. */
  readonly drills?:
    | Readonly<Record<string, { readonly filters: Readonly<Record<string, unknown>>; readonly deals: number }>>
    | undefined
}

/** A report, in the words of `GET /deals/report`. */
export interface Report {
  readonly data: ReadonlyArray<ReportRow>
  readonly totals: Omit<ReportRow, "group" | "labels" | "filters">
  /** Groups that `limit` cut off. */
  readonly others: number
  /** Deals that have no amount. */
  readonly withoutAmount: number
  /** By measure: why it is null, if not for lack of deals. */
  readonly reasons?: Readonly<Record<string, string>> | undefined
  /** The day since when close dates are tracked, of a report about deals that slipped. */
  readonly since?: string | undefined
}

/** The name of a row's value of a dimension, as a person reads it. */
export const nameOf = (row: Pick<ReportRow, "group" | "labels">, dimension: string): string => {
  const value = row.group[dimension]
  if (value === undefined) return ""
  if (typeof value === "string") return row.labels?.[dimension] ?? value
  return (
    value.name ??
    `(no ${findNoun(dimension)?.one ?? dimension.replace(/^crm_(?:crm_(?:one|two)_account_)?/, "").replaceAll("_", " ")})`
  )
}
