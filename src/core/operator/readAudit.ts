import * as Effect from "effect/Effect"
import { Database } from "../storage/Database.ts"
import { utc } from "../storage/sql.ts"
import type { OperatorAuditEntry, OperatorAuditQuery } from "./contract.ts"

/** Entries per page. */
const PAGE_SIZE = 200

/** Reads who erased organizations, and sign-ins that no organization's audit log has; the newest first. */
export const readAudit = Effect.fn("readAudit")(function* (query: OperatorAuditQuery) {
  const { action = null, organization = null, cursor = null }: Nullable = query
  const { sql, unscoped } = yield* Database
  const rows = yield* unscoped<OperatorAuditEntry>(sql`
    with entries as (
      select id, at, 'organization.erased' as action, encode(organization_hash, 'hex') as organization_hash, actor,
        null::json as details, request_id, address from erasures
      union all
      select id, at, place || '.refused', null, null, json_build_object('reason', reason, 'attempts', attempts), request_id, address
        from refused_sign_ins
    )
    select e.id, ${sql.literal(utc("e.at"))} as at, e.action, e.organization_hash, e.actor, e.details, e.request_id, e.address
    from entries e
    where (${action}::text is null or e.action = ${action})
      and (${organization}::text is null or e.organization_hash = encode(sha256(convert_to(${organization}, 'UTF8')), 'hex'))
      and (${cursor}::text is null or (e.at, e.id collate "C") < (select c.at, c.id from entries c where c.id = ${cursor}))
    order by e.at desc, e.id collate "C" desc limit ${PAGE_SIZE + 1}::int`)
  const data = rows.slice(0, PAGE_SIZE)
  return { data, next_cursor: rows.length > PAGE_SIZE ? data.at(-1)!.id : null }
})

type Nullable = { readonly [K in keyof OperatorAuditQuery]?: OperatorAuditQuery[K] | null }
