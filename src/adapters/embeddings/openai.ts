import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { reveal } from "../../core/common/secret.ts"
import { Embedder, EmbeddingFailed, EmbeddingUnavailable } from "../../core/ports/Embedder.ts"
import { exchange, retryTransient } from "../endpoint.ts"
import { assertEmbedder, type EmbeddingOptions } from "../models/options.ts"

export type { EmbeddingOptions }

/** Embeds by `POST {url}/embeddings` of any OpenAI-compatible endpoint: `open({ database, embedder: embedderOf({ url, model, key }) })`. */
export const embedderOf = (options: EmbeddingOptions) => {
  assertEmbedder(options)
  const { batch = 64, tries = 4, pause = 0.5, seconds = 30, ...endpoint } = options
  return Layer.succeed(Embedder, {
    model: endpoint.model,
    embed: Effect.fn("Embedder.openai")(function* (model, texts) {
      const batches = Array.from({ length: Math.ceil(texts.length / batch) }, (_, index) =>
        texts.slice(index * batch, (index + 1) * batch),
      )
      const vectors = yield* Effect.forEach(batches, (part) =>
        Effect.mapError(retryTransient(ask(endpoint, model, part, seconds), { tries, pause }), (error) =>
          error._tag === "Transient" ? new EmbeddingUnavailable({ message: error.message }) : error,
        ),
      )
      return vectors.flat()
    }),
  })
}

const Reply = Schema.fromJsonString(
  Schema.Struct({
    data: Schema.Array(Schema.Struct({ index: Schema.Int, embedding: Schema.Array(Schema.Finite) })),
  }),
)

const ask = Effect.fnUntraced(function* (
  { url, key }: Pick<EmbeddingOptions, "url" | "key">,
  model: string,
  texts: ReadonlyArray<string>,
  seconds: number,
) {
  const { status, text } = yield* exchange(
    { name: "the embedding endpoint", seconds, most: MAX_REPLY_BYTES },
    (signal) =>
      fetch(`${url}/embeddings`, {
        method: "POST",
        body: JSON.stringify({ model, input: texts }),
        headers: {
          "content-type": "application/json",
          ...(key !== undefined && { authorization: `Bearer ${reveal(key)}` }),
        },
        // A redirect could take the key and the workspace's text elsewhere.
        redirect: "manual",
        signal,
      }),
  )
  if (status !== 200) return yield* new EmbeddingFailed({ message: refusal(status) })
  const { data } = yield* Effect.mapError(Schema.decodeUnknownEffect(Reply)(text), () => garbage)
  const vectors = data.toSorted((a, b) => a.index - b.index).map(({ embedding }) => embedding)
  const [first = []] = vectors
  const isWhole =
    vectors.length === texts.length && first.length > 0 && vectors.every(({ length }) => length === first.length)
  return isWhole ? vectors : yield* garbage
})

/** A batch of long vectors in decimals takes a few megabytes. */
const MAX_REPLY_BYTES = 32 * 1024 * 1024

const refusal = (status: number) =>
  status === 401 || status === 403
    ? "the embedding endpoint refused this server's key; correct SIGHTLINE_EMBEDDING_KEY"
    : `the embedding endpoint refused the texts (${status}); check SIGHTLINE_EMBEDDING_URL and SIGHTLINE_EMBEDDING_MODEL`

const garbage = new EmbeddingFailed({
  message: "the embedding endpoint's reply has no vectors; check SIGHTLINE_EMBEDDING_URL and SIGHTLINE_EMBEDDING_MODEL",
})
