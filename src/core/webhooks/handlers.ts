import * as Effect from "effect/Effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { Access, Principal } from "../access/Access.ts"
import { allows, explainRefusal } from "../access/permissions.ts"
import { makeApi } from "../http/api/makeApi.ts"
import { Forbidden } from "../http/errors/errors.ts"
import { badRequest } from "../http/validation/validation.ts"
import { SealedCursors } from "../signing/SealedCursors.ts"
import { Deliveries, type ReplayTarget } from "./Deliveries.ts"
import { EVENT_TYPES, type EventType, permissionFor } from "./events.ts"
import { Webhooks } from "./Webhooks.ts"
import { WebhooksGroup } from "./contract.ts"

const DAY_SECONDS = 86_400

export const layerWebhooksHandlers = HttpApiBuilder.group(
  makeApi(WebhooksGroup.middleware(Access)),
  "webhooks",
  Effect.fnUntraced(function* (handlers) {
    const webhooks = yield* Webhooks
    const deliveries = yield* Deliveries
    const cursors = yield* SealedCursors
    const organization = Effect.map(Principal, ({ organizationId }) => organizationId)

    /** Fails if the events include any that the caller cannot read itself. */
    const assertReadable = Effect.fnUntraced(function* (events: ReadonlyArray<EventType>) {
      const caller = yield* Principal
      const refused = events.map(permissionFor).find((permission) => !allows(caller, permission))
      if (refused !== undefined) return yield* new Forbidden({ message: explainRefusal(caller, refused) })
    })

    return handlers.handleAll({
      list: Effect.fnUntraced(function* () {
        return { data: yield* webhooks.list(yield* organization) }
      }),
      create: Effect.fnUntraced(function* ({ payload }) {
        const caller = yield* Principal
        const readable = EVENT_TYPES.filter((event) => allows(caller, permissionFor(event)))
        const event_types = payload.event_types ?? (readable.length === 0 ? EVENT_TYPES : readable)
        yield* assertReadable(event_types)
        return yield* webhooks.create(caller.organizationId, { ...payload, event_types })
      }),
      get: Effect.fnUntraced(function* ({ params }) {
        return yield* webhooks.find(yield* organization, params.id)
      }),
      update: Effect.fnUntraced(function* ({ params, payload }) {
        const org = yield* organization
        const current = payload.url === undefined ? [] : (yield* webhooks.find(org, params.id)).event_types
        yield* assertReadable(payload.event_types ?? current)
        return yield* webhooks.update(org, params.id, payload)
      }),
      delete: Effect.fnUntraced(function* ({ params }) {
        yield* webhooks.remove(yield* organization, params.id)
      }),
      rotate: Effect.fnUntraced(function* ({ params, payload }) {
        return yield* webhooks.rotate(yield* organization, params.id, payload?.grace_seconds ?? DAY_SECONDS)
      }),
      deliveries: Effect.fnUntraced(function* ({ params, query: { status, page_size = 50, cursor } }) {
        const org = yield* organization
        const list = `deliveries ${params.id}`
        const position = cursor === undefined ? undefined : yield* cursors.open(org, list, cursor)
        if (cursor !== undefined && position === undefined) {
          return yield* badRequest({
            invalid: [{ field: "cursor", reason: "must be the next_cursor of a page of this webhook's deliveries" }],
          })
        }
        const page = yield* deliveries.list(org, params.id, { status, size: page_size, before: position })
        const next = page.next_cursor
        return { ...page, next_cursor: next === null ? null : yield* cursors.seal(org, list, next) }
      }),
      replay: Effect.fnUntraced(function* ({ params, payload }) {
        return { replayed: yield* deliveries.replay(yield* organization, params.id, yield* toReplayTarget(payload)) }
      }),
      test: Effect.fnUntraced(function* ({ params }) {
        return yield* deliveries.ping(yield* organization, params.id)
      }),
    })
  }),
)

const toReplayTarget = ({
  delivery_id,
  from,
  to,
}: {
  readonly delivery_id?: string
  readonly from?: string
  readonly to?: string
}): Effect.Effect<ReplayTarget, ReturnType<typeof badRequest>> => {
  if (delivery_id !== undefined && from === undefined && to === undefined) return Effect.succeed({ delivery_id })
  if (delivery_id === undefined && from !== undefined) return Effect.succeed({ from, to })
  return badRequest({
    invalid: [
      {
        field: "delivery_id",
        reason: "must be the only field; otherwise send `from`, and `to` if the period ends before now",
      },
    ],
  })
}
