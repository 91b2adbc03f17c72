import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { layerPostgres } from "../../src/adapters/database/postgres.ts"
import { Changes, type InvalidOptions, open, Organizations, type Sightline } from "../../src/core/Sightline.ts"
import { eventsOf, layerDouble, question, release, text } from "../answers/double.ts"
import { layerEmbedded } from "../support/embedded.ts"
import { migratedPostgresUrl } from "../support/engines.ts"
import { UNLIMITED } from "../support/unlimited.ts"

const DATABASES = {
  PGlite: async () => layerEmbedded,
  PostgreSQL: async () => layerPostgres({ url: await Effect.runPromise(migratedPostgresUrl) }),
}

/** An import whose body ends when the test closes it. The server has asked for the body once `begun` resolves. */
const slowImport = () => {
  const begun = Promise.withResolvers<void>()
  let controller: ReadableStreamDefaultController<Uint8Array>
  const body = new ReadableStream<Uint8Array>({
    start: (given) => void (controller = given),
    pull: () => begun.resolve(),
  })
  const send = (line: string) => controller.enqueue(new TextEncoder().encode(line))
  return {
    request: new Request("http://localhost/api/v1/import", {
      method: "POST",
      headers: { "content-type": "application/x-ndjson" },
      body,
      duplex: "half",
    } as RequestInit),
    begun: begun.promise,
    finish: () => {
      send('{"type":"competitor","name":"Orvanta"}\n')
      controller.close()
    },
  }
}

const ask = (body: object) =>
  new Request("http://localhost/api/v1/responses", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  })

const refusal = async (reply: Response) => {
  assert.strictEqual(reply.status, 503)
  return ((await reply.json()) as { error: { code: string; message: string } }).error
}

for (const [name, database] of Object.entries(DATABASES)) {
  const started: Array<() => void> = []
  const begin = async () => {
    const sightline = await open({
      database: await database(),
      answerer: layerDouble(undefined, () => started.splice(0).forEach((tell) => tell())),
      principal: () => ({ organization: "org_host", role: "owner", identity: { id: "ada", name: "Ada" } }),
    })
    await sightline.ready({ seconds: 600 })
    await sightline.run(Organizations.use(({ create }) => create({ id: "org_host", name: "Host", plan: UNLIMITED })))
    return sightline
  }
  const startOf = () => new Promise<void>((resolve) => started.push(resolve))
  const importIn = (sightline: Sightline) => {
    const { request, ...slow } = slowImport()
    return { ...slow, reply: sightline.handler(request) }
  }

  describe(`dispose on ${name}`, () => {
    it("waits for requests that run, and refuses new ones", async () => {
      const sightline = await begin()
      const running = importIn(sightline)
      await running.begun
      const disposed = sightline.dispose({ drainSeconds: 600 })
      const refused = await sightline.handler(new Request("http://localhost/api/v1/deals"))
      assert.strictEqual(refused.headers.get("connection"), "close")
      assert.deepStrictEqual(await refusal(refused), {
        code: "service_unavailable",
        message: "the service was disposed",
      })
      running.finish()
      const reply = await running.reply
      assert.strictEqual(reply.status, 200)
      assert.deepInclude(await reply.json(), { created: 1 })
      await disposed
    })

    it("waits for streams and for effects", async () => {
      const sightline = await begin()
      const hold = `${name} drained`
      const reply = await sightline.handler(ask(question([text("One "), { hold }, text("two.")], { stream: true })))
      const effect = Promise.withResolvers<string>()
      const running = sightline.run(Effect.promise(() => effect.promise))
      const disposed = sightline.dispose({ drainSeconds: 600 })
      release(hold)
      const last = eventsOf(await reply.text()).at(-1)
      assert.deepInclude(last!.data, { type: "done" })
      effect.resolve("done")
      assert.strictEqual(await running, "done")
      await disposed
    })

    it("does not wait for an endless effect that the host has interrupted", async () => {
      const sightline = await begin()
      const stop = new AbortController()
      const feed = Changes.use(({ stream }) => Stream.runDrain(stream("org_host")))
      const following = sightline.run(feed, { signal: stop.signal }).catch(() => "interrupted")
      stop.abort()
      await sightline.dispose({ drainSeconds: 600 })
      assert.strictEqual(await following, "interrupted")
    })

    it("at once answers what runs: a 503 with a body, and the last event of a stream", async () => {
      const sightline = await begin()
      const importing = importIn(sightline)
      await importing.begun
      const start = startOf()
      const asking = sightline.handler(ask(question([{ hold: "never" }])))
      await start
      const streaming = await sightline.handler(ask(question([text("One "), { hold: "never" }], { stream: true })))
      const effect = sightline.run(Effect.never).catch(() => "ended")
      await sightline.dispose()
      for (const reply of [importing.reply, asking]) {
        assert.strictEqual((await refusal(await reply)).message, "the service was disposed")
      }
      const events = eventsOf(await streaming.text())
      assert.deepInclude(events[0]!.data, { type: "content_delta", content: "One " })
      assert.deepInclude(events.at(-1)!.data, { type: "error" })
      void effect
    })

    it("called again, joins the first call, and can only shorten its wait", async () => {
      const sightline = await begin()
      const running = importIn(sightline)
      await running.begun
      const calls = [600, 0, 600].map((drainSeconds) => sightline.dispose({ drainSeconds }))
      assert.strictEqual((await running.reply).status, 503)
      await Promise.all(calls)
    })

    it("drains in `await using`", async () => {
      const sightline = await begin()
      const running = importIn(sightline)
      await running.begun
      const disposed = sightline[Symbol.asyncDispose]()
      running.finish()
      assert.strictEqual((await running.reply).status, 200)
      await disposed
    })
  })
}

it("dispose, ready and tick refuse a time that is no number, or out of range", async () => {
  await using sightline = await open({ database: layerEmbedded })
  for (const seconds of [-1, Number.NaN, "5" as never]) {
    for (const waited of [sightline.ready({ seconds }), sightline.tick({ seconds })]) {
      const error = await waited.catch((error: InvalidOptions) => error)
      const wrong = typeof seconds === "string" ? `"${String(seconds)}"` : seconds
      assert.include(
        String((error as InvalidOptions).message),
        `\`seconds\` must be a number of seconds, 0 or more, not ${wrong}`,
      )
    }
  }
  for (const drainSeconds of [-1, 601, Number.NaN, "5" as never]) {
    const error = await sightline.dispose({ drainSeconds }).catch((error: InvalidOptions) => error)
    assert.include(
      String((error as InvalidOptions).message),
      `0 to 600, not ${typeof drainSeconds === "string" ? `"${String(drainSeconds)}"` : drainSeconds}`,
    )
  }
  assert.strictEqual((await sightline.handler(new Request("http://localhost/health/ready"))).status, 200)
})
