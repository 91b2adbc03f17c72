import * as Effect from "effect/Effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { makeApi } from "../http/api/makeApi.ts"
import { Forbidden } from "../http/errors/errors.ts"
import { Access, Principal } from "../access/Access.ts"
import { ApiKeys } from "./ApiKeys.ts"
import { type KeyUsage, Usage } from "./Usage.ts"
import { allows, covers, type Grant } from "../access/permissions.ts"
import { AccessGroup } from "./contract.ts"
import { assertUsable } from "./newKey.ts"

const DAY_SECONDS = 86_400

const toUsage = (limit: number | null, used: number) => ({
  limit,
  used,
  remaining: limit === null ? null : Math.max(limit - used, 0),
})

const toSpent = ({
  requests_per_minute,
  minute_used,
  month_used,
}: Pick<KeyUsage, "requests_per_minute" | "minute_used" | "month_used">) => ({
  requests_per_minute: toUsage(requests_per_minute, minute_used),
  requests_this_month: month_used,
})

export const layerAccessHandlers = HttpApiBuilder.group(
  makeApi(AccessGroup.middleware(Access)),
  "access",
  Effect.fnUntraced(function* (handlers) {
    const keys = yield* ApiKeys
    const usage = yield* Usage

    /** Fails unless the caller has every permission of the key to manage. */
    const assertCovers = Effect.fnUntraced(function* (grant: Grant) {
      const caller = yield* Principal
      if (!covers(caller, grant)) {
        return yield* new Forbidden({
          message: `role '${caller.role}' cannot manage API keys of role '${grant.role}' that have more permissions`,
        })
      }
    })
    const assertCanManage = Effect.fnUntraced(function* (id: string) {
      const { organizationId } = yield* Principal
      yield* assertCovers(yield* keys.find(organizationId, id))
      return organizationId
    })

    return handlers.handleAll({
      usage: Effect.fnUntraced(function* () {
        const caller = yield* Principal
        const { organizationId } = caller
        const { organization: limits, keys: all } = yield* usage.read(organizationId)
        const visible = allows(caller, "keys.manage") ? all : all.filter((key) => key.id === caller.keyId)
        const minute = { resets_at: limits.window_reset_at }
        const month = { resets_at: limits.month_reset_at }
        return {
          organization: {
            id: organizationId,
            plan: limits.plan,
            requests_per_minute: { ...toUsage(limits.requests_per_minute, limits.minute_used), ...minute },
            requests_per_month: { ...toUsage(limits.requests_per_month, limits.month_used), ...month },
            exports_per_month: { ...toUsage(limits.exports_per_month, limits.exports_used), ...month },
            link_views: limits.link_views,
          },
          keys: visible.flatMap(({ identity, id, name, display, role, revoked, ...spent }) =>
            identity === null ? [{ id, name, display, role, revoked, ...toSpent(spent) }] : [],
          ),
          identities: visible.flatMap(({ identity, name, role, ...spent }) =>
            identity === null ? [] : [{ id: identity, name, role, ...toSpent(spent) }],
          ),
        }
      }),
      listKeys: Effect.fnUntraced(function* () {
        const { organizationId } = yield* Principal
        return { data: yield* keys.list(organizationId) }
      }),
      createKey: Effect.fnUntraced(function* ({ payload }) {
        const { organizationId } = yield* Principal
        yield* assertUsable(payload, { expires_at: payload.expires_at })
        yield* assertCovers({ role: payload.role, permissions: payload.permissions ?? null })
        return yield* keys.create(organizationId, {
          name: payload.name,
          role: payload.role,
          environment: payload.environment,
          permissions: payload.permissions,
          requestsPerMinute: payload.requests_per_minute,
          expiresAt: payload.expires_at,
        })
      }),
      rotateKey: Effect.fnUntraced(function* ({ params, payload }) {
        return yield* keys.rotate(yield* assertCanManage(params.id), params.id, payload?.grace_seconds ?? DAY_SECONDS)
      }),
      revokeKey: Effect.fnUntraced(function* ({ params, query }) {
        yield* keys.revoke(yield* assertCanManage(params.id), params.id, query)
      }),
    })
  }),
)
