import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { inBackground } from "../jobs/background.ts"
import { Database, unavailable } from "../storage/Database.ts"

/** What an index needs that whoever runs the database may have installed: of an organization's vectors, or of its words. */
export type Extension = "vector" | "pg_textsearch"

/** Passages from which on an organization has an index of its own; with fewer, an index gains little. */
const LEAST = 10_000
const POLL = "20 seconds"
/** Until the next try, where an index could not be made. */
const PAUSE = "10 minutes"

/** Makes an index that is due, or drops one whose passages are gone; answers its name. */
export const tendIndex = ({ sql }: Database["Service"], extension: Extension, least: number) =>
  unavailable(
    sql.withTransaction(
      Effect.gen(function* () {
        yield* sql`select set_config('statement_timeout', '0', true)`
        const [row] = yield* sql<{ name: string | null }>`
          select tend_search_index(${extension}, ${least}::int) as name`
        return row?.name ?? undefined
      }),
    ),
  )

/** Tends all organizations' indexes of one kind while it lives. Several processes take turns. */
export const layerIndexes = (extension: Extension) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const database = yield* Database
      const round = Effect.gen(function* () {
        const name = yield* tendIndex(database, extension, LEAST)
        if (name === undefined) yield* Effect.sleep(POLL)
      })
      const failing = (cause: unknown) =>
        Effect.andThen(Effect.logWarning(`could not create an index of ${extension}`, cause), Effect.sleep(PAUSE))
      yield* inBackground(Effect.forever(Effect.catchCause(round, failing)))
    }),
  )
