import type { LanguageModel } from "effect/ai/LanguageModel"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { loadOnFirstUse } from "../common/lazily.ts"
import type { Deals } from "../deals/Deals.ts"
import type { ViewerLinks } from "../library/viewer/ViewerLinks.ts"
import type { Reports } from "../reports/Reports.ts"
import type { DealRecords } from "../search/DealRecords.ts"
import type { SearchIndex } from "../search/SearchIndex.ts"
import type { Database } from "../storage/Database.ts"
import { Answerer } from "./Answerer.ts"
import type { DealQuestions } from "./DealQuestions.ts"
import type { FigureLinks } from "./figures/FigureLinks.ts"

/** The services that an answerer may use. */
export type AnswererNeeds =
  | Database
  | DealQuestions
  | Deals
  | DealRecords
  | FigureLinks
  | Reports
  | SearchIndex
  | ViewerLinks

/**
 * Answers with any language model of `effect/ai`: `open({ database, answerer: Layer.provide(layerAgent, model) })`. It asks the model by
 * `streamText`, with tools that it runs itself, for at most 60 s and 120,000 tokens an answer. A failure of the model ends the answer
 * with `service_unavailable`: retries are the model's own. Loads its code with the first question.
 */
export const layerAgent: Layer.Layer<Answerer, never, LanguageModel | AnswererNeeds> = Layer.effect(
  Answerer,
  Effect.gen(function* () {
    const agent = yield* loadOnFirstUse(Answerer, async () => (await import("./agent/layerAgent.ts")).layerAgent)
    return Answerer.of({
      kind: "agent",
      answer: (asker, messages) => Stream.unwrap(Effect.map(agent, ({ answer }) => answer(asker, messages))),
    })
  }),
)
