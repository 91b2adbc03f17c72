import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { loadOnFirstUse } from "../common/lazily.ts"
import { Answerer } from "./Answerer.ts"

/** Answers by quoted sentences, without a model. Loads the code with the first question. */
export const layerQuoted = Layer.effect(
  Answerer,
  Effect.gen(function* () {
    const extractive = yield* loadOnFirstUse(
      Answerer,
      async () => (await import("./quotes/layerExtractive.ts")).layerExtractive,
    )
    return Answerer.of({
      kind: "extractive",
      answer: (asker, messages) => Stream.unwrap(Effect.map(extractive, ({ answer }) => answer(asker, messages))),
    })
  }),
)
