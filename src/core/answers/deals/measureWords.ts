import { CUSTOM_METRIC, customMetric, MEASURES } from "../../reports/measures.ts"

/** Describes a measure of deals with that outcome: "won deals", "open pipeline", "win rate". */
export const describeMeasure = (measure: string, outcome: string | undefined): string => {
  if (measure === "deals" && outcome !== undefined) return `${outcome} deals`
  if (measure === "amount" && outcome !== undefined) return outcome === "open" ? "open pipeline" : `${outcome} amount`
  const metric = CUSTOM_METRIC.exec(measure)?.[1]
  if (metric !== undefined) return customMetric(metric.replaceAll("_", " ")).label
  return (MEASURES.deals[measure] ?? MEASURES.associations[measure])?.label ?? measure.replaceAll("_", " ")
}
