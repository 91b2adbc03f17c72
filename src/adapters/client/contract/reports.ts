// `npm run client` writes this file from the contract.
import type { DealFilters } from "./filters.ts"

export interface ReportsDealsInput extends DealFilters {
  /** 1 to 8 of `deals`, `clients`, `amount`, `amount_open`, `amount_won`, `amount_lost`, `open`, `won`, `lost`, `decided`, `win_rate`, `win_rate_by_amount`, `loss_rate`, `renewal_rate`, `lost_no_decision`, `amount_weighted`, `amount_avg`, `amount_median`, `amount_min`, `amount_max`, `share_of_deals`, `share_of_amount`, `cycle_days_avg`, `cycle_days_median`, `age_days_avg`, `overdue`, `amount_overdue`, `competitors_avg`, `new_clients`, `stage_entered`, `stage_left`, `slipped`, `wl_product_fit_score_avg`, `wl_sales_execution_score_avg`, `wl_relationship_score_avg`, `wl_price_sensitivity_score_avg`, `wl_competitive_intensity_score_avg`, `wl_customer_fit_score_avg`, `wl_messaging_fit_score_avg`, `wl_messaging_accuracy_score_avg`. Separated by commas or repeated. */
  readonly measures?: ReadonlyArray<string> | undefined
  /** Up to 3 dimensions; a date with its grain. Separated by commas or repeated. */
  readonly group_by?: ReadonlyArray<string> | undefined
  /** A measure or dimension of the report; descending after `-`. By default, dates ascend, else the first measure descends. */
  readonly order_by?: string | undefined
  /** The number of groups; 100 by default. */
  readonly limit?: number | undefined
  /** Bounds of measures, inclusive: other groups are left out. */
  readonly having?: { readonly [key: string]: { readonly min?: number; readonly max?: number } } | undefined
  /** Compares with an earlier period. Needs one date filter with both ends. */
  readonly compare?: "previous_period" | "previous_year" | undefined
  /** The first month of the fiscal year; by default the workspace's. */
  readonly fiscal_start?: number | undefined
}

/** The Wilson interval at 95 %. Null without decided deals. */
export interface Interval {
  /** The number of won and lost deals. */
  readonly n: number
  readonly low: number | null
  readonly high: number | null
}

export interface ReportDrill {
  readonly filters: { readonly [key: string]: unknown }
  readonly deals_url: string
  readonly deals: number
}

export interface ReportRow {
  /** By dimension: a text for dates (`2026-Q1`), otherwise an id and a name. Without a value, both are null; so is the id of a dimension without ids. */
  readonly group: { readonly [key: string]: string | { readonly id: string | null; readonly name: string | null } }
  /** By date dimension: the group's name for people. `FY27 Q3` if the fiscal year is not the calendar's, else as in `group`. */
  readonly labels?: { readonly [key: string]: string }
  /** By measure. Counts and sums over nothing are 0; averages, medians, extremes and rates are null. */
  readonly values: { readonly [key: string]: number | null }
  /** For each requested rate of deals. */
  readonly intervals?: { readonly [key: string]: Interval }
  /** The period is still running. */
  readonly partial?: true
  /** The earlier period; if the period is running, the same span of the earlier one. */
  readonly previous?: { readonly [key: string]: number | null }
  /** The whole earlier period, if the period is running. */
  readonly previous_whole?: { readonly [key: string]: number | null }
  /** The difference from `previous`. */
  readonly change?: { readonly [key: string]: number | null }
  /** The filters of GET /deals that select exactly these deals. */
  readonly filters: { readonly [key: string]: unknown }
  /** The same as a link. It needs the key. */
  readonly deals_url: string
  /** For each requested measure that is about some of these deals only, such as a rate of decided deals: the filters that select those, the same as a link, and their number. */
  readonly drills?: { readonly [key: string]: ReportDrill }
}

export interface ReportMeta {
  readonly measures: {
    readonly [key: string]: {
      readonly definition: string
      readonly unit: "deals" | "mentions" | "clients" | "competitors" | "currency" | "fraction" | "days" | "score"
      /** The groups add up to the total, except on overlapping dimensions. */
      readonly additive: boolean
    }
  }
  readonly dimensions: { readonly [key: string]: string }
  /** The dimensions on which a deal can be in several groups. */
  readonly overlapping: ReadonlyArray<string>
  /** The number of deals that have no amount. */
  readonly without_amount: number
  /** The number of groups, also those beyond the limit. */
  readonly groups: number
  readonly fiscal_start: number
  /** The day since when close dates are tracked, of a report about deals that slipped: what slipped before is unknown. */
  readonly since?: string
  /** By measure: why its values are null, if not for lack of deals. A setting names nothing that the workspace has, an open stage has no probability, or close dates were not tracked yet. */
  readonly reasons?: { readonly [key: string]: string }
  /** The measures with a value that is null because it is too large for a number. Only deals from before there was a largest amount cause this. */
  readonly out_of_range?: ReadonlyArray<string>
  readonly compared: {
    readonly field: string
    readonly period: { readonly from: string; readonly to: string }
    readonly earlier: { readonly from: string; readonly to: string }
    readonly same_span: { readonly from: string; readonly to: string } | null
  } | null
}

export interface Report {
  readonly data: ReadonlyArray<ReportRow>
  /** Over all deals of the report, each counted once. */
  readonly totals: {
    /** By measure. Counts and sums over nothing are 0; averages, medians, extremes and rates are null. */
    readonly values: { readonly [key: string]: number | null }
    /** For each requested rate of deals. */
    readonly intervals?: { readonly [key: string]: Interval }
    /** The period is still running. */
    readonly partial?: true
    /** The earlier period; if the period is running, the same span of the earlier one. */
    readonly previous?: { readonly [key: string]: number | null }
    /** The whole earlier period, if the period is running. */
    readonly previous_whole?: { readonly [key: string]: number | null }
    /** The difference from `previous`. */
    readonly change?: { readonly [key: string]: number | null }
    /** The filters of GET /deals that select exactly these deals. */
    readonly filters: { readonly [key: string]: unknown }
    /** The same as a link. It needs the key. */
    readonly deals_url: string
    /** For each requested measure that is about some of these deals only, such as a rate of decided deals: the filters that select those, the same as a link, and their number. */
    readonly drills?: { readonly [key: string]: ReportDrill }
  }
  /** The groups beyond the limit, each of their deals counted once. Null: there are none. */
  readonly other: { readonly groups: number; readonly values: { readonly [key: string]: number | null } } | null
  readonly meta: ReportMeta
}

export interface ReportsAssociationsInput extends DealFilters {
  /** 1 to 8 of `mentions`, `positive`, `negative`, `neutral`, `deals`, `clients`, `amount`, `amount_open`, `amount_won`, `amount_lost`. Separated by commas or repeated. */
  readonly measures?: ReadonlyArray<string> | undefined
  /** Up to 3 dimensions; a date with its grain. Separated by commas or repeated. */
  readonly group_by?: ReadonlyArray<string> | undefined
  /** A measure or dimension of the report; descending after `-`. By default, dates ascend, else the first measure descends. */
  readonly order_by?: string | undefined
  /** The number of groups; 100 by default. */
  readonly limit?: number | undefined
  /** Bounds of measures, inclusive: other groups are left out. */
  readonly having?: { readonly [key: string]: { readonly min?: number; readonly max?: number } } | undefined
  /** Compares with an earlier period. Needs one date filter with both ends. */
  readonly compare?: "previous_period" | "previous_year" | undefined
  /** The first month of the fiscal year; by default the workspace's. */
  readonly fiscal_start?: number | undefined
  /** Inclusive lower bound of the association's created_at. A day starts in the workspace's time zone. */
  readonly date_from?: string | undefined
  /** Inclusive upper bound. A day is the whole day in the workspace's time zone. */
  readonly date_to?: string | undefined
  /** `neutral` finds associations without a sentiment. By default, all. */
  readonly sentiment?: "positive" | "negative" | "neutral" | undefined
  /** Separated by commas or repeated. A row must have all of them. */
  readonly tags?: ReadonlyArray<string> | undefined
  /** Exact match on the feature's product. */
  readonly product?: string | undefined
  /** Exact match on the feature's product area. */
  readonly product_area?: string | undefined
}

export interface ReportsEndpoints {
  /** Report numbers of deals by group. */
  readonly deals: { readonly input: ReportsDealsInput; readonly output: Report }
  /** Report numbers of product-feature associations by group. */
  readonly associations: { readonly input: ReportsAssociationsInput; readonly output: Report }
}
