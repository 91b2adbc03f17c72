import type { Metric } from "../deals/columns/metrics.ts"

/** The meanings of the scores 1, 3 and 5. */
export interface Rubric {
  readonly 1: string
  readonly 3: string
  readonly 5: string
}

/** The rubrics of a workspace's own. */
export type Rubrics = Readonly<Partial<Record<Metric, Rubric>>>

/** The rubrics of metrics that have none of the workspace's own. */
export const RUBRICS: Readonly<Record<Metric, Rubric>> = {
  product_fit: {
    1: "the buyer misses what it needs",
    3: "some needs are met, and some are not",
    5: "the buyer says that the product does what it needs",
  },
  sales_execution: {
    1: "promises broken, questions unanswered, no next steps",
    3: "mostly on time, with gaps",
    5: "prepared, quick, and each promise kept",
  },
  relationship: {
    1: "distrust, or no contact that decides",
    3: "correct, without a person who speaks for us",
    5: "a person at the buyer speaks for us",
  },
  price_sensitivity: {
    1: "the price plays no part",
    3: "the price is discussed among other things",
    5: "the price is said to decide",
  },
  competitive_intensity: {
    1: "no alternative is considered",
    3: "alternatives are named, none is preferred",
    5: "an alternative is preferred, or compared closely",
  },
  customer_fit: {
    1: "the buyer's size, field or use is not ours",
    3: "partly ours",
    5: "the buyer is just whom the product is for",
  },
  messaging_fit: {
    1: "what the seller stresses is not what the buyer asks about",
    3: "partly",
    5: "the seller speaks of what the buyer asks about",
  },
  messaging_accuracy: {
    1: "the seller's statements are wrong or taken back",
    3: "imprecise",
    5: "the seller's statements prove right",
  },
}
