import { afterAll, assert, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { UrlFetcher } from "../../src/core/ports/UrlFetcher.ts"
import { engines } from "../support/engines.ts"
import { untilEffect } from "../support/until.ts"
import { layerLibrary, layerWeb, Web } from "../support/web.ts"
import { startEndpoint } from "./endpoint.ts"
import { tools } from "./tools.ts"

const endpoint = await startEndpoint()

/** Raises the reply timeout to an hour, so that no attempt times out during this test. */
const library = layerLibrary([endpoint.port])
const patient = Layer.effect(
  UrlFetcher,
  Effect.map(UrlFetcher, (fetcher) =>
    UrlFetcher.of({
      ...fetcher,
      post: (url, request, limits) => fetcher.post(url, request, { ...limits, seconds: 3600 }),
    }),
  ),
)

for (const engine of engines) {
  describe(`webhooks on ${engine.name}`, () => {
    layer(layerWeb(engine.database, Layer.provideMerge(patient, library)), { excludeTestServices: true })((it) => {
      const { newPath, createWebhook, importDeals, receivedBy, listDeliveries } = tools(endpoint, engine.name)

      it.effect("are not delayed by another webhook whose address never replies", () =>
        Effect.gen(function* () {
          const { key } = yield* (yield* Web).tenant()
          const [mute, quick] = [newPath(), newPath()]
          endpoint.answer = ({ path }) => (path === mute ? undefined : 204)
          const { id } = yield* createWebhook(key, mute)
          yield* createWebhook(key, quick)
          const ids = Array.from({ length: 12 }, (_, n) => `d${n}`)
          yield* importDeals(key, ids)
          yield* untilEffect(
            "all deliveries of the fast webhook",
            Effect.sync(() => receivedBy(quick).length === ids.length),
          )
          const deliveries = yield* listDeliveries(key, id)
          assert.deepStrictEqual(
            deliveries.map(({ error }) => error),
            ids.map(() => null),
          )
          // Two dispatchers that claim at the same time may each claim the maximum. An expired lease sends the same ones again.
          assert.isAtMost(new Set(receivedBy(mute)).size, 8)
        }),
      )
    })
  })
}

afterAll(() => endpoint.stop())
