import { type Metric, METRICS } from "../deals/columns/metrics.ts"
import { measure, scope, type StandardMeasure } from "./measure.ts"

/** The German names of the scores; a missing one does not compile. */
const SCORES_DE: Readonly<Record<Metric, string>> = {
  product_fit: "Mittlere Produktpassung",
  sales_execution: "Mittlere Vertriebsleistung",
  relationship: "Mittlere Beziehung",
  price_sensitivity: "Mittlere Preisempfindlichkeit",
  competitive_intensity: "Mittlere Wettbewerbsintensität",
  customer_fit: "Mittlere Kundenpassung",
  messaging_fit: "Mittlere Passung der Botschaft",
  messaging_accuracy: "Mittlere Genauigkeit der Botschaft",
}

/** The mean of each score. */
export const SCORE_MEASURES = Object.fromEntries(
  METRICS.map((metric) => {
    const [words, column] = [metric.replaceAll("_", " "), `wl_${metric}_score`]
    return [
      `${column}_avg`,
      measure(
        "score",
        false,
        `avg(d.${column})`,
        [`average ${words} score`, SCORES_DE[metric], `The mean score for ${words}, 1 to 5.`, words],
        { scope: scope(`with_${column}`, `d.${column} is not null`, { [column]: { min: 1 } }) },
      ),
    ]
  }),
) as { readonly [M in Metric as `wl_${M}_score_avg`]: StandardMeasure }
