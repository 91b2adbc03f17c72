import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { Database, unavailable } from "../storage/Database.ts"
import type { Nearby } from "./vectorSql.ts"

/** Passages from which on an organization's vectors have an index, where `pgvector` is installed; below, comparing all is as fast. */
const LEAST = 10_000
const POLL = "20 seconds"
/** Until the next try, where an index could not be made. */
const PAUSE = "10 minutes"

/**
 * The `limit` nearest that an index finds among those that are `narrowed` to. Where too few of those it looks at are among
 * them, all are compared, by `exact`. The index walks on in groups, nearly by distance: the order is made by the vectors later.
 */
export const nearestByIndex = (
  sql: SqlClient,
  { dimensions, signature, indexed, model }: Nearby,
  { narrowed, exact, limit }: { readonly narrowed: Fragment; readonly exact: Fragment; readonly limit: number },
): Fragment => {
  const bits = sql.literal(`bit(${dimensions})`)
  return sql`
    with tuned as materialized (
      select set_config('hnsw.ef_search', '100', true), set_config('hnsw.iterative_scan', 'relaxed_order', true),
        set_config('hnsw.max_scan_tuples', '2000', true) as most
    ), found as materialized (
      select v.* from tuned, lateral (
        select v.passage_id, v.vector from passage_vectors v
        where tuned.most is not null and v.org_id = ${indexed}::text and v.model = ${model}::text and length(v.signature) = ${dimensions}::int ${narrowed}
        order by v.signature::${bits} <~> ${signature}::${bits} limit ${limit}::int) v)
    select passage_id, vector from found where (select count(*) from found) = ${limit}::int
    union all
    select passage_id, vector from (${exact}) e where (select count(*) from found) < ${limit}::int`
}

/** Makes an index that is due, or drops one whose vectors are gone; answers its name. */
export const tendVectorIndex = ({ sql }: Database["Service"], least: number) =>
  unavailable(
    sql.withTransaction(
      Effect.gen(function* () {
        yield* sql`select set_config('statement_timeout', '0', true)`
        const [row] = yield* sql<{ name: string | null }>`select tend_vector_index(${least}::int) as name`
        return row?.name ?? undefined
      }),
    ),
  )

/** Tends all organizations' indexes while it lives. Several processes take turns. */
export const layerVectorIndexes = Layer.effectDiscard(
  Effect.gen(function* () {
    const database = yield* Database
    const round = Effect.gen(function* () {
      const name = yield* tendVectorIndex(database, LEAST)
      if (name === undefined) yield* Effect.sleep(POLL)
    })
    const failing = (cause: unknown) =>
      Effect.andThen(Effect.logWarning("an index of vectors could not be made", cause), Effect.sleep(PAUSE))
    yield* Effect.forkScoped(Effect.forever(Effect.catchCause(round, failing)))
  }),
)
