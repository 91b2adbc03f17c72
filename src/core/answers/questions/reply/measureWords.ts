import { measureOf } from "../../../reports/measures.ts"

/** Describes a measure of deals with that outcome: "won deals", "open pipeline", "win rate". */
export const describeMeasure = (measure: string, outcome: string | undefined): string => {
  if (measure === "deals" && outcome !== undefined) return `${outcome} deals`
  if (measure === "amount" && outcome !== undefined) return outcome === "open" ? "open pipeline" : `${outcome} amount`
  return measureOf(measure)?.label ?? measure.replaceAll("_", " ")
}
