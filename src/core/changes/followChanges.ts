import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"
import type { Change } from "./contract.ts"
import type { DatabaseUnavailable } from "../ports/DatabaseUnavailable.ts"
import { Commits } from "../storage/Commits.ts"

export interface ChangesPage {
  readonly changes: ReadonlyArray<Change>
  readonly next: string
  readonly hasMore: boolean
  /** The reader has read every transaction with a lower number. */
  readonly reached: string
  /** The end of this read: the pages that follow stop before this number. */
  readonly watermark: string
}

/** Commits of this process wake the stream at once; those of others are found by looking. */
const POLL_INTERVAL_MS = 5_000

/** Between attempts to read while the database is unreachable; an outage of more than five minutes ends the stream. */
const RETRY_INTERVAL_MS = 2_000
const MAX_RETRIES = 150

/** Reads pages after `since`, and waits for commits of the organization after the last one. */
export const followChanges = <E>(
  org: string,
  since: string | undefined,
  read: (since: string | undefined) => Effect.Effect<ChangesPage, E | DatabaseUnavailable>,
) =>
  Stream.unwrap(
    Effect.gen(function* () {
      const commits = yield* Commits
      const latch = Latch.makeUnsafe(false)
      const listen = (committed: string) => {
        if (committed === org) latch.openUnsafe()
      }
      yield* Effect.acquireRelease(
        Effect.sync(() => commits.subscribe(listen)),
        (unsubscribe) => Effect.sync(unsubscribe),
      )
      const wait = Effect.timeoutOrElse(latch.await, {
        duration: POLL_INTERVAL_MS,
        orElse: () => Effect.void,
      })
      return Stream.paginate({ since, isFirst: true, isCaughtUp: false }, ({ since, isFirst, isCaughtUp }) =>
        Effect.gen(function* () {
          if (isCaughtUp) yield* wait
          // A commit during the reading opens it again.
          latch.closeUnsafe()
          const page = yield* isFirst ? read(since) : persistently(read(since))
          return [page.changes, Option.some({ since: page.next, isFirst: false, isCaughtUp: !page.hasMore })] as const
        }),
      )
    }),
  )

const persistently = <A, E>(effect: Effect.Effect<A, E>) =>
  Effect.retry(effect, {
    schedule: Schedule.spaced(RETRY_INTERVAL_MS),
    times: MAX_RETRIES,
    while: isUnavailable,
  })

const isUnavailable = (error: unknown) =>
  typeof error === "object" && error !== null && "_tag" in error && error._tag === "DatabaseUnavailable"
