import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { ApiKeys } from "../keys/ApiKeys.ts"
import { assertUsable } from "../keys/newKey.ts"
import { NotFound } from "../http/errors/errors.ts"
import { badRequest } from "../http/validation/validation.ts"
import { Clients } from "../oauth/Clients.ts"
import { hasName as isClientName } from "../oauth/clientName.ts"
import { destinationOf, REDIRECT_RULE } from "../oauth/redirects.ts"
import { Database } from "../storage/Database.ts"
import { Organizations } from "../catalogue/Organizations.ts"
import { OperatorApi, type OperatorAuditEntry, type OperatorAuditQuery } from "./contract.ts"
import { requireOrganization } from "./requireOrganization.ts"
import { utc } from "../storage/sql.ts"

/** Entries per page. */
const PAGE_SIZE = 200

/** Reads who erased organizations, and sign-ins that no organization's audit log has; the newest first. */
const readAudit = Effect.fn("readAudit")(function* (query: OperatorAuditQuery) {
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

const layerOrganizationsHandlers = HttpApiBuilder.group(
  OperatorApi,
  "organizations",
  Effect.fnUntraced(function* (handlers) {
    const organizations = yield* Organizations
    const keys = yield* ApiKeys
    const find = yield* requireOrganization
    return handlers.handleAll({
      list: ({ query }) => organizations.list(query),
      create: ({ payload }) => organizations.create(payload),
      find: ({ params }) => find(params.organization),
      change: ({ params, payload }) => organizations.update(params.organization, payload),
      erase: ({ params }) => organizations.erase(params.organization),
      createKey: Effect.fnUntraced(function* ({ params, payload: { requests_per_minute, expires_at, ...key } }) {
        const { id } = yield* find(params.organization)
        yield* assertUsable(key, { expires_at })
        return yield* keys.create(id, { ...key, requestsPerMinute: requests_per_minute, expiresAt: expires_at })
      }),
    })
  }),
)

const layerAuditHandlers = HttpApiBuilder.group(
  OperatorApi,
  "audit",
  Effect.fnUntraced(function* (handlers) {
    const database = yield* Database
    return handlers.handleAll({
      list: ({ query }) => Effect.provideService(readAudit(query), Database, database),
    })
  }),
)

const layerAssistantsHandlers = HttpApiBuilder.group(
  OperatorApi,
  "assistants",
  Effect.fnUntraced(function* (handlers) {
    const clients = yield* Clients
    return handlers.handleAll({
      list: () => Effect.map(clients.list(), (data) => ({ data })),
      add: Effect.fnUntraced(function* ({ payload: { name, redirect_uris } }) {
        const invalid = [
          ...(isClientName(name) ? [] : [{ field: "name", reason: "must have 1 to 80 visible characters" }]),
          ...(redirect_uris.length > 0 ? [] : [{ field: "redirect_uris", reason: "must have an address" }]),
          ...redirect_uris
            .filter((uri) => destinationOf(uri) === undefined)
            .map((uri) => ({ field: "redirect_uris", reason: `has '${uri.slice(0, 200)}'; ${REDIRECT_RULE}` })),
        ]
        if (invalid.length > 0) return yield* badRequest({ invalid })
        return yield* clients.add(name, redirect_uris)
      }),
      remove: Effect.fnUntraced(function* ({ params }) {
        if (!(yield* clients.remove(params.client)))
          return yield* new NotFound({ message: "no client that was registered by hand has this id" })
      }),
    })
  }),
)

export const layerOperatorHandlers = Layer.mergeAll(
  layerOrganizationsHandlers,
  layerAuditHandlers,
  layerAssistantsHandlers,
)
