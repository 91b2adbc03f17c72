import * as Effect from "effect/Effect"
import { makePredictor } from "./predict.ts"

/** The classifier with the weights of the package: 2 MB that a process loads with its first question. */
export const predictor = Effect.runSync(
  Effect.cached(Effect.promise(async () => makePredictor((await import("./weights.ts")).WEIGHTS))),
)
