import { assert, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { run } from "../adapters/processes.ts"
import { cite, link, release, text } from "../answers/double.ts"
import { engines } from "../support/engines.ts"
import { layerServed, Served, started } from "./served.ts"

describe("MCP with third-party programs", () => {
  layer(layerServed(engines[1].database), { excludeTestServices: true })((it) => {
    it.effect("`sightline mcp` serves the same over stdin and stdout, on each runtime", () =>
      Effect.gen(function* () {
        const { url, mine } = yield* Served
        for (const runtime of ["Node", "Bun", "Deno"] as const) {
          const client = yield* started(runtime, url, yield* mine.key("viewer"))
          assert.match(client.getInstructions() ?? "", /Sales intelligence/)
          const { structuredContent } = yield* Effect.promise(() => client.callTool({ name: "count_deals" }))
          assert.deepInclude(structuredContent, { found: 12, count: 12 })
          const question = JSON.stringify([cite(1), text(link(1))])
          const { content } = yield* Effect.promise(() => client.callTool({ name: "ask", arguments: { question } }))
          assert.deepStrictEqual(content, [{ type: "text", text: link(1) }])
          const { resources } = yield* Effect.promise(() => client.listResources())
          assert.lengthOf(resources, 2)
        }
        const patient = yield* started("Node", url, yield* mine.key("viewer"))
        // The answer ends when the client has heard of two pieces: `sightline mcp` holds each back until the next.
        const hold = "sightline mcp"
        const question = JSON.stringify([{ repeat: 3, every: 0, content: "x. " }, { hold }, text("The end.")])
        const progress: Array<number> = []
        const onprogress = (told: { readonly progress: number }) => {
          if (progress.push(told.progress) === 2) release(hold)
        }
        const long = yield* Effect.promise(() =>
          patient.callTool({ name: "ask", arguments: { question } }, undefined, { onprogress, timeout: 600_000 }),
        )
        assert.match((long.content as [{ text: string }])[0].text, /3 x\. The end\.$/)
        // The client drops notices that it reads together with the reply.
        assert.deepStrictEqual(progress, [1, 2, 3, 4].slice(0, Math.max(progress.length, 2)))
        const narrow = yield* started("Node", url, yield* mine.key("viewer", { permissions: ["deals.read"] }))
        const refused = yield* Effect.promise(() => narrow.listResources().catch((error: Error) => error.message))
        assert.match(String(refused), /cannot read documents/)
        const gone = yield* Effect.promise(() => runCli(["mcp", "--url", "http://127.0.0.1:1"], PING))
        assert.deepInclude(JSON.parse(gone.stdout), {
          id: 7,
          error: { code: -32000, message: "the server is unreachable", data: { status: 0 } },
        })
        assert.strictEqual(gone.code, 0)
      }),
    )
  })
})

const PING = '{"jsonrpc":"2.0","id":7,"method":"ping"}\n'
const runCli = (args: ReadonlyArray<string>, stdin: string) => run(args, { SIGHTLINE_API_KEY: "sl_live_x" }, stdin)
