/** The win-loss metrics of a scorecard; each has a score (1 to 5) and an explanation. */
export const METRICS = [
  "product_fit",
  "sales_execution",
  "relationship",
  "price_sensitivity",
  "competitive_intensity",
  "customer_fit",
  "messaging_fit",
  "messaging_accuracy",
] as const

export type Metric = (typeof METRICS)[number]
export type ScoreColumn = `wl_${Metric}_score`

export const SCORE_COLUMNS = METRICS.map((metric): ScoreColumn => `wl_${metric}_score`)
