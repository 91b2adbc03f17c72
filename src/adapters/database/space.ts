import { statfsSync } from "node:fs"
import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { SqlError, UnknownError } from "effect/sql/SqlError"
import { DISK_FULL, WhenDiskFull } from "../../core/storage/Database.ts"

/** Bytes that this user may still write on the disk of `directory`; infinite if the system does not report it. */
export const freeAt = (directory: string): number => {
  try {
    const { bavail, bsize } = statfsSync(directory)
    return bavail * bsize
  } catch {
    return Infinity
  }
}

interface Space {
  /** Bytes free now. */
  readonly free: () => number
  /** Bytes that must stay free. */
  readonly reserve: number
  /** Counts the segments of the write-ahead log. */
  readonly segments: () => number
}

/** Milliseconds between two checks: each is a system call. */
const CHECK_INTERVAL_MS = 1000
/** Segments of 16 MiB. A start after a crash reads all of them. */
const MAX_SEGMENTS = 12

/**
 * Runs before each transaction. While less than the reserve is free, it admits only transactions that `WhenDiskFull` lets
 * continue: an engine that cannot write its log aborts. It also keeps the log short, which an engine without a checkpointer lets
 * grow forever.
 */
export const makeDiskGuard = (sql: SqlClient, { free, reserve, segments }: Space): Effect.Effect<void, SqlError> => {
  let checkedAt = -Infinity
  let full = false

  const check = Effect.suspend(() => {
    const now = performance.now()
    if (now - checkedAt < CHECK_INTERVAL_MS) return Effect.void
    checkedAt = now
    if (free() < reserve === full && segments() <= MAX_SEGMENTS) return Effect.void
    return sql`checkpoint`.pipe(
      Effect.catch((cause) => Effect.logWarning("could not shorten the database log", cause)),
      Effect.andThen(Effect.suspend(logChange)),
    )
  })

  const logChange = () => {
    const left = free()
    if (left < reserve === full) return Effect.void
    full = left < reserve
    return full
      ? Effect.logWarning(`the disk of the database has ${mib(left)} left: read-only until ${mib(reserve)} are free`)
      : Effect.logInfo(`the disk of the database has ${mib(left)} left: writes resume`)
  }

  return Effect.gen(function* () {
    yield* check
    const whenFull = yield* WhenDiskFull
    if (full && whenFull === "refuse") return yield* diskFull
    if (full && whenFull === "wait") {
      yield* Effect.repeat(Effect.andThen(Effect.sleep(CHECK_INTERVAL_MS), check), { while: () => full })
    }
  })
}

/** The error of a server whose disk is full. */
const diskFull = new SqlError({
  reason: new UnknownError({ cause: { code: DISK_FULL }, message: "the disk of the database is full" }),
})

const mib = (bytes: number) => `${Math.floor(bytes / 1024 / 1024)} MiB`
