import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { ApiKeys } from "../keys/ApiKeys.ts"
import { Database } from "../storage/Database.ts"
import { Organizations } from "../catalogue/Organizations.ts"
import { OperatorApi } from "./contract.ts"
import { readAudit } from "./readAudit.ts"
import { requireOrganization } from "./requireOrganization.ts"

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

export const layerOperatorHandlers = Layer.merge(layerOrganizationsHandlers, layerAuditHandlers)
