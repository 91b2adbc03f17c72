import * as Effect from "effect/Effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { ApiKeys } from "../access/ApiKeys.ts"
import { BlobStore } from "../ports/BlobStore.ts"
import { Database } from "../storage/Database.ts"
import { utc } from "../storage/sql.ts"
import { Organizations } from "../workspace/Organizations.ts"
import { type ListedOrganization, OperatorApi } from "./contract.ts"
import { erase } from "./erase.ts"
import { requireOrganization } from "./requireOrganization.ts"

/** Organizations per page. */
const PAGE_SIZE = 200

export const layerOperatorHandlers = HttpApiBuilder.group(
  OperatorApi,
  "organizations",
  Effect.fnUntraced(function* (handlers) {
    const { sql, unscoped } = yield* Database
    const organizations = yield* Organizations
    const keys = yield* ApiKeys
    const find = yield* requireOrganization
    const context = yield* Effect.context<BlobStore | Database>()
    return handlers.handleAll({
      list: Effect.fnUntraced(function* ({ query: { cursor = "" } }) {
        const rows = yield* unscoped<ListedOrganization>(
          sql`select id, name, plan, ${sql.literal(utc("created_at"))} as created_at
              from list_organizations(${cursor}, ${PAGE_SIZE + 1}::int)`,
        )
        const data = rows.slice(0, PAGE_SIZE)
        return { data, next_cursor: rows.length > PAGE_SIZE ? data.at(-1)!.id : null }
      }),
      create: ({ payload }) => organizations.create(payload),
      find: ({ params }) => find(params.organization),
      change: Effect.fnUntraced(function* ({ params: { organization }, payload }) {
        return (yield* organizations.update(organization, payload)) ?? (yield* find(organization))
      }),
      erase: ({ params }) => Effect.provideContext(erase(params.organization), context),
      createKey: Effect.fnUntraced(function* ({ params, payload: { requests_per_minute, expires_at, ...key } }) {
        const { id } = yield* find(params.organization)
        return yield* keys.create(id, { ...key, requestsPerMinute: requests_per_minute, expiresAt: expires_at })
      }),
    })
  }),
)
