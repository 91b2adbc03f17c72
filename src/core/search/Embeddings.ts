import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { inBackground } from "../jobs/background.ts"
import { Embedder, type EmbeddingFailed, type EmbeddingUnavailable } from "../ports/Embedder.ts"
import type { DatabaseUnavailable } from "../ports/DatabaseUnavailable.ts"
import { Database } from "../storage/Database.ts"
import { timed } from "../telemetry/family.ts"
import { embedSeconds } from "../telemetry/metrics.ts"
import { encodeVector, selectUnembedded, type UnembeddedRow } from "./vectorSql.ts"

/** Passages embedded and stored at once. Small, because PGlite has one connection for everyone. */
const BATCH_SIZE = 32
/** Each batch renews the lease on the organization. After a failure, the next attempt waits for its end. */
const LEASE_SECONDS = 60
const POLL_INTERVAL = "2 seconds"
const RETRY_INTERVAL = "20 seconds"

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

      const store = Effect.fnUntraced(function* (
        org: string,
        rows: ReadonlyArray<UnembeddedRow>,
        vectors: ReadonlyArray<ReadonlyArray<number>>,
      ) {
        const dimensions = Math.max(...vectors.map(({ length }) => length))
        const made = rows.map(({ id }, index) => ({ id, ...encodeVector(vectors[index] ?? []) }))
        yield* sql`select set_config('plan_cache_mode', 'auto', true)`
        yield* sql`insert into vector_sets (org_id, model) values (${org}, ${model}) on conflict do nothing`
        const [set] = yield* sql<{ dimensions: number | null }>`
          select dimensions from vector_sets where org_id = ${org} and model = ${model} for update`
        if (dimensions > 0 && set?.dimensions !== dimensions) {
          yield* sql`delete from passage_vectors where org_id = ${org} and model = ${model}`
          yield* sql`update vector_sets set dimensions = ${dimensions}::int, vectors = 0, complete = false
            where org_id = ${org} and model = ${model}`
        }
        // Skips passages that another transaction is removing.
        const [added] = yield* sql<{ vectors: number }>`
          with kept as materialized (
            select id from passages where org_id = ${org} and id = any(${rows.map(({ id }) => id)}::bigint[])
            order by id for key share skip locked
          ), added as (
            insert into passage_vectors (passage_id, model, org_id, signature, vector)
            select k.id, ${model}, ${org}, x.signature, x.vector
            from kept k join json_to_recordset(${JSON.stringify(made)}::json)
              as x(id bigint, signature varbit, vector smallint[]) on x.id = k.id
            on conflict do nothing returning 1
          )
          update vector_sets set vectors = vectors + (select count(*) from added),
            leased_until = now() + make_interval(secs => ${LEASE_SECONDS}::int)
          where org_id = ${org} and model = ${model} returning (select count(*)::int from added) as vectors`
        return added?.vectors ?? 0
      })

      const settle = Effect.fnUntraced(function* (org: string) {
        const [set] = yield* sql<{ complete: boolean }>`
          update vector_sets s set leased_until = '-infinity', complete = s.complete or s.vectors >= t.passages
          from passage_totals t
          where s.org_id = ${org} and s.model = ${model} and t.org_id = ${org} returning s.complete`
        if (set?.complete === true) yield* sql`delete from vector_sets where org_id = ${org} and model <> ${model}`
      })

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
          yield* database.transaction(org, settle(org))
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
      const { model } = yield* Embedder
      const round = Effect.gen(function* () {
        const [leased] = yield* unscoped<{ org_id: string }>(
          sql`select org_id from lease_vectors(${model}, ${LEASE_SECONDS}::int)`,
        )
        if (leased === undefined) return yield* Effect.sleep(POLL_INTERVAL)
        // Nothing was stored, because the passages are being removed.
        if ((yield* embeddings.refresh(leased.org_id)) === 0) yield* Effect.sleep(POLL_INTERVAL)
      })
      const onFailure = (cause: unknown) =>
        Effect.andThen(Effect.logWarning("could not embed passages", cause), Effect.sleep(RETRY_INTERVAL))
      yield* inBackground(Effect.forever(Effect.catchCause(round, onFailure)))
    }),
  )
}

/** The text to embed: with the name and headings of the passage, which say what it is about. */
const textOf = ({ n, name, headings, body, chunks }: UnembeddedRow) => {
  const chunk = chunks?.[n]
  const text = chunks === null ? body : body.slice(chunk?.start, chunk?.end)
  return [name, (headings ?? chunk?.headings ?? []).join(" > "), text].filter(Boolean).join("\n") || "-"
}
