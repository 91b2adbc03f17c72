import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Background } from "../jobs/Background.ts"
import { Embedder, type EmbeddingFailed, type EmbeddingUnavailable } from "../ports/Embedder.ts"
import type { DatabaseUnavailable } from "../ports/DatabaseUnavailable.ts"
import { Database } from "../storage/Database.ts"
import { timed } from "../telemetry/family.ts"
import { embedSeconds } from "../telemetry/metrics.ts"
import { entrySpan } from "../telemetry/tracing.ts"
import { encodeVector, selectUnembedded, type UnembeddedRow } from "./vectorSql.ts"
import { insertVectors, releaseVectorSet } from "./writing.ts"

/** Passages embedded and stored at once. Small, because PGlite has one connection for everyone. */
const BATCH_SIZE = 32
/** Each batch renews the lease on the organization. After a failure, the next attempt waits for its end. */
const LEASE_SECONDS = 60
const RETRY_MS = 20_000

/** The vectors of passages. Vectors of a new model are made while the old ones serve, and replace them when complete. */
export class Embeddings extends Context.Service<
  Embeddings,
  {
    /** Makes missing vectors. Returns the number stored. */
    readonly refresh: (
      org: string,
    ) => Effect.Effect<number, DatabaseUnavailable | EmbeddingFailed | EmbeddingUnavailable>
  }
>()("sightline/search/Embeddings") {
  static readonly layer = Layer.effect(
    Embeddings,
    Effect.gen(function* () {
      const database = yield* Database
      const { sql } = database
      const { model, embed } = yield* Embedder

      const embedOne = Effect.fnUntraced(function* (text: string) {
        const [vector = []] = yield* Effect.catchTag(embed(model, [text]), "EmbeddingFailed", () => Effect.succeed([]))
        return vector
      })

      /** If a working endpoint rejects the batch, embeds each text alone. A text that it rejects gets an empty vector. */
      const embedAll = (texts: ReadonlyArray<string>) =>
        Effect.catchTag(embed(model, texts), "EmbeddingFailed", () =>
          Effect.andThen(embed(model, ["passage"]), Effect.forEach(texts, embedOne)),
        )

      const store = (
        org: string,
        rows: ReadonlyArray<UnembeddedRow>,
        vectors: ReadonlyArray<ReadonlyArray<number>>,
      ) => {
        const dimensions = Math.max(...vectors.map(({ length }) => length))
        const made = rows.map(({ id }, index) => ({ id, ...encodeVector(vectors[index] ?? []) }))
        return insertVectors(sql, { org, model, dimensions, leaseSeconds: LEASE_SECONDS }, made)
      }

      return Embeddings.of({
        refresh: Effect.fn("Embeddings.refresh")(function* (org) {
          let all = 0
          let after = "0"
          for (;;) {
            const rows = yield* database.scoped<UnembeddedRow>(org, selectUnembedded(sql, model, after, BATCH_SIZE))
            const last = rows.at(-1)
            if (last === undefined) break
            const vectors = yield* timed(embedSeconds({}))(embedAll(rows.map(textOf)))
            all += yield* database.transaction(org, store(org, rows, vectors))
            after = last.id
          }
          yield* database.transaction(org, releaseVectorSet(sql, org, model))
          return all
        }),
      })
    }),
  )

  /** Makes the vectors of all organizations. Several processes share the organizations. */
  static readonly layerUpkeep = Layer.effectDiscard(
    Effect.gen(function* () {
      const { sql, unscoped } = yield* Database
      const embeddings = yield* Embeddings
      const background = yield* Background
      const { model } = yield* Embedder
      const round = Effect.gen(function* () {
        const [leased] = yield* unscoped<{ org_id: string }>(
          sql`select org_id from lease_vectors(${model}, ${LEASE_SECONDS}::int)`,
        )
        if (leased === undefined) return 0
        return yield* entrySpan("embed", () => ({ root: true }))(embeddings.refresh(leased.org_id))
      })
      yield* background.work({
        name: "vectors",
        round,
        followsCommits: () => Effect.succeed(true),
        retryMs: RETRY_MS,
        model,
      })
    }),
  )
}

/** The text to embed: with the name and headings of the passage, which say what it is about. */
const textOf = ({ n, name, headings, body, chunks }: UnembeddedRow) => {
  const chunk = chunks?.[n]
  const text = chunks === null ? body : body.slice(chunk?.start, chunk?.end)
  return [name, (headings ?? chunk?.headings ?? []).join(" > "), text].filter(Boolean).join("\n") || "-"
}
