import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Background } from "../jobs/Background.ts"
import { asBackground } from "../storage/CurrentClass.ts"
import { Database } from "../storage/Database.ts"
import { NOBODY } from "../storage/Permits.ts"

/** The PostgreSQL extensions for indexes of vectors and of words. Both are optional. */
type Extension = "vector" | "pg_textsearch"

/** An organization with fewer passages gains little from an index. */
const MIN_PASSAGES = 10_000
const EVERY_SECONDS = 300

/** Creates an index that is due, or drops one without passages. Returns its name. */
export const tendIndex = Effect.fnUntraced(function* (extension: Extension, minPassages: number) {
  const { sql, transaction } = yield* Database
  // Of no organization: the function looks at all of them.
  const tended = transaction(
    NOBODY,
    Effect.andThen(
      sql`select set_config('statement_timeout', '0', true)`,
      sql<{ name: string | null }>`select tend_search_index(${extension}, ${minPassages}::int) as name`,
    ),
  )
  const [row] = yield* asBackground(tended)
  return row?.name ?? undefined
})

/** Maintains the indexes of one kind for all organizations. */
export const layerIndexes = (extension: Extension) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const run = Effect.repeat(tendIndex(extension, MIN_PASSAGES), { while: (name) => name !== undefined })
      yield* (yield* Background).chore({ name: `index ${extension}`, everySeconds: EVERY_SECONDS, run })
    }),
  )
