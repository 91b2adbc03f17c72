/** The words of measures in answers. */
const WORDS: Readonly<Record<string, string>> = {
  win_rate: "win rate",
  loss_rate: "loss rate",
  won: "won",
  lost: "lost",
  open: "open",
  decided: "decided",
  amount_avg: "average deal size",
  amount_median: "median deal size",
  amount_max: "largest amount",
  amount_min: "smallest amount",
  cycle_days_avg: "average sales cycle",
  cycle_days_median: "median sales cycle",
  age_days_avg: "average age",
  clients: "clients",
  mentions: "mentions",
  positive: "positive mentions",
  negative: "negative mentions",
  neutral: "neutral mentions",
  share_of_deals: "share of deals",
  share_of_amount: "share of the amount",
}

/** Describes a measure of deals with that outcome: "won deals", "open pipeline", "win rate". */
export const describeMeasure = (measure: string, outcome: string | undefined): string => {
  if (measure === "deals") return outcome === undefined ? "deals" : `${outcome} deals`
  if (measure === "amount")
    return outcome === undefined ? "amount" : outcome === "open" ? "open pipeline" : `${outcome} amount`
  const known = WORDS[measure]
  if (known !== undefined) return known
  const score = /^wl_(.*)_score_avg$/.exec(measure)?.[1] ?? /^custom_metric_(.*)_avg$/.exec(measure)?.[1] ?? measure
  return `average ${score.replaceAll("_", " ")} score`
}
