import { statfsSync } from "node:fs"
import * as Effect from "effect/Effect"
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
 * What comes before each transaction. While less than the reserve is free it lets none begin but those that `WhenFull` lets
 * go on: an engine that cannot write its log ends. It keeps the log short too, which an engine without a checkpointer lets
 * grow without end.
 */
export const roomFor = (sql: SqlClient, { free, reserve, segments }: Space): Effect.Effect<void, SqlError> => {
  let lookedAt = -Infinity
  let full = false

  const look = Effect.suspend(() => {
    const now = performance.now()
    if (now - lookedAt < BETWEEN_LOOKS) return Effect.void
    lookedAt = now
    if (free() < reserve === full && segments() <= MOST_SEGMENTS) return Effect.void
    return sql`checkpoint`.pipe(
      Effect.catch((cause) => Effect.logWarning("could not shorten the database log", cause)),
      Effect.andThen(Effect.suspend(noted)),
    )
  })

  const noted = () => {
    const left = free()
    if (left < reserve === full) return Effect.void
    full = left < reserve
    return full
      ? Effect.logWarning(`the disk of the database has ${mib(left)} left: read-only until ${mib(reserve)} are free`)
      : Effect.logInfo(`the disk of the database has ${mib(left)} left: writes resume`)
  }

  return Effect.gen(function* () {
    yield* look
    const way = yield* WhenFull
    if (full && way === "refused") return yield* noRoom
    if (full && way === "waits") {
      yield* Effect.repeat(Effect.andThen(Effect.sleep(BETWEEN_LOOKS), look), { while: () => full })
    }
  })
}

/** As a server says it that has no room. */
const noRoom = new SqlError({
  reason: new UnknownError({ cause: { code: DISK_FULL }, message: "the disk of the database is full" }),
})

const mib = (bytes: number) => `${Math.floor(bytes / 1024 / 1024)} MiB`
