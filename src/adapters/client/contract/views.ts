// `npm run client` writes this file from the contract.
import type { DealFilters } from "./filters.ts"

/** The parameters of a report. Its filters are those of the view. */
export interface SavedReport {
  /** Which of the two reports. */
  readonly subject: "deals" | "associations"
  readonly measures: ReadonlyArray<string>
  readonly group_by?: ReadonlyArray<string>
  readonly compare?: "previous_period" | "previous_year"
  readonly order_by?: string
  readonly limit?: number
  /** How the console draws it. */
  readonly chart?: "bars" | "columns" | "line" | "stacked" | "heat"
}

export interface View {
  readonly id: string
  readonly name: string
  /** Whether everyone in the organization sees it. If not, only its maker does. */
  readonly shared: boolean
  /** Whether the caller made it. */
  readonly own: boolean
  /** The key that made it. */
  readonly created_by: string
  readonly created_at: string
  readonly updated_at: string
  /** The board that shows its report. */
  readonly board_id: string | null
  /** The filters of GET /deals. */
  readonly filters: { readonly [key: string]: unknown }
  readonly columns: ReadonlyArray<string> | null
  readonly sort: string | null
  readonly sort_order: string | null
  readonly report: SavedReport | null
}

export interface ViewList {
  readonly data: ReadonlyArray<View>
}

export interface ViewsCreateInput {
  /** Its name for people. */
  readonly name: string
  /** False by default. On a board, the board's. */
  readonly shared?: boolean
  /** Puts a report on this board. */
  readonly board_id?: string
  readonly filters?: DealFilters
  /** The columns of a table of deals. */
  readonly columns?: ReadonlyArray<string> | null
  readonly sort?:
    | "created_at"
    | "updated_at"
    | "close_date"
    | "amount"
    | "name"
    | "wl_product_fit_score"
    | "wl_sales_execution_score"
    | "wl_relationship_score"
    | "wl_price_sensitivity_score"
    | "wl_competitive_intensity_score"
    | "wl_customer_fit_score"
    | "wl_messaging_fit_score"
    | "wl_messaging_accuracy_score"
    | null
  readonly sort_order?: "asc" | "desc" | null
  readonly report?: SavedReport
}

export interface ViewsUpdateInput {
  readonly id: string
  /** Its name for people. */
  readonly name?: string
  /** Whether everyone in the organization sees it. If not, only its maker does. */
  readonly shared?: boolean
  readonly filters?: DealFilters
  /** The columns of a table of deals. */
  readonly columns?: ReadonlyArray<string> | null
  readonly sort?:
    | "created_at"
    | "updated_at"
    | "close_date"
    | "amount"
    | "name"
    | "wl_product_fit_score"
    | "wl_sales_execution_score"
    | "wl_relationship_score"
    | "wl_price_sensitivity_score"
    | "wl_competitive_intensity_score"
    | "wl_customer_fit_score"
    | "wl_messaging_fit_score"
    | "wl_messaging_accuracy_score"
    | null
  readonly sort_order?: "asc" | "desc" | null
  readonly report?: SavedReport
}

export interface Board {
  readonly id: string
  readonly name: string
  /** Whether everyone in the organization sees it. If not, only its maker does. */
  readonly shared: boolean
  /** Whether the caller made it. */
  readonly own: boolean
  /** The key that made it. */
  readonly created_by: string
  readonly created_at: string
  readonly updated_at: string
  /** The number of its reports. */
  readonly reports: number
}

export interface BoardList {
  readonly data: ReadonlyArray<Board>
}

export interface ViewsEndpoints {
  /** List saved views. */
  readonly list: {
    readonly input: {
      /** Only the reports of this board, oldest first. */
      readonly board_id?: string | undefined
    }
    readonly output: ViewList
  }
  /** Save a view. */
  readonly create: { readonly input: ViewsCreateInput; readonly output: View }
  /** Change a saved view. */
  readonly update: { readonly input: ViewsUpdateInput; readonly output: View }
  /** Delete a saved view. */
  readonly delete: { readonly input: { readonly id: string }; readonly output: void }
  /** List boards. */
  readonly listBoards: { readonly input: {}; readonly output: BoardList }
  /** Create a board. */
  readonly createBoard: {
    readonly input: {
      /** Its name for people. */
      readonly name: string
      /** False by default. It does not change later. */
      readonly shared?: boolean
    }
    readonly output: Board
  }
  /** Delete a board and its reports. */
  readonly deleteBoard: { readonly input: { readonly id: string }; readonly output: void }
}
