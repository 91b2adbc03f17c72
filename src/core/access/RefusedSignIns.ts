import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Queue from "effect/Queue"
import { Background } from "../jobs/Background.ts"
import type { RequestState } from "../http/CurrentRequest.ts"
import { Database } from "../storage/Database.ts"
import type { Refusal } from "./decision.ts"
import { display } from "./secret.ts"

interface RefusedKey {
  readonly display: string
  reason: Refusal
  attempts: number
  request_id: string
  address: string | null
}

/** Prefixes that are counted before they are written early: most of a flood's match no key, and the database drops them. */
const MAX_DISPLAYS = 1000
const FLUSH_SECONDS = 60

/** Counts refused keys by prefix, and writes those that match a key of an organization to its audit log. */
export class RefusedSignIns extends Context.Service<
  RefusedSignIns,
  {
    /** Costs one look-up in memory. */
    readonly count: (token: string, reason: Refusal, request: RequestState) => void
    readonly flush: Effect.Effect<void>
  }
>()("sightline/access/RefusedSignIns") {
  static readonly layer = Layer.effect(
    RefusedSignIns,
    Effect.gen(function* () {
      const { sql, unscoped } = yield* Database
      const counted = new Map<string, RefusedKey>()
      /** Refusals whose prefix did not fit while the database wrote. */
      let dropped = 0
      const isFull = yield* Queue.sliding<void>(1)
      const flush = Effect.suspend(() => {
        if (counted.size === 0) return Effect.void
        const refused = JSON.stringify([...counted.values()].map((each) => ({ ...each, dropped })))
        counted.clear()
        dropped = 0
        return unscoped(sql`select record_refused_sign_ins(${refused}::json)::text`).pipe(
          Effect.catchCause((cause) => Effect.logWarning("could not write refused sign-ins to the audit log", cause)),
          Effect.asVoid,
        )
      })
      const background = yield* Background
      yield* background.chore({ name: "refused sign-ins", everySeconds: FLUSH_SECONDS, run: flush, isLocal: true })
      yield* Effect.forkScoped(Effect.forever(Effect.andThen(Queue.take(isFull), flush)))
      yield* Effect.addFinalizer(() => flush)
      return RefusedSignIns.of({
        count: (token, reason, { id, address = null }) => {
          const name = display(token)
          const known = counted.get(name)
          if (known === undefined) {
            if (name.includes("\0")) return
            if (counted.size >= MAX_DISPLAYS) return void dropped++
            counted.set(name, { display: name, reason, attempts: 1, request_id: id, address })
            if (counted.size === MAX_DISPLAYS) Queue.offerUnsafe(isFull, undefined)
          } else {
            Object.assign(known, { reason, attempts: known.attempts + 1, request_id: id, address })
          }
        },
        flush,
      })
    }),
  )
}
