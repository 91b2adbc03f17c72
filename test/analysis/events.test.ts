import { assert, beforeAll, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { engines } from "../support/engines.ts"
import { layerLibrary } from "../support/web.ts"
import { untilEffect } from "../support/until.ts"
import { startEndpoint } from "../webhooks/endpoint.ts"
import { layerModelWeb, prepared } from "./scriptedModel.ts"
import { analyzed, send } from "./workspace.ts"

const endpoint = await startEndpoint()

for (const engine of engines) {
  const harness = Layer.unwrap(Effect.sync(() => layerModelWeb(engine, layerLibrary([endpoint.port]))))
  describe(`the events of analyses on ${engine.name}`, () => {
    beforeAll(() => void (endpoint.received.length = 0))
    layer(harness, { excludeTestServices: true })((it) => {
      it.effect(
        "are sent once to the webhooks that want them: analyzed by a run that publishes, verified by a person",
        () =>
          Effect.gen(function* () {
            const { key } = yield* prepared()
            const subscribe = (path: string, event_types?: ReadonlyArray<string>) =>
              send("POST", "/webhooks", key, { url: `http://127.0.0.1:${endpoint.port}/${path}`, event_types })
            assert.strictEqual((yield* subscribe("both", ["deal.analyzed", "deal.verified"])).status, 201)
            assert.strictEqual((yield* subscribe("other", ["deal.verified"])).status, 201)
            yield* analyzed("d1", key)
            yield* analyzed("d1", key)
            yield* send("POST", "/deals/d1/analysis/verify", key)
            const at = (path: string) => endpoint.at(`/${path}`).map(({ type, id }) => `${type} ${id}`)
            yield* untilEffect(
              "the events",
              Effect.sync(() => at("both").length >= 2 && at("other").length >= 1),
            )
            assert.sameMembers(at("both"), ["deal.analyzed d1", "deal.verified d1"])
            assert.deepStrictEqual(at("other"), ["deal.verified d1"])
          }),
      )
    })
  })
}
