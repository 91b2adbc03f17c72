import { statfsSync } from "node:fs"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { SqlClient } from "effect/sql/SqlClient"
import { SqlError, UnknownError } from "effect/sql/SqlError"
import { DISK_FULL, WhenFull } from "../../core/storage/Database.ts"

/** Bytes that this user may still write on the disk of `directory`; without end where the system does not tell. */
export const freeAt = (directory: string): number => {
  try {
    const { bavail, bsize } = statfsSync(directory)
    return bavail * bsize
  } catch {
    return Infinity
  }
}

export interface Space {
  /** Bytes free now. */
  readonly free: () => number
  /** Bytes that must stay free. */
  readonly reserve: number
  /** How many segments of the write-ahead log there are. */
  readonly segments: () => number
}

/** Milliseconds between looks: a look is a call of the system. */
const BETWEEN_LOOKS = 1000
/** Of 16 MiB each. A start after a crash reads them all. */
const MOST_SEGMENTS = 12

/**
 * Lets no transaction of `sql` begin, but those that `WhenFull` lets go on, while less than the reserve is free: an engine
 * that cannot write its log ends. Keeps the log short too, which an engine without a checkpointer lets grow without end.
 */
export const keepSpace = (sql: SqlClient, { free, reserve, segments }: Space): void => {
  const within = sql.withTransaction
  let lookedAt = -Infinity
  let full = false

  const look = Effect.suspend(() => {
    const now = performance.now()
    if (now - lookedAt < BETWEEN_LOOKS) return Effect.void
    lookedAt = now
    if (free() < reserve === full && segments() <= MOST_SEGMENTS) return Effect.void
    return sql`checkpoint`.pipe(
      Effect.catch((cause) => Effect.logWarning("the log of the database could not be shortened", cause)),
      Effect.andThen(Effect.suspend(noted)),
    )
  })

  const noted = () => {
    const left = free()
    if (left < reserve === full) return Effect.void
    full = left < reserve
    return full
      ? Effect.logWarning(
          `the disk of the database has ${mib(left)} left: nothing is written until ${mib(reserve)} are free`,
        )
      : Effect.logInfo(`the disk of the database has ${mib(left)} left: writing goes on`)
  }

  const begin = Effect.gen(function* () {
    yield* look
    const way = yield* WhenFull
    if (full && way === "refused") return yield* noRoom
    if (full && way === "waits") {
      yield* Effect.repeat(Effect.andThen(Effect.sleep(BETWEEN_LOOKS), look), { while: () => full })
    }
  })

  Object.assign(sql, {
    // What is within another has begun already, and holds the connection.
    withTransaction: <A, E, R>(effect: Effect.Effect<A, E, R>) =>
      Effect.flatMap(Effect.serviceOption(sql.transactionService), (outer) =>
        Option.isSome(outer) ? within(effect) : Effect.andThen(begin, within(effect)),
      ),
  })
}

/** As a server says it that has no room. */
const noRoom = new SqlError({
  reason: new UnknownError({ cause: { code: DISK_FULL }, message: "the disk of the database is full" }),
})

const mib = (bytes: number) => `${Math.floor(bytes / 1024 / 1024)} MiB`
