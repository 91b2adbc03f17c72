import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Queue from "effect/Queue"
import { Background } from "../jobs/Background.ts"
import type { RequestState } from "../http/CurrentRequest.ts"
import { Database } from "../storage/Database.ts"
import type { Refusal } from "./decision.ts"
import { RefusedAddresses, type SignInPlace } from "./RefusedAddresses.ts"
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

/**
 * Counts refused keys by prefix, and writes those that match a key of an organization to its audit log. Counts wrong operator keys and
 * refused sign-ins to the console by address, and writes them to the operator's.
 */
export class RefusedSignIns extends Context.Service<
  RefusedSignIns,
  {
    /** Costs one look-up in memory. */
    readonly count: (token: string, reason: Refusal, request: RequestState) => void
    readonly countAt: (place: SignInPlace, reason: string, request: RequestState) => void
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
      const places = new RefusedAddresses()
      const flushKeys = Effect.suspend(() => {
        if (counted.size === 0) return Effect.void
        const refused = JSON.stringify([...counted.values()].map((each) => ({ ...each, dropped })))
        counted.clear()
        dropped = 0
        return unscoped(sql`select record_refused_sign_ins(${refused}::json)::text`)
      })
      const flushPlaces = Effect.suspend(() => {
        const rows = places.take()
        if (rows.length === 0) return Effect.void
        const attemptsAt = (place: SignInPlace) =>
          rows.reduce((sum, row) => sum + (row.place === place ? row.attempts : 0), 0)
        return Effect.andThen(
          Effect.logWarning(
            `refused sign-ins: ${attemptsAt("operator")} with a wrong operator key, ${attemptsAt("console")} to the console; GET /operator/audit has their addresses`,
          ),
          unscoped(sql`insert into refused_sign_ins (place, reason, attempts, request_id, address)
            select r.place, r.reason, r.attempts, r.request_id, r.address from json_to_recordset(${JSON.stringify(rows)}::json)
              as r(place text, reason text, attempts int, request_id text, address text)`),
        )
      })
      const flush = Effect.forEach(
        [flushKeys, flushPlaces],
        Effect.catchCause((cause) => Effect.logWarning("could not write refused sign-ins to the audit log", cause)),
        { discard: true },
      )
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
            known.reason = reason
            known.attempts++
            known.request_id = id
            known.address = address
          }
        },
        countAt: (place, reason, request) => places.count(place, reason, request),
        flush,
      })
    }),
  )
}
