import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { makeSecret } from "../../../src/core/webhooks/secrets.ts"
import { signatureHeaders } from "../../../src/core/webhooks/signature.ts"
import { until } from "../../support/until.ts"
import { run, start } from "../processes.ts"

describe("sightline listen", () => {
  it.live("prints genuine deliveries, answers 401 to others, and ends at once on a signal", () =>
    Effect.gen(function* () {
      const secret = yield* makeSecret
      const listener = yield* Effect.acquireRelease(
        Effect.sync(() => start("Node", ["listen", "--secret", secret, "--port", "0", "--json"], {})),
        ({ child, finished }) => Effect.promise(() => (child.kill("SIGTERM"), finished)),
      )
      const lines = () => listener.stdout().split("\n").filter(Boolean)
      yield* Effect.promise(() => until("it listens", () => lines().length > 0))
      const { port } = JSON.parse(lines()[0] ?? "") as { readonly port: number }
      const body = JSON.stringify({ type: "deal.created", timestamp: "2026-11-22T10:00:00.000Z", data: { id: "d1" } })
      const now = Math.floor(Date.now() / 1000)
      const other = yield* makeSecret
      const statuses = []
      for (const [text, headers] of [
        [body, signatureHeaders("msg_1", now, body, [other, secret])],
        [body, signatureHeaders("msg_2", now, body, [other])],
        [`${body} `, signatureHeaders("msg_3", now, body, [secret])],
        [body, signatureHeaders("msg_4", now - 600, body, [secret])],
        ["no JSON", {}],
      ] as const) {
        const reply = yield* Effect.promise(() =>
          fetch(`http://127.0.0.1:${port}/`, { method: "POST", body: text, headers }),
        )
        statuses.push(reply.status)
      }
      assert.deepStrictEqual(statuses, [204, 401, 401, 401, 401])
      yield* Effect.promise(() => until("it prints five deliveries", () => lines().length === 6))
      const deliveries = lines()
        .slice(1)
        .map((line) => JSON.parse(line))
      assert.deepInclude(deliveries[0], { genuine: true, id: "msg_1", type: "deal.created", data: { id: "d1" } })
      assert.isTrue(deliveries.slice(1).every(({ genuine }) => genuine === false))
    }),
  )

  it("an error about the secret describes its form", async () => {
    const { code, stderr } = await run(["listen", "--secret", "sl_live_nothing"], {})
    assert.strictEqual(code, 2)
    assert.match(stderr, /--secret must be the whsec_…/)
  })
})
