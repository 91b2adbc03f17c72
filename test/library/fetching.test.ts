import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { assert, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { layerGuarded } from "../../src/adapters/fetch/guarded.ts"
import { layerReader } from "../../src/adapters/reading/layerReader.ts"
import { BlobStore } from "../../src/core/ports/BlobStore.ts"
import { Transcriber } from "../../src/core/ports/Transcriber.ts"
import { Import } from "../../src/core/import/Import.ts"
import { engines } from "../support/engines.ts"
import { layerWeb, Web } from "../support/web.ts"
import { untilReply } from "./untilReply.ts"

const server = createServer((_, response) => response.end("# Notes\n\nThey want a longer term.\n")).listen(0)
const { port } = server.address() as AddressInfo

/** Host names that fail to resolve the first time. */
const asked = new Set<string>()
const resolve = async (name: string) => {
  if (name === "private.example") return [{ address: "10.0.0.7", family: 4 }]
  if (name === "late.example" && asked.has(name)) return [{ address: "127.0.0.1", family: 4 }]
  asked.add(name)
  throw Object.assign(new Error("not found"), { code: "ENOTFOUND" })
}

const library = Layer.mergeAll(
  BlobStore.layerMemory,
  layerReader,
  layerGuarded({ allowLoopback: [port], resolve }),
  Transcriber.layerNone,
)

describe("a URL with an unknown host name", () => {
  layer(Layer.unwrap(Effect.sync(() => layerWeb(engines[0].database, library))), { excludeTestServices: true })(
    (it) => {
      const send = Effect.fnUntraced(function* (file_url: string) {
        const web = yield* Web
        const { org, key } = yield* web.tenant()
        yield* (yield* Import).records(org, Stream.succeed({ type: "deal", id: "d1", name: "Renewal" }))
        const body = { deal_id: "d1", file_name: "notes.md", content_type: "text/markdown", file_url }
        const { status, text, json } = yield* web.request("/api/v1/deals/documents", key, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify(body),
        })
        assert.strictEqual(status, 200, text)
        return (expected: string, holds: (run: any) => boolean) =>
          untilReply(key, `/api/v1/runs/${json.run_id}`, expected, holds)
      })

      it.effect("is retried, because the name may resolve later", () =>
        Effect.gen(function* () {
          const until = yield* send(`http://late.example:${port}/notes.md`)
          const run = yield* until("completed", ({ status }) => status === "completed")
          assert.strictEqual(run.attempts, 2)
        }),
      )

      it.effect("fails exactly like a URL with a private address", () =>
        Effect.gen(function* () {
          const twice = ({ attempts, status }: any) => attempts === 2 && status === "queued"
          const [unknown, hidden] = yield* Effect.all(
            ["unknown", "private"].map((name) =>
              Effect.flatMap(send(`http://${name}.example:${port}/notes.md`), (until) => until("tried twice", twice)),
            ),
          )
          const told = ({ attempts, error, stage, progress }: any) => ({ attempts, error, stage, progress })
          assert.deepStrictEqual(told(unknown), told(hidden))
          assert.match(unknown.error, /cannot be fetched/)
        }),
      )
    },
  )
})
