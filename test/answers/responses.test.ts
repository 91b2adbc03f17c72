import { assert, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { engines } from "../support/engines.ts"
import { layerWeb, Web } from "../support/web.ts"
import { citation, cite, eventsOf, layerDouble, link, question, type Step, text } from "./double.ts"

const PATH = "/api/v1/responses"

const ask = (key: string, body: unknown, headers: Record<string, string> = {}) =>
  Effect.flatMap(Web, (web) =>
    web.request(PATH, key, {
      method: "POST",
      body: JSON.stringify(body),
      headers: { "content-type": "application/json", ...headers },
    }),
  )

/** Text and links, cut at every place there is. */
const whole = `First ${link(1)}, then ${link(2)} and once more ${link(1)}; [no link] and [broken](x y).`
const cut = (size: number): ReadonlyArray<Step> => {
  const pieces = Array.from({ length: Math.ceil(whole.length / size) }, (_, n) => whole.slice(n * size, (n + 1) * size))
  return [cite(1), cite(2), cite(3), ...pieces.map(text)]
}

const calls: ReadonlyArray<Step> = [
  { type: "tool_call", id: "c1", name: "search_deals", arguments: { text: "x" } },
  { type: "tool_result", id: "c1", name: "search_deals", found: 2 },
  { type: "tool_call", id: "c2", name: "count_deals", arguments: {} },
  { type: "tool_call", id: "c3", name: "search_deals", arguments: {} },
  { type: "usage", input_tokens: 5, output_tokens: 7 },
]

for (const engine of engines) {
  describe(`POST /responses on ${engine.name}`, () => {
    layer(layerWeb(engine.database, undefined, layerDouble()), { excludeTestServices: true })((it) => {
      it.effect("the text and citations of a stream equal those of the JSON reply, however the text is split", () =>
        Effect.gen(function* () {
          const { key } = yield* (yield* Web).tenant()
          for (const size of [1, 2, 3, 7, 64, 1000]) {
            const json = yield* ask(key, question([...calls, ...cut(size)]))
            assert.strictEqual(json.status, 200)
            assert.strictEqual(json.json.message.content, whole)
            assert.deepStrictEqual(json.json.message.citations, [citation(1), citation(2)])
            assert.deepStrictEqual(json.json.tool_calls, ["search_deals", "count_deals"])
            const stream = yield* ask(key, question([...calls, ...cut(size)], { stream: true }))
            const events = eventsOf(stream.text)
            assert.deepStrictEqual(
              events.map(({ id }) => id),
              events.map((_, index) => index + 1),
            )
            const { type, ...last } = events.at(-1)!.data
            assert.strictEqual(type, "done")
            assert.deepStrictEqual(last, json.json)
            const sent = events.slice(0, -1).map(({ data }) => data)
            assert.sameMembers([...new Set(sent.map((data) => data.type))], ["content_delta", "citation"])
            assert.strictEqual(sent.map((data) => data.content ?? "").join(""), whole)
            assert.deepStrictEqual(
              sent.flatMap((data) => data.citation ?? []),
              [citation(1), citation(2)],
            )
            for (const n of [1, 2]) {
              const cited = sent.findIndex((data) => data.citation?.document_id === `doc_${n}`)
              const before = sent.slice(0, cited).map((data) => data.content ?? "")
              assert.notInclude(before.join(""), citation(n).url)
            }
          }
        }),
      )

      it.effect("sends headers that forbid storing, buffering and compressing", () =>
        Effect.gen(function* () {
          const { key } = yield* (yield* Web).tenant()
          const body = question([text("x".repeat(5000))], { stream: true })
          const { status, headers } = yield* ask(key, body, {
            "accept-encoding": "gzip, br",
            accept: "text/event-stream",
          })
          assert.strictEqual(status, 200)
          assert.match(headers.get("content-type") ?? "", /^text\/event-stream/)
          assert.match(headers.get("cache-control") ?? "", /no-store/)
          assert.strictEqual(headers.get("x-accel-buffering"), "no")
          assert.isNull(headers.get("content-encoding"))
          assert.isNotNull(headers.get("x-ratelimit-remaining"))
          assert.isNotNull(headers.get("x-request-id"))
        }),
      )

      it.effect("sends tool calls, their results and usage on request", () =>
        Effect.gen(function* () {
          const { key } = yield* (yield* Web).tenant()
          const types = (include: ReadonlyArray<string>) =>
            Effect.map(
              ask(key, question([...calls, text("a")], { stream: true, stream_options: { include } })),
              (reply) => eventsOf(reply.text).map(({ data }) => data.type),
            )
          assert.deepStrictEqual(yield* types([]), ["content_delta", "done"])
          assert.deepStrictEqual(yield* types(["usage"]), ["usage", "content_delta", "done"])
          assert.deepStrictEqual(yield* types(["tool_call", "tool_result"]), [
            "tool_call",
            "tool_result",
            "tool_call",
            "tool_call",
            "content_delta",
            "done",
          ])
        }),
      )

      it.effect("reports a failure before the first event as an HTTP error, and later as the last event", () =>
        Effect.gen(function* () {
          const { key } = yield* (yield* Web).tenant()
          for (const stream of [true, false]) {
            const out = yield* ask(key, question([...calls, { fail: "unavailable" }], { stream }))
            assert.strictEqual(out.status, 503)
            assert.strictEqual(out.json.error.code, "service_unavailable")
            assert.strictEqual(out.headers.get("retry-after"), "5")
            const broken = yield* ask(key, question([{ die: true }], { stream }))
            assert.strictEqual(broken.status, 500)
            assert.notInclude(broken.text, "secret")
          }
          for (const [step, code] of [
            [{ fail: "unavailable" }, "service_unavailable"],
            [{ fail: "internal" }, "internal_error"],
            [{ die: true }, "internal_error"],
          ] as const) {
            const reply = yield* ask(key, question([text("Be"), { wait: 30 }, step], { stream: true }))
            const events = eventsOf(reply.text).map(({ data }) => data)
            assert.deepStrictEqual(
              events.map(({ type }) => type),
              ["content_delta", "error"],
            )
            assert.strictEqual(events.at(-1).error.code, code)
            assert.notInclude(reply.text, "secret")
          }
        }),
      )

      it.effect("refuses invalid fields in one reply", () =>
        Effect.gen(function* () {
          const { key } = yield* (yield* Web).tenant()
          const user = { role: "user", content: "Hello?" }
          const refused = Effect.fnUntraced(function* (body: unknown) {
            const { status, json } = yield* ask(key, body)
            assert.strictEqual(status, 400, JSON.stringify(body))
            const { missing_fields = [], invalid_fields = [] } = json.error.details
            return [...missing_fields, ...invalid_fields.map(({ field }: any) => field)]
          })
          assert.deepStrictEqual(yield* refused({}), ["messages"])
          assert.deepStrictEqual(yield* refused({ messages: [] }), ["messages"])
          assert.deepStrictEqual(yield* refused({ messages: Array.from({ length: 101 }, () => user) }), ["messages"])
          assert.deepStrictEqual(yield* refused({ messages: [user, { ...user, role: "assistant" }] }), ["messages"])
          assert.deepStrictEqual(yield* refused({ messages: [{ role: "robot", content: "x" }] }), ["messages[0].role"])
          assert.deepStrictEqual(yield* refused({ messages: [{ role: "tool", content: "x" }] }), ["messages"])
          assert.deepStrictEqual(yield* refused({ messages: [{ ...user, content: "" }] }), ["messages[0].content"])
          assert.deepStrictEqual(yield* refused({ messages: [{ ...user, content: "a\0b" }] }), ["messages[0].content"])
          assert.deepStrictEqual(yield* refused({ messages: [{ ...user, content: "x".repeat(32_001) }] }), [
            "messages[0].content",
          ])
          assert.deepStrictEqual(yield* refused({ messages: [user], sream: true, model: "x" }), ["sream", "model"])
          assert.deepStrictEqual(yield* refused({ messages: [user], stream: "yes" }), ["stream"])
          assert.deepStrictEqual(yield* refused({ messages: [user], stream_options: { include: ["usage"] } }), [
            "stream_options",
          ])
          assert.deepStrictEqual(
            yield* refused({ messages: [user], stream: true, stream_options: { include: ["thoughts"] } }),
            ["stream_options.include[0]"],
          )
          assert.strictEqual((yield* ask(key, { messages: [user], padding: "x".repeat(1_100_000) })).status, 413)
        }),
      )

      it.effect("takes a reply's message back, and counts what was withheld", () =>
        Effect.gen(function* () {
          const { key } = yield* (yield* Web).tenant()
          const steps: ReadonlyArray<Step> = [cite(1), text(link(1)), { type: "withheld" }, { type: "withheld" }]
          const { json } = yield* ask(key, question(steps))
          assert.strictEqual(json.message.withheld, 2)
          const [next] = question([text("a")]).messages
          const again = yield* ask(key, { messages: [next, json.message, next], stream: null })
          assert.deepStrictEqual(
            [again.status, again.json.message],
            [200, { role: "assistant", content: "a", citations: [] }],
          )
        }),
      )

      it.effect("requires answers.create", () =>
        Effect.gen(function* () {
          const { key } = yield* (yield* Web).tenant({ role: "viewer" })
          assert.strictEqual((yield* ask(key, question([text("a")]))).status, 200)
          assert.strictEqual((yield* ask("none", question([text("a")]))).status, 401)
        }),
      )
    })
  })
}
