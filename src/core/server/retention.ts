import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { AUDIT_KEPT_DAYS } from "../access/audit/actions.ts"
import { inBackground } from "../jobs/background.ts"
import { DELETIONS_KEPT_DAYS } from "../changes/contract.ts"
import { Database } from "../storage/Database.ts"

/** What is forgotten, and the days it is kept. Replies say themselves until when. */
const KEPT_DAYS = {
  deletions: DELETIONS_KEPT_DAYS,
  webhook_deliveries: 30,
  jobs: 30,
  import_pages: 1,
  idempotent_replies: 0,
  audit_log: AUDIT_KEPT_DAYS,
} as const

/** Rows of one statement: it ends long before a statement may not take longer. */
const AT_ONCE = 1000

/** Forgets what is past its time. Each by itself: one that fails keeps none of the others. */
export const forget = Effect.fnUntraced(function* ({ sql, unscoped }: Database["Service"]) {
  for (const [what, days] of Object.entries(KEPT_DAYS)) {
    const some = Effect.map(
      unscoped<{ count: number }>(
        sql`select ${sql.literal(`forget_${what}`)}(${days}::int * interval '1 day', ${AT_ONCE}::int) as count`,
      ),
      ([row]) => row?.count === AT_ONCE,
    )
    yield* Effect.catchCause(Effect.repeat(some, { while: (more) => more }), (cause) =>
      Effect.logWarning(`could not delete expired ${what} yet`, cause),
    )
  }
})

/** Looks every hour; any number of processes may. */
export const layerForgetting = Layer.effectDiscard(
  Effect.gen(function* () {
    const database = yield* Database
    yield* inBackground(Effect.forever(Effect.andThen(forget(database), Effect.sleep("1 hour"))))
  }),
)
