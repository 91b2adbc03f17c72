// `npm run client` writes this file from the contract.
import type { CompetitorAssociation, Driver, DealFeature, Scorecard } from "../../../core/deals/columns/values.ts"

export interface AnyDeal {
  /** The deal's id. */
  readonly id?: string
  /** The deal's name. */
  readonly name?: string
  /** The deal's value. */
  readonly amount?: number | null
  /** The current stage's id. */
  readonly status_id?: string | null
  /** The previous stage's id. */
  readonly previous_status_id?: string | null
  /** The expected or actual close date. The column name `proposal_due` is accepted too. */
  readonly close_date?: string | null
  /** The time when the deal was created. */
  readonly created_at?: string
  /** The owner's id. */
  readonly owner_id?: string | null
  /** The opportunity's id in the first CRM. */
  readonly crm_one_id?: string | null
  /** The deal's id in the second CRM. */
  readonly crm_two_id?: string | null
  /** Whether the analysis has run. */
  readonly deal_analyzed?: boolean
  /** Whether the analysis is verified. */
  readonly analysis_verified?: boolean
  /** The deal's type. */
  readonly type?: string | null
  /** The deal's region. */
  readonly region?: string | null
  /** The competitors in the deal, the primary one first. */
  readonly deal_competitor_associations?: ReadonlyArray<CompetitorAssociation>
  /** The reasons that influenced the deal. */
  readonly drivers?: ReadonlyArray<Driver>
  /** The win-loss score for product fit, 1 to 5. */
  readonly wl_product_fit_score?: number | null
  /** The win-loss score for sales execution, 1 to 5. */
  readonly wl_sales_execution_score?: number | null
  /** The win-loss score for relationship, 1 to 5. */
  readonly wl_relationship_score?: number | null
  /** The win-loss score for price sensitivity, 1 to 5. */
  readonly wl_price_sensitivity_score?: number | null
  /** The win-loss score for competitive intensity, 1 to 5. */
  readonly wl_competitive_intensity_score?: number | null
  /** The win-loss score for customer fit, 1 to 5. */
  readonly wl_customer_fit_score?: number | null
  /** The win-loss score for messaging fit, 1 to 5. */
  readonly wl_messaging_fit_score?: number | null
  /** The win-loss score for messaging accuracy, 1 to 5. */
  readonly wl_messaging_accuracy_score?: number | null
  /** The time of the deal's last change. */
  readonly updated_at?: string
  /** The current stage's name. */
  readonly deal_status?: string | null
  /** The owner's name. */
  readonly owner_name?: string | null
  /** The account's name. */
  readonly client_name?: string | null
  /** The account's industry. */
  readonly industry?: string | null
  /** The account's website. */
  readonly website_url?: string | null
  /** The products in the deal. */
  readonly product_labels?: ReadonlyArray<string>
  /** People who work on the deal besides its owner. */
  readonly collaborators?: ReadonlyArray<{ readonly id: string; readonly name: string }>
  /** The segments that include the deal. */
  readonly segments?: ReadonlyArray<{ readonly id: string; readonly name: string }>
  /** The primary competitor. */
  readonly primary_competitor?: { readonly id: string; readonly name: string } | null
  /** The competitors, flattened. */
  readonly competitors?: ReadonlyArray<{
    readonly id: string
    readonly name: string
    readonly is_primary: boolean
    readonly is_incumbent: boolean
  }>
  /** The product features that came up in the deal. */
  readonly features?: ReadonlyArray<DealFeature>
  /** The deal's story: an object, a text if it is an older summary, null before the analysis. */
  readonly summary?: unknown
  readonly scorecard?: Scorecard
  /** The explanation of the product fit score. */
  readonly wl_product_fit_explanation?: string | null
  /** The explanation of the sales execution score. */
  readonly wl_sales_execution_explanation?: string | null
  /** The explanation of the relationship score. */
  readonly wl_relationship_explanation?: string | null
  /** The explanation of the price sensitivity score. */
  readonly wl_price_sensitivity_explanation?: string | null
  /** The explanation of the competitive intensity score. */
  readonly wl_competitive_intensity_explanation?: string | null
  /** The explanation of the customer fit score. */
  readonly wl_customer_fit_explanation?: string | null
  /** The explanation of the messaging fit score. */
  readonly wl_messaging_fit_explanation?: string | null
  /** The explanation of the messaging accuracy score. */
  readonly wl_messaging_accuracy_explanation?: string | null
  readonly [key: string]: unknown
}
