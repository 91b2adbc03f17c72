import * as Effect from "effect/Effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { Principal } from "../access/Access.ts"
import { Api } from "../api.ts"
import { badRequest } from "../http/validation.ts"
import { Deliveries, type Replayed } from "./Deliveries.ts"
import { Webhooks } from "./Webhooks.ts"

const DAY = 86_400

export const layerWebhooksHandlers = HttpApiBuilder.group(
  Api,
  "webhooks",
  Effect.fnUntraced(function* (handlers) {
    const webhooks = yield* Webhooks
    const deliveries = yield* Deliveries
    const organization = Effect.map(Principal, ({ organizationId }) => organizationId)

    return handlers.handleAll({
      list: Effect.fnUntraced(function* () {
        return { data: yield* webhooks.list(yield* organization) }
      }),
      create: Effect.fnUntraced(function* ({ payload }) {
        return yield* webhooks.create(yield* organization, payload)
      }),
      get: Effect.fnUntraced(function* ({ params }) {
        return yield* webhooks.find(yield* organization, params.id)
      }),
      update: Effect.fnUntraced(function* ({ params, payload }) {
        return yield* webhooks.update(yield* organization, params.id, payload)
      }),
      delete: Effect.fnUntraced(function* ({ params }) {
        yield* webhooks.remove(yield* organization, params.id)
      }),
      rotate: Effect.fnUntraced(function* ({ params, payload }) {
        return yield* webhooks.rotate(yield* organization, params.id, payload?.grace_seconds ?? DAY)
      }),
      deliveries: Effect.fnUntraced(function* ({ params, query: { status, page_size = 50, cursor } }) {
        return yield* deliveries.list(yield* organization, params.id, { status, size: page_size, cursor })
      }),
      replay: Effect.fnUntraced(function* ({ params, payload }) {
        return { replayed: yield* deliveries.replay(yield* organization, params.id, yield* replayed(payload)) }
      }),
      test: Effect.fnUntraced(function* ({ params }) {
        return yield* deliveries.ping(yield* organization, params.id)
      }),
    })
  }),
)

const replayed = ({
  delivery_id,
  from,
  to,
}: {
  readonly delivery_id?: string
  readonly from?: string
  readonly to?: string
}): Effect.Effect<Replayed, ReturnType<typeof badRequest>> => {
  if (delivery_id !== undefined && from === undefined && to === undefined) return Effect.succeed({ delivery_id })
  if (delivery_id === undefined && from !== undefined) return Effect.succeed({ from, to })
  return badRequest({
    invalid: [
      { field: "delivery_id", reason: "must be given alone, or else `from`, with `to` where it ends before now" },
    ],
  })
}
