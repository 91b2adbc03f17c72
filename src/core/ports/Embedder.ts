import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

/** These texts cannot be embedded: the model is unknown, the key is wrong, or a text is too long. */
export class EmbeddingFailed extends Schema.TaggedError<EmbeddingFailed>()("EmbeddingFailed", {
  message: Schema.String,
}) {}

/** The endpoint is unreachable or busy; a retry may succeed. */
export class EmbeddingUnavailable extends Schema.TaggedError<EmbeddingUnavailable>()("EmbeddingUnavailable", {
  message: Schema.String,
}) {}

/** Embeds texts as vectors; similar texts have close vectors. */
export class Embedder extends Context.Service<
  Embedder,
  {
    /** The model for new embeddings. */
    readonly model: string
    /**
     * Returns one vector per text, in order, all of the same non-zero length. `model` is the current model, or an earlier
     * one whose vectors are still in use.
     */
    readonly embed: (
      model: string,
      texts: ReadonlyArray<string>,
    ) => Effect.Effect<ReadonlyArray<ReadonlyArray<number>>, EmbeddingFailed | EmbeddingUnavailable>
  }
>()("sightline/ports/Embedder") {}
