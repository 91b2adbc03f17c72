import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { AUDIT_KEPT_DAYS } from "../audit/actions.ts"
import { Background } from "../jobs/Background.ts"
import { DELETIONS_KEPT_DAYS } from "../changes/contract.ts"
import { PLAN_KEPT_HOURS } from "../import/planKept.ts"
import { IMPORT_KEPT_DAYS, LOG_KEPT_DAYS } from "../records/log/limits.ts"
import { Database } from "../storage/Database.ts"

/**
 * The days that rows are kept, by the suffix of the SQL function `forget_…`. Idempotent replies, figures, cited reports and sessions have
 * their own expiry; plans of imports are kept for an hour.
 */
const RETENTION_DAYS = {
  deletions: DELETIONS_KEPT_DAYS,
  webhook_deliveries: 30,
  jobs: 30,
  import_log: LOG_KEPT_DAYS,
  import_pages: 1,
  import_plans: PLAN_KEPT_HOURS / 24,
  imports: IMPORT_KEPT_DAYS,
  idempotent_replies: 0,
  cited_reports: 0,
  figures: 0,
  sessions: 0,
  grant_secrets: 0,
  grants: 0,
  oauth_clients: 0,
  audit_log: AUDIT_KEPT_DAYS,
  refused_sign_ins: AUDIT_KEPT_DAYS,
} as const

/** Rows that one statement deletes, few enough to stay well below the statement timeout. */
const BATCH_SIZE = 1000

/** Deletes expired rows, table by table, so that a failure in one does not affect the others. */
export const deleteExpired = Effect.gen(function* () {
  const { sql, unscoped } = yield* Database
  for (const [what, days] of Object.entries(RETENTION_DAYS)) {
    const some = Effect.map(
      unscoped<{ count: number }>(
        sql`select ${sql.literal(`forget_${what}`)}(${days}::float8 * interval '1 day', ${BATCH_SIZE}::int) as count`,
      ),
      ([row]) => row?.count === BATCH_SIZE,
    )
    yield* Effect.catchCause(Effect.repeat(some, { while: (more) => more }), (cause) =>
      Effect.logWarning(`could not delete expired ${what} yet`, cause),
    )
  }
})

const VACUUM_SECONDS = 60

/** Deletes what expired every hour, in one of the processes. Each process vacuums the database that it embeds, a table at a time. */
export const layerRetention = Layer.effectDiscard(
  Effect.gen(function* () {
    const { chore } = yield* Background
    const { vacuumAfterWrites } = yield* Database
    yield* chore({ name: "retention", everySeconds: 3600, run: deleteExpired })
    if (vacuumAfterWrites !== undefined)
      yield* chore({ name: "vacuum", everySeconds: VACUUM_SECONDS, run: vacuumAfterWrites, isLocal: true })
  }),
)
