import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { isSqlError } from "effect/sql/SqlError"
import { Installation, nameInstallation, sessionSettings } from "./session.ts"

/** The limits that a plan of the host's own sets an organization. Null: no limit. */
export interface PlanLimits {
  readonly requestsPerMinute: number | null
  /** Requests a minute of a key that has no limit of its own. */
  readonly requestsPerKey: number | null
  readonly requestsPerMonth: number | null
  readonly exportsPerMonth: number | null
}

export type Plans = Readonly<Record<string, PlanLimits>>

/** The host's own plans by name, which the start writes into the table `plans`. */
export const DefinedPlans = Context.Reference<Plans>("sightline/storage/DefinedPlans", { defaultValue: () => ({}) })

/** The host defines plans, and its login may not write them. */
export class PlansNotWritable extends Schema.TaggedError<PlansNotWritable>()("PlansNotWritable", {
  message: Schema.String,
}) {}

interface PlanRow {
  readonly name: string
  readonly requests_per_minute: number | null
  readonly requests_per_key_minute: number | null
  readonly requests_per_month: number | null
  readonly exports_per_month: number | null
}

const toRows = (plans: Plans): ReadonlyArray<PlanRow> =>
  Object.entries(plans).map(([name, limits]) => ({
    name,
    requests_per_minute: limits.requestsPerMinute,
    requests_per_key_minute: limits.requestsPerKey,
    requests_per_month: limits.requestsPerMonth,
    exports_per_month: limits.exportsPerMonth,
  }))

const LIMITS = ["requests_per_minute", "requests_per_key_minute", "requests_per_month", "exports_per_month"] as const

/** The host's plans that the table lacks, or has with other limits. Reads as the role that serves may. */
const missing = Effect.gen(function* () {
  const wanted = toRows(yield* DefinedPlans)
  if (wanted.length === 0) return []
  const sql = yield* SqlClient
  const named = nameInstallation(yield* Installation)
  const found = yield* sql.unsafe<PlanRow>(named(`select name, ${LIMITS.join(", ")} from sightline.plans`))
  const known = new Map(found.map((row) => [row.name, row]))
  return wanted.flatMap((plan) => {
    const before = known.get(plan.name)
    return before !== undefined && LIMITS.every((limit) => before[limit] === plan[limit]) ? [] : [{ plan, before }]
  })
})

/** Whether the table `plans` has the host's plans with their limits. */
export const hasPlans = Effect.map(missing, (plans) => plans.length === 0)

/**
 * Writes the host's plans as the tables' owner. The last start wins: instances with different plans log each change. A plan that is no
 * longer defined stays, because organizations may have it.
 */
export const definePlans = Effect.gen(function* () {
  const sql = yield* SqlClient
  const installation = yield* Installation
  yield* sql.withTransaction(
    Effect.gen(function* () {
      yield* sql`select pg_advisory_xact_lock(hashtext('sightline.migrate'))`
      yield* sql.unsafe(`set local search_path = ${sessionSettings(installation).search_path}`)
      for (const { plan, before } of yield* missing) {
        yield* sql`insert into plans ${sql.insert({ ...plan })} on conflict (name) do update set
          ${sql.csv(LIMITS.map((name) => sql`${sql(name)} = excluded.${sql(name)}`))}`
        if (before !== undefined)
          yield* Effect.logWarning(`the plan '${plan.name}' has new limits`, { before, after: plan })
      }
    }),
  )
}).pipe(
  Effect.catchIf(
    (error) => isSqlError(error) && error.reason._tag === "AuthorizationError",
    () =>
      Effect.fail(
        new PlansNotWritable({
          message:
            "`plans` needs a login that may write the table plans: pass `migrationUrl` (SIGHTLINE_MIGRATION_URL), the login that owns the tables",
        }),
      ),
  ),
)
