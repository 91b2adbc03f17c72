import type { Prediction } from "../../../src/core/answers/reader/predict.ts"

/** A reading of "how many deals", without any other part. */
export const COUNT: Prediction = {
  base: "count",
  outcome: "-",
  kind: "-",
  grain: "-",
  order: "-",
  compare: "-",
  side: "-",
  limit: "-",
  flags: new Set(),
  outside: 0,
  confidence: 0.9,
  strange: [],
}
