import { assert, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { engines } from "../support/engines.ts"
import { layerWeb, Web } from "../support/web.ts"

for (const engine of engines) {
  describe(`the memory of POST /import on ${engine.name}`, () => {
    layer(layerWeb(engine.database), { excludeTestServices: true })((it) => {
      it.effect("does not hold the whole body", () =>
        Effect.gen(function* () {
          const web = yield* Web
          const { key } = yield* web.tenant()
          const encoder = new TextEncoder()
          const lines = encoder.encode(`{"type":"nothing","name":"${"x".repeat(1000)}"}\n`.repeat(1000))
          let sent = 0
          let held = 0
          const body = new ReadableStream<Uint8Array>({
            pull(controller) {
              held = Math.max(held, process.memoryUsage().arrayBuffers)
              if (sent++ < 200) controller.enqueue(lines.slice())
              else controller.close()
            },
          })
          const before = process.memoryUsage().arrayBuffers
          const { json, text } = yield* web.request("/api/v1/import", key, {
            method: "POST",
            headers: { "content-type": "application/x-ndjson" },
            body,
            ...({ duplex: "half" } as object),
          })
          assert.strictEqual(json.received, 200_000, text.slice(0, 200))
          assert.strictEqual(json.errors.length, 1000)
          assert.isBelow(held - before, 120_000_000)
        }),
      )
    })
  })
}
