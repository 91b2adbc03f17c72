import { assert } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Judged } from "../../bench/support/retrieval.ts"
import { Embedder } from "../../src/core/ports/Embedder.ts"
import { Embeddings } from "../../src/core/search/Embeddings.ts"
import { layerHybrid } from "../../src/core/search/layerHybrid.ts"
import { layerLexical } from "../../src/core/search/layerLexical.ts"
import { SearchIndex } from "../../src/core/search/SearchIndex.ts"
import { Database } from "../../src/core/storage/Database.ts"
import type { Source } from "../support/addDocuments.ts"
import type { engines } from "../support/engines.ts"
import { embedded } from "./embeddingServer.ts"
import { qualityOf, workspaceOf } from "./judging.ts"
import { layerOrganizations } from "../support/organizations.ts"

class Lexical extends Context.Service<Lexical, SearchIndex["Service"]>()("test/Lexical") {}

/** The loss of quality that a poor model may cause. */
const TOLERANCE = 0.015

/** Fails if search by words and vectors is worse than by words alone. Returns the organization. */
export const compared = Effect.fnUntraced(function* (
  name: string,
  documents: ReadonlyArray<Source>,
  questions: ReadonlyArray<Judged>,
) {
  const org = yield* workspaceOf(documents)
  yield* (yield* Embeddings).refresh(org)
  const words = yield* qualityOf(yield* Lexical, org, questions)
  const both = yield* qualityOf(yield* SearchIndex, org, questions)
  assert.isAtLeast(both, words - TOLERANCE, `${name}: ${both.toFixed(3)}, by words alone ${words.toFixed(3)}`)
  return org
})

const layerWeak = Layer.succeed(Embedder, {
  model: "weak",
  embed: (_, texts) => Effect.sync(() => texts.map((text) => embedded(text))),
})

/** Search with a poor model's vectors, and by words alone. */
export const layerCompared = (engine: (typeof engines)[number]) =>
  Layer.mergeAll(
    layerHybrid,
    Embeddings.layer,
    layerOrganizations,
    Layer.effect(Lexical, SearchIndex).pipe(Layer.provide(layerLexical)),
  ).pipe(Layer.provide(layerWeak), Layer.provideMerge(Database.layer), Layer.provide(engine.database))
