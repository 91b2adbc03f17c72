import { afterAll, assert, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { UrlFetcher } from "../../src/core/ports/UrlFetcher.ts"
import { engines } from "../support/engines.ts"
import { layerLibrary, layerWeb, Web } from "../support/web.ts"
import { startEndpoint, until } from "./endpoint.ts"
import { tools } from "./tools.ts"

const endpoint = await startEndpoint()

/** No attempt ends for want of an answer, however long this test takes. */
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
      const { newPath, made, deals, told, log } = tools(endpoint, engine.name)

      it.effect("wait for no other: an address that never answers holds up its own alone", () =>
        Effect.gen(function* () {
          const { key } = yield* (yield* Web).tenant()
          const [mute, quick] = [newPath(), newPath()]
          endpoint.answer = ({ path }) => (path === mute ? undefined : 204)
          const { id } = yield* made(key, mute)
          yield* made(key, quick)
          const ids = Array.from({ length: 12 }, (_, n) => `d${n}`)
          yield* deals(key, ids)
          yield* until(
            Effect.sync(() => told(quick).length === ids.length),
            "all of the quick one's",
          )
          const deliveries = yield* log(key, id)
          assert.deepStrictEqual(
            deliveries.map(({ error }) => error),
            ids.map(() => null),
          )
          // Two dispatchers that look at the same moment take as many each. A lease that lapsed sends the same again.
          assert.isAtMost(new Set(told(mute)).size, 8)
        }),
      )
    })
  })
}

afterAll(() => endpoint.stop())
