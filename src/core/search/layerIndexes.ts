import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { inBackground } from "../jobs/background.ts"
import { Database, unavailable } from "../storage/Database.ts"

/** The PostgreSQL extensions for indexes of vectors and of words. Both are optional. */
type Extension = "vector" | "pg_textsearch"

/** An organization with fewer passages gains little from an index. */
const MIN_PASSAGES = 10_000
const POLL_INTERVAL = "20 seconds"
/** The pause after a failure. */
const RETRY_INTERVAL = "10 minutes"

/** Creates an index that is due, or drops one without passages. Returns its name. */
export const tendIndex = Effect.fnUntraced(function* (extension: Extension, minPassages: number) {
  const { sql } = yield* Database
  const [row] = yield* unavailable(
    sql.withTransaction(
      Effect.andThen(
        sql`select set_config('statement_timeout', '0', true)`,
        sql<{ name: string | null }>`select tend_search_index(${extension}, ${minPassages}::int) as name`,
      ),
    ),
  )
  return row?.name ?? undefined
})

/** Maintains the indexes of one kind for all organizations. Several processes take turns. */
export const layerIndexes = (extension: Extension) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const round = Effect.gen(function* () {
        const name = yield* tendIndex(extension, MIN_PASSAGES)
        if (name === undefined) yield* Effect.sleep(POLL_INTERVAL)
      })
      const onFailure = (cause: unknown) =>
        Effect.andThen(
          Effect.logWarning(`could not create an index of ${extension}`, cause),
          Effect.sleep(RETRY_INTERVAL),
        )
      yield* inBackground(Effect.forever(Effect.catchCause(round, onFailure)))
    }),
  )
