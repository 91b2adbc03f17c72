import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { type AnswerEvent, type Client, createClient } from "../../src/adapters/client/client.ts"
import { cite, layerDouble, link, question, release, type Step, text } from "../answers/double.ts"
import { until } from "../support/until.ts"
import { codeOf } from "./failures.ts"
import { type FlakyProxy, startFlakyProxy } from "./flakyProxy.ts"
import { startServer, type TestServer } from "./server.ts"
import { collect } from "./collect.ts"

const STEPS: ReadonlyArray<Step> = [text("one "), cite(1), text(`two ${link(1)}`), text(" three"), text(".")]
const ask = (steps = STEPS) => question(steps) as { messages: [{ role: "user"; content: string }] }

describe("over a bad connection, the client", () => {
  const endings: Array<string> = []
  let starts = 0
  let server: TestServer
  let proxy: FlakyProxy
  let client: Client
  let direct: Client

  beforeAll(async () => {
    server = await startServer({
      answerer: layerDouble(
        (how) => endings.push(how),
        () => starts++,
      ),
    })
    proxy = await startFlakyProxy(server.url)
    client = createClient({ baseUrl: proxy.url, key: server.key })
    direct = createClient({ baseUrl: server.url, key: server.key })
  })
  afterAll(async () => {
    await proxy.close()
    await server.close()
  })

  it("repeats a read whose connection breaks, or whose reply is lost", async () => {
    proxy.fail("refuse", "lose reply", { reply: 502 }, { reply: 503 })
    assert.strictEqual(await client.deals.count(), 7)
    assert.lengthOf(proxy.requests, 5)
  })

  it("gives up after the retries that it was allowed", async () => {
    proxy.fail("refuse", "refuse", "refuse")
    assert.strictEqual(await codeOf(client.deals.count({}, { maxRetries: 1 })), "network_error")
    assert.lengthOf(proxy.requests, 2)
  })

  it("creates one thing by a POST whose reply is lost, and gets the first reply", async () => {
    proxy.fail("lose reply", "lose reply")
    const { id } = await client.access.createKey({ name: "once", role: "viewer" })
    const { data } = await direct.access.listKeys()
    assert.deepStrictEqual(
      data.filter(({ name }) => name === "once").map((key) => key.id),
      [id],
    )
    assert.strictEqual(new Set(proxy.requests.map(({ headers }) => headers["idempotency-key"])).size, 1)
  })

  it("stores a file once if the reply to its upload is lost", async () => {
    proxy.fail("refuse", "lose reply")
    const file = new Blob(["a note that is sent three times"], { type: "text/plain" })
    const { document } = await client.library.uploadToDeal({ file, file_name: "note.txt", deal_id: "d0" })
    const stored = await collect(direct.library.list.each({ deal_id: "d0" }))
    assert.deepStrictEqual(
      stored.map(({ id }) => id),
      [document.id],
    )
    assert.lengthOf(proxy.requests, 3)
  })

  it("does not send a stream again that it has begun to read", async () => {
    proxy.fail("refuse")
    const file = new Blob(["read once"]).stream()
    const call = client.library.uploadToDeal({ file, file_name: "once.txt", deal_id: "d0" })
    assert.strictEqual(await codeOf(call), "network_error")
    assert.lengthOf(proxy.requests, 1)
  })

  it("does not repeat what is not idempotent, unless a limit refused it", async () => {
    proxy.fail("lose reply")
    assert.strictEqual(await codeOf(client.deals.update({ id: "d0", amount: 5 })), "network_error")
    proxy.fail("refuse")
    assert.strictEqual(
      await codeOf(client.exports.create({ columns: ["*"] }, { idempotencyKey: false })),
      "network_error",
    )
    assert.isUndefined(proxy.requests[0]!.headers["idempotency-key"])
    proxy.fail({ reply: 429, headers: { "retry-after": "0" } })
    assert.strictEqual((await client.deals.update({ id: "d0", amount: 6 })).amount, 6)
  })

  it("knows that a DELETE succeeded if its reply is lost and nothing is left", async () => {
    proxy.fail("lose reply")
    assert.isUndefined(await client.deals.delete({ id: "d6" }))
    assert.lengthOf(proxy.requests, 2)
    proxy.fail()
    assert.strictEqual(await codeOf(client.deals.delete({ id: "d6" })), "not_found")
  })

  it("reports a page of a proxy as no reply of Sightline's", async () => {
    proxy.fail({ reply: 200, body: "<html>sign in</html>" })
    assert.strictEqual(await codeOf(client.deals.count()), "invalid_reply")
    proxy.fail({ reply: 403, body: "<html>blocked</html>" })
    assert.strictEqual(await codeOf(client.deals.count()), "invalid_reply")
  })

  it("waits for the reply to the same question that is in progress", async () => {
    proxy.fail()
    const both = [1, 2].map(() =>
      client.answers.create(ask([{ hold: "asked twice" }, text("slow")]), { idempotencyKey: "asked twice" }),
    )
    await until("the second is told to wait", () => proxy.replies.includes(409))
    release("asked twice")
    const [one, other] = await Promise.all(both)
    assert.strictEqual(one!.message.content, "slow")
    assert.deepStrictEqual(other, one)
  })

  it("calls a function for the key before each attempt", async () => {
    proxy.fail("refuse")
    const keys = ["sl_live_old", server.key]
    const changing = createClient({ baseUrl: proxy.url, key: async () => keys.shift()! })
    assert.isAbove(await changing.deals.count(), 0)
    assert.isEmpty(keys)
  })

  describe("resumes an answer", () => {
    const answer = async (options = {}) => collect(client.answers.stream(ask(), options))
    let whole: ReadonlyArray<AnswerEvent> = []
    beforeAll(async () => {
      proxy.fail()
      whole = await answer()
      assert.deepStrictEqual(
        whole.map(({ type }) => type),
        ["content_delta", "citation", "content_delta", "content_delta", "content_delta", "done"],
      )
    })

    it("that was cut before its first event", async () => {
      proxy.fail({ cutAfterEvents: 0 })
      assert.deepStrictEqual(await answer(), whole)
      assert.lengthOf(proxy.requests, 2)
      assert.isUndefined(proxy.requests[1]!.headers["last-event-id"])
    })

    it.each([1, 2, 3, 4, 5])("that was cut after %i events", async (count) => {
      proxy.fail({ stallAfterEvents: count })
      const events: Array<AnswerEvent> = []
      const reading = (async () => {
        for await (const event of client.answers.stream(ask())) events.push(event)
      })()
      // A broken connection also loses events that arrived and were not read yet.
      await until(`${count} events`, () => events.length === count)
      proxy.breakConnections()
      await reading
      assert.deepStrictEqual(events, whole)
      assert.lengthOf(proxy.requests, 2)
      assert.strictEqual(proxy.requests[1]!.headers["last-event-id"], String(count))
    })

    it.each([0, 1, 2, 3, 4, 5])("that was cut within the event after %i", async (cutAfterEvents) => {
      proxy.fail({ cutAfterEvents, more: 20 })
      assert.deepStrictEqual(await answer(), whole)
    })

    it("that is cut after every single event, between refusals", async () => {
      proxy.fail(...whole.slice(1).flatMap(() => [{ cutAfterEvents: 1 }, "refuse", { reply: 503 }] as const))
      assert.deepStrictEqual(await answer(), whole)
    })

    it("whose connection is silent", async () => {
      proxy.fail({ stallAfterEvents: 2 }, { stallAfterEvents: 0 })
      assert.deepStrictEqual(await answer({ timeoutMs: 1_000 }), whole)
      // A slow machine may be silent once more.
      assert.isAtLeast(proxy.requests.length, 3)
    })

    it("but not without an Idempotency-Key", async () => {
      proxy.fail({ cutAfterEvents: 2 })
      assert.strictEqual(await codeOf(answer({ idempotencyKey: false })), "network_error")
      assert.lengthOf(proxy.requests, 1)
    })

    it("at most a few times if nothing arrives", async () => {
      proxy.fail(...Array.from({ length: 20 }, () => ({ cutAfterEvents: 0 })))
      assert.strictEqual(await codeOf(answer()), "network_error")
      assert.lengthOf(proxy.requests, 6)
    })
  })

  it("throws the error with which an answer ends", async () => {
    proxy.fail()
    const events: Array<AnswerEvent> = []
    const failed = (async () => {
      for await (const event of client.answers.stream(ask([text("half "), { fail: "unavailable" }]))) events.push(event)
    })()
    assert.strictEqual(await codeOf(failed), "service_unavailable")
    assert.deepStrictEqual(events, [text("half ")])
    assert.lengthOf(proxy.requests, 1)
  })

  it("ends the answer at the server if the loop is left", async () => {
    const before = endings.length
    for await (const event of direct.answers.stream(ask([text("one"), { wait: 600_000 }]), { idempotencyKey: false })) {
      assert.strictEqual(event.type, "content_delta")
      break
    }
    await until("the call ends", () => endings.length > before)
    assert.strictEqual(endings.at(-1), "interrupted")
  })

  it("rejects with the reason of the caller's signal, in a request, a stream and a wait", async () => {
    const reason = new Error("changed my mind")
    const slow = ask([text("one"), { wait: 600_000 }])
    const during = async (start: (signal: AbortSignal) => Promise<unknown>) => {
      const before = starts
      const abort = new AbortController()
      const call = start(abort.signal)
      const ended = call.then(
        () => "no error",
        (error: unknown) => error,
      )
      await until("the answer begins", () => starts > before)
      abort.abort(reason)
      return ended
    }
    assert.strictEqual(await during((signal) => direct.answers.create(slow, { signal })), reason)
    assert.strictEqual(await during((signal) => collect(direct.answers.stream(slow, { signal }))), reason)
    const runs = direct.waitForExport
    const { export_id } = await direct.exports.create({ columns: ["name"] })
    const aborted = AbortSignal.abort(reason)
    assert.strictEqual(await runs(export_id, { signal: aborted }).catch((error: unknown) => error), reason)
    assert.strictEqual(await direct.deals.count({}, { signal: aborted }).catch((error: unknown) => error), reason)
  })
})
