// `npm run client` writes this file from the contract.

export type Modifier = "is any of" | "is not" | "is all of" | "is empty" | "is not empty"

export type Period =
  | "today"
  | "this_week"
  | "this_month"
  | "this_quarter"
  | "this_year"
  | "last_week"
  | "last_month"
  | "last_quarter"
  | "last_year"
  | "next_week"
  | "next_month"
  | "next_quarter"
  | "next_year"
  | "last_7_days"
  | "last_30_days"
  | "last_90_days"
  | "last_4_quarters"
  | "last_12_months"
  | "year_to_date"

export interface DateRange {
  readonly from?: string
  readonly to?: string
  /** Instead of `from` and `to`. Relative to today in the workspace's time zone; quarters and years are fiscal. */
  readonly period?: Period
}

export interface CrmFilter {
  /** A CRM property's id. For an account's name, industry or website, an object with `map_to`. */
  readonly property: string | { readonly id?: string; readonly map_to: "name" | "industry" | "website_url" }
  readonly operator:
    | "is"
    | "is not"
    | "is greater than"
    | "is less than"
    | "is greater than or equal to"
    | "is less than or equal to"
    | "is before"
    | "is after"
    | "contains"
    | "does not contain"
    | "is empty"
    | "is not empty"
  /** Required, but omitted with `is empty` and `is not empty`. */
  readonly value?: string | number | boolean
  readonly crm?: "crm_one" | "crm_two"
}

export interface DealCondition {
  /** Fuzzy search on deal names. */
  readonly searchQuery?: string | undefined
  readonly amount?: { readonly min?: number; readonly max?: number; readonly below?: number } | undefined
  /** Deals without, or with, `amount`. */
  readonly amount_filter_type?: "is empty" | "is not empty" | undefined
  readonly close_date?: DateRange | undefined
  /** Deals without, or with, `close_date`. */
  readonly close_date_filter_type?: "is empty" | "is not empty" | undefined
  readonly created_at?: DateRange | undefined
  readonly updated_at?: DateRange | undefined
  readonly asked_at?: DateRange | undefined
  readonly stage_changed_at?: DateRange | undefined
  /** Deals whose stage changes are unknown, or known. */
  readonly stage_changed_at_filter_type?: "is empty" | "is not empty" | undefined
  readonly slipped_from?: DateRange | undefined
  /** Deals that did not slip, or that did, since close dates are tracked. */
  readonly slipped_from_filter_type?: "is empty" | "is not empty" | undefined
  /** Whether the analysis has run. */
  readonly analyzed?: boolean | undefined
  /** Whether the analysis is verified. */
  readonly verified?: boolean | undefined
  /** Whether the deal is open and its close date has passed. */
  readonly overdue?: boolean | undefined
  /** Whether the deal is the first that its client won, by close date, then by id, of all deals of the client. */
  readonly first_won?: boolean | undefined
  readonly open_days?: { readonly min?: number; readonly max?: number } | undefined
  /** Conditions on the deal's CRM properties; all must hold. */
  readonly crm_filters?: ReadonlyArray<CrmFilter> | undefined
  /** Conditions on the account's CRM properties; all must hold. */
  readonly crm_account_filters?: ReadonlyArray<CrmFilter> | undefined
  readonly custom_answers?: { readonly [key: string]: ReadonlyArray<string | null> } | undefined
  /** Deal ids. */
  readonly deal_ids?: ReadonlyArray<string> | undefined
  /** Opportunity ids in the first CRM. */
  readonly crm_one_ids?: ReadonlyArray<string> | undefined
  /** Deal ids in the second CRM. */
  readonly crm_two_ids?: ReadonlyArray<string> | undefined
  /** Owners, by id or name, ignoring case. */
  readonly owner_ids?: ReadonlyArray<string> | undefined
  /** Collaborating owners, by id or name, ignoring case. */
  readonly collaborators?: ReadonlyArray<string> | undefined
  /** Accounts, by id or name, ignoring case. */
  readonly client_ids?: ReadonlyArray<string> | undefined
  /** Stages, by id or name, ignoring case. */
  readonly status?: ReadonlyArray<string> | undefined
  /** The category of the stage. */
  readonly outcome?: ReadonlyArray<"open" | "won" | "lost"> | undefined
  /** Deal types, ignoring case. */
  readonly deal_type?: ReadonlyArray<string> | undefined
  /** Regions, ignoring case. */
  readonly region?: ReadonlyArray<string> | undefined
  /** Industries of the account, ignoring case. */
  readonly industry?: ReadonlyArray<string> | undefined
  /** Products of the deal, ignoring case. */
  readonly product_labels?: ReadonlyArray<string> | undefined
  /** Competitors, by id or name, ignoring case. */
  readonly competitors?: ReadonlyArray<string> | undefined
  /** Primary competitors, by id or name, ignoring case. */
  readonly primary_competitors?: ReadonlyArray<string> | undefined
  /** Incumbent competitors, by id or name, ignoring case. */
  readonly incumbents?: ReadonlyArray<string> | undefined
  /** Reasons among the drivers, by id or name, ignoring case. One driver must meet this, `driver_effect` and `driver_categories`. */
  readonly driver_ids?: ReadonlyArray<string> | undefined
  /** Whether the driver helped or hurt. See `driver_ids`. */
  readonly driver_effect?: ReadonlyArray<"positive" | "negative"> | undefined
  /** Categories of the driver's reason, ignoring case. See `driver_ids`. */
  readonly driver_categories?: ReadonlyArray<string> | undefined
  /** Features associated with the deal, by id or name, ignoring case. One association must meet this, `products`, `product_areas`, `feature_sentiment`, `association_tags` and `asked_at`. */
  readonly feature_ids?: ReadonlyArray<string> | undefined
  /** Products of the associated feature, ignoring case. See `feature_ids`. */
  readonly products?: ReadonlyArray<string> | undefined
  /** Product areas of the associated feature, ignoring case. See `feature_ids`. */
  readonly product_areas?: ReadonlyArray<string> | undefined
  /** Sentiments of the association; `neutral` has none. See `feature_ids`. */
  readonly feature_sentiment?: ReadonlyArray<"positive" | "negative" | "neutral"> | undefined
  /** Tags of the association, ignoring case. See `feature_ids`. */
  readonly association_tags?: ReadonlyArray<string> | undefined
  /** Stages that the deal entered, also by its creation, by id or name, ignoring case. One stage change must meet this, `left_stages` and `stage_changed_at`. */
  readonly entered_stages?: ReadonlyArray<string> | undefined
  /** Stages that the deal left, by id or name, ignoring case. See `entered_stages`. */
  readonly left_stages?: ReadonlyArray<string> | undefined
  /** Segments that include the deal, by id or name, ignoring case. */
  readonly segment_ids?: ReadonlyArray<string> | undefined
  /** How `deal_ids` applies; 'is any of' by default. 'is empty' and 'is not empty' take no values. */
  readonly deal_ids_filter_type?: Modifier | undefined
  /** How `crm_one_ids` applies; 'is any of' by default. 'is empty' and 'is not empty' take no values. */
  readonly crm_one_ids_filter_type?: Modifier | undefined
  /** How `crm_two_ids` applies; 'is any of' by default. 'is empty' and 'is not empty' take no values. */
  readonly crm_two_ids_filter_type?: Modifier | undefined
  /** How `owner_ids` applies; 'is any of' by default. 'is empty' and 'is not empty' take no values. */
  readonly owner_filter_type?: Modifier | undefined
  /** How `collaborators` applies; 'is any of' by default. 'is empty' and 'is not empty' take no values. */
  readonly collaborator_filter_type?: Modifier | undefined
  /** How `client_ids` applies; 'is any of' by default. 'is empty' and 'is not empty' take no values. */
  readonly client_ids_filter_type?: Modifier | undefined
  /** How `status` applies; 'is any of' by default. 'is empty' and 'is not empty' take no values. */
  readonly status_filter_type?: Modifier | undefined
  /** How `outcome` applies; 'is any of' by default. 'is empty' and 'is not empty' take no values. */
  readonly outcome_filter_type?: Modifier | undefined
  /** How `deal_type` applies; 'is any of' by default. 'is empty' and 'is not empty' take no values. */
  readonly deal_type_filter_type?: Modifier | undefined
  /** How `region` applies; 'is any of' by default. 'is empty' and 'is not empty' take no values. */
  readonly region_filter_type?: Modifier | undefined
  /** How `industry` applies; 'is any of' by default. 'is empty' and 'is not empty' take no values. */
  readonly industry_filter_type?: Modifier | undefined
  /** How `product_labels` applies; 'is any of' by default. 'is empty' and 'is not empty' take no values. */
  readonly product_filter_type?: Modifier | undefined
  /** How `competitors` applies; 'is any of' by default. 'is empty' and 'is not empty' take no values. */
  readonly competitors_filter_type?: Modifier | undefined
  /** How `primary_competitors` applies; 'is any of' by default. 'is empty' and 'is not empty' take no values. */
  readonly primary_competitor_filter_type?: Modifier | undefined
  /** How `incumbents` applies; 'is any of' by default. 'is empty' and 'is not empty' take no values. */
  readonly incumbents_filter_type?: Modifier | undefined
  /** How `driver_ids` applies; 'is any of' by default. 'is empty' and 'is not empty' take no values. */
  readonly driver_ids_filter_type?: Modifier | undefined
  /** How `driver_effect` applies; 'is any of' by default. 'is empty' and 'is not empty' take no values. */
  readonly driver_effect_filter_type?: Modifier | undefined
  /** How `driver_categories` applies; 'is any of' by default. 'is empty' and 'is not empty' take no values. */
  readonly driver_categories_filter_type?: Modifier | undefined
  /** How `feature_ids` applies; 'is any of' by default. 'is empty' and 'is not empty' take no values. */
  readonly feature_ids_filter_type?: Modifier | undefined
  /** How `products` applies; 'is any of' by default. 'is empty' and 'is not empty' take no values. */
  readonly products_filter_type?: Modifier | undefined
  /** How `product_areas` applies; 'is any of' by default. 'is empty' and 'is not empty' take no values. */
  readonly product_areas_filter_type?: Modifier | undefined
  /** How `feature_sentiment` applies; 'is any of' by default. 'is empty' and 'is not empty' take no values. */
  readonly feature_sentiment_filter_type?: Modifier | undefined
  /** How `association_tags` applies; 'is any of' by default. 'is empty' and 'is not empty' take no values. */
  readonly association_tags_filter_type?: Modifier | undefined
  /** How `entered_stages` applies; 'is any of' by default. 'is empty' and 'is not empty' take no values. */
  readonly entered_stages_filter_type?: Modifier | undefined
  /** How `left_stages` applies; 'is any of' by default. 'is empty' and 'is not empty' take no values. */
  readonly left_stages_filter_type?: Modifier | undefined
  /** How `segment_ids` applies; 'is any of' by default. 'is empty' and 'is not empty' take no values. */
  readonly segment_ids_filter_type?: Modifier | undefined
  readonly wl_product_fit_score?: { readonly min?: number; readonly max?: number } | undefined
  readonly wl_sales_execution_score?: { readonly min?: number; readonly max?: number } | undefined
  readonly wl_relationship_score?: { readonly min?: number; readonly max?: number } | undefined
  readonly wl_price_sensitivity_score?: { readonly min?: number; readonly max?: number } | undefined
  readonly wl_competitive_intensity_score?: { readonly min?: number; readonly max?: number } | undefined
  readonly wl_customer_fit_score?: { readonly min?: number; readonly max?: number } | undefined
  readonly wl_messaging_fit_score?: { readonly min?: number; readonly max?: number } | undefined
  readonly wl_messaging_accuracy_score?: { readonly min?: number; readonly max?: number } | undefined
}

/** The filters of GET /deals, as JSON values. */
export interface DealFilters extends DealCondition {
  /** More filters that must hold too, for example two conditions on competitors. */
  readonly and?: ReadonlyArray<DealCondition> | undefined
  /** Older name of `analyzed`, with a JSON array of the text `true` or `false`. */
  readonly deal_analyzed?: boolean | ReadonlyArray<boolean | "true" | "false"> | undefined
  /** Older name of `verified`, with a JSON array of the text `true` or `false`. */
  readonly analysis_verified?: boolean | ReadonlyArray<boolean | "true" | "false"> | undefined
  /** Older name of `competitors`. */
  readonly competitor_ids?: ReadonlyArray<string> | undefined
  /** Older name of `product_labels`. */
  readonly product_ids?: ReadonlyArray<string> | undefined
  readonly proposal_due?: DateRange | undefined
  /** Older name of `deal_type`. */
  readonly type?: ReadonlyArray<string> | undefined
}
