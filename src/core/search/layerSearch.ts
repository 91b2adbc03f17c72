import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Embedder } from "../ports/Embedder.ts"
import { DealRecords } from "./DealRecords.ts"
import { layerIndexes } from "./layerIndexes.ts"
import { layerLexical } from "./layerLexical.ts"

/** Search by words, and by meaning too if there is an embedder. */
export const layerSearch = <E>(embedder: Layer.Layer<Embedder, E> | undefined) =>
  Layer.mergeAll(
    embedder === undefined ? layerLexical : Layer.provide(layerEmbedded, embedder),
    layerIndexes("pg_textsearch"),
    DealRecords.layerUpkeep.pipe(Layer.provideMerge(DealRecords.layer)),
  )

/** Loads the code of embeddings only if they are configured. */
const layerEmbedded = Layer.unwrap(
  Effect.promise(async () => {
    const [{ layerHybrid }, { Embeddings }] = await Promise.all([import("./layerHybrid.ts"), import("./Embeddings.ts")])
    const upkeep = Layer.merge(Embeddings.layerUpkeep.pipe(Layer.provide(Embeddings.layer)), layerIndexes("vector"))
    return Layer.merge(layerHybrid, upkeep)
  }),
)
