import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpClient from "effect/http/HttpClient"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { SightlineClient } from "../../src/adapters/client/effect.ts"
import { layerDouble, question, text } from "../answers/double.ts"
import { type FlakyProxy, startFlakyProxy } from "./flakyProxy.ts"
import { startServer, type TestServer } from "./server.ts"

describe("sightline/client/effect", () => {
  let server: TestServer
  let proxy: FlakyProxy
  beforeAll(async () => {
    server = await startServer({ answerer: layerDouble() })
    proxy = await startFlakyProxy(server.url)
  })
  afterAll(async () => {
    await proxy.close()
    await server.close()
  })

  const run = <A, E>(effect: Effect.Effect<A, E, SightlineClient>) => {
    const transformClient = (client: HttpClient.HttpClient) => HttpClient.retryTransient(client, { times: 2 })
    const options = { baseUrl: proxy.url, key: Redacted.make(server.key), transformClient }
    return effect.pipe(
      Effect.provide(SightlineClient.layer(options)),
      Effect.provide(FetchHttpClient.layer),
      Effect.runPromise,
    )
  }

  it("lists deals by filters, and fails with the contract's errors", async () => {
    proxy.fail()
    const found = await run(
      Effect.gen(function* () {
        const client = yield* SightlineClient
        const deals = yield* client.deals.list({ query: { status: ["Won"], columns: ["name"], amount: { max: 300 } } })
        const missing = yield* Effect.flip(client.deals.get({ params: { id: "none" }, query: {} }))
        return { deals, missing: missing._tag }
      }),
    )
    assert.deepStrictEqual(found, {
      deals: [2, 0].map((n) => ({ id: `d${n}`, name: `Deal ${n}` })),
      missing: "NotFound",
    })
  })

  it("sends the same Idempotency-Key with each attempt of a POST", async () => {
    proxy.fail("lose reply")
    const keys = await run(
      Effect.gen(function* () {
        const client = yield* SightlineClient
        yield* client.access.createKey({ payload: { name: "once", role: "viewer" } })
        return (yield* client.access.listKeys()).data.filter(({ name }) => name === "once")
      }),
    )
    assert.lengthOf(keys, 1)
  })

  it("streams the events of an answer", async () => {
    proxy.fail()
    const payload = question([text("one "), text("two")], { stream: true }) as never
    const events = await run(
      Effect.gen(function* () {
        const client = yield* SightlineClient
        const reply = yield* client.answers.create({ payload })
        assert.isTrue(Stream.isStream(reply))
        return yield* Stream.runCollect(reply as Extract<typeof reply, Stream.Stream<unknown, unknown>>)
      }),
    )
    assert.deepStrictEqual(
      events.map(({ data }) => (data as { readonly type: string }).type),
      ["content_delta", "content_delta", "done"],
    )
  })
})
