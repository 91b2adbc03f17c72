import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { NotFound } from "../http/errors/errors.ts"
import type { DatabaseUnavailable } from "../ports/DatabaseUnavailable.ts"
import { Database } from "../storage/Database.ts"
import { inOrganization } from "../storage/inOrganization.ts"
import { utc } from "../storage/sql.ts"
import { IdentityRequests, type Plan } from "../access/plans.ts"
import type { Role } from "../access/permissions.ts"

/** The limits of a plan are null where it has none. */
export interface OrganizationUsage {
  readonly plan: Plan
  readonly requests_per_minute: number | null
  readonly minute_used: number
  readonly requests_per_month: number | null
  readonly month_used: number
  readonly exports_per_month: number | null
  readonly exports_used: number
  /** Views of the pages of figures, this month. */
  readonly link_views: number
  /** ISO 8601, like `month_reset_at`. */
  readonly window_reset_at: string
  readonly month_reset_at: string
}

export interface KeyUsage {
  readonly id: string
  /** The id of an identity of the embedding host; null: a key. */
  readonly identity: string | null
  readonly name: string
  readonly display: string
  readonly role: Role
  readonly revoked: boolean
  /** Null: no limit. */
  readonly requests_per_minute: number | null
  readonly minute_used: number
  readonly month_used: number
}

/** The current limits and usage of an organization. The counters of its keys, without its identities, add up to the organization's. */
export interface UsageReport {
  readonly organization: OrganizationUsage
  /** Keys that are live or were used this month, and identities that were, oldest first. */
  readonly keys: ReadonlyArray<KeyUsage>
}

/** Reads the counters that `Admission` charges. Each store of counters provides both services. */
export class Usage extends Context.Service<
  Usage,
  {
    /** Reading charges nothing. */
    readonly read: (org: string) => Effect.Effect<UsageReport, NotFound | DatabaseUnavailable>
  }
>()("sightline/keys/Usage") {
  /** Matches the SQL function `admit`: windows follow the database's clock and never go back. */
  static readonly layerDatabase = Layer.effect(
    Usage,
    Effect.gen(function* () {
      const read = yield* readDatabase
      return Usage.of({
        read: Effect.fn("Usage.read")(function* (org: string) {
          const { organization, keys } = yield* read(org)
          return { organization, keys: keys.filter(isReported) }
        }),
      })
    }).pipe(inOrganization),
  )
}

/** A host may have more identities than it has keys, so those without a request this month are left out. */
export const isReported = ({ identity, revoked, month_used }: KeyUsage): boolean =>
  month_used > 0 || (identity === null && !revoked)

/** Reads every key of an organization, its limits, and the counters in the database. */
export const readDatabase = Effect.gen(function* () {
  const database = yield* Database
  const { sql } = database
  const perIdentity = yield* IdentityRequests
  const iso = (ms: string) => sql.literal(utc(`to_timestamp((${ms}) / 1000.0)`))
  return Effect.fnUntraced(function* (org: string) {
    const [report] = yield* database.scoped<UsageReport>(
      org,
      sql`
        select
          json_build_object(
            'plan', p.name,
            'requests_per_minute', p.requests_per_minute,
            'minute_used', case when o.minute = now.minute then o.minute_used else 0 end,
            'requests_per_month', p.requests_per_month,
            'month_used', case when o.month = now.month then o.month_used else 0 end,
            'exports_per_month', p.exports_per_month,
            'exports_used', case when o.month = now.month then o.exports_used else 0 end,
            'link_views', case when o.link_month = now.month then o.link_views else 0 end,
            'window_reset_at', ${iso("(now.minute + 1) * 60000")},
            'month_reset_at', ${iso("month_end_ms(now.month)")}
          ) as organization,
          coalesce((
            select json_agg(json_build_object(
              'id', k.id, 'identity', k.identity, 'name', k.name, 'display', k.display, 'role', k.role, 'revoked', k.revoked_at is not null,
              'requests_per_minute', case when k.identity is null
                then coalesce(k.requests_per_minute, p.requests_per_key_minute) else ${perIdentity}::int end,
              'minute_used', case when u.minute = now.minute then u.minute_used else 0 end,
              'month_used', case when u.month = now.month then u.month_used else 0 end
            ) order by k.created_at, k.id collate "C")
            from api_keys k join api_key_usage u on u.org_id = k.org_id and u.key_id = k.id
            where k.org_id = scope.org), '[]') as keys
        from organizations org join plans p on p.name = org.plan join organization_usage o on o.org_id = org.id
          cross join (select clock_ms() as ms offset 0) clock
          cross join lateral (
            select minute_window(o.minute, clock.ms) as minute, month_window(o.month, clock.ms) as month
          ) now
        where org.id = scope.org`,
    )
    return report ?? (yield* Effect.die(`no organization ${org}`))
  })
})
