import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

/** No vector can be had of these texts as things are: the model is unknown there, the key wrong, a text too long. */
export class EmbeddingFailed extends Schema.TaggedError<EmbeddingFailed>()("EmbeddingFailed", {
  message: Schema.String,
}) {}

/** The endpoint is out of reach or busy; later it may not be. */
export class EmbeddingUnavailable extends Schema.TaggedError<EmbeddingUnavailable>()("EmbeddingUnavailable", {
  message: Schema.String,
}) {}

/** Texts to vectors that lie near one another where the texts mean alike. */
export class Embedder extends Context.Service<
  Embedder,
  {
    /** What passages are to be embedded by. */
    readonly model: string
    /**
     * A vector for each text, in their order, all of one length, which may be any but zero. `model` is `model` above, or one
     * that was configured before and whose vectors still serve.
     */
    readonly embed: (
      model: string,
      texts: ReadonlyArray<string>,
    ) => Effect.Effect<ReadonlyArray<ReadonlyArray<number>>, EmbeddingFailed | EmbeddingUnavailable>
  }
>()("sightline/ports/Embedder") {}
