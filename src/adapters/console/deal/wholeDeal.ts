import type { DealFeature } from "../../../core/deals/columns/columns.ts"
import type { Metric } from "../../../core/deals/columns/metrics.ts"
import type { Row } from "../../client/client.ts"

interface Named {
  readonly id: string
  readonly name: string
}

/** The columns whose types the client loses. */
interface Structured {
  readonly collaborators: ReadonlyArray<Named>
  readonly segments: ReadonlyArray<Named>
  readonly competitors: ReadonlyArray<Named & { readonly is_primary: boolean; readonly is_incumbent: boolean }>
  readonly features: ReadonlyArray<typeof DealFeature.Type>
  readonly product_labels: ReadonlyArray<string>
  readonly scorecard: Readonly<Record<Metric, { readonly score: number | null; readonly explanation: string | null }>>
}

/** A deal with all columns. */
export type WholeDeal = Omit<Row<"*">, keyof Structured> & Structured
