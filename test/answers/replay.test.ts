import { assert, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"
import { makeVault } from "../../src/core/replies/fingerprint.ts"
import * as Sightline from "../../src/core/Sightline.ts"
import { Database } from "../../src/core/storage/Database.ts"
import { engines } from "../support/engines.ts"
import { untilEffect } from "../support/until.ts"
import { layerLibrary, layerWeb, Web } from "../support/web.ts"
import { cite, eventsOf, layerDouble, link, question, release, type SseEvent, text } from "./double.ts"

type Handler = (request: Request) => Promise<Response>

const post = (handler: Handler, key: string, body: unknown, headers: Record<string, string>, signal?: AbortSignal) =>
  handler(
    new Request("http://localhost/api/v1/responses", {
      method: "POST",
      body: JSON.stringify(body),
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json", ...headers },
      signal: signal ?? null,
    }),
  )

/** Reads until `count` events are there, and hangs up. */
const readSome = async (response: Response, count: number): Promise<ReadonlyArray<SseEvent>> => {
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  let body = ""
  for (;;) {
    const { value, done } = await reader.read()
    body += value ?? ""
    const events = eventsOf(body.slice(0, body.lastIndexOf("\n\n") + 2))
    if (done || events.length >= count) {
      await reader.cancel()
      return events
    }
  }
}

/** An answer whose end waits for `release(name)`. */
const heldAt = (name: string) =>
  question([text("Begin "), cite(1), { repeat: 3, every: 0, content: "a " }, { hold: name }, text(`see ${link(1)}.`)], {
    stream: true,
  })
const endless = heldAt("never released")

for (const engine of engines) {
  describe(`replay on ${engine.name}`, () => {
    let ended: Array<string> = []
    const answerer = layerDouble((how) => ended.push(how))
    /** Two instances over one database, the second without the first's memory. */
    const instances = Layer.unwrap(
      Effect.gen(function* () {
        const database = Layer.succeedContext(yield* Layer.build(engine.database)) as Layer.Layer<SqlClient>
        return layerWeb(database, layerLibrary(), answerer).pipe(Layer.provideMerge(database))
      }),
    )
    layer(instances, { excludeTestServices: true })((it) => {
      const instance = Effect.gen(function* () {
        const { sql } = yield* Database
        const web = yield* Effect.acquireRelease(
          Effect.promise(() =>
            Sightline.open({
              database: Layer.succeed(SqlClient, sql),
              library: layerLibrary(),
              answerer,
            }),
          ),
          ({ dispose }) => Effect.promise(() => dispose()),
        )
        return web.handler as Handler
      })

      it.effect("sends a returning caller the events after its last one, also from another instance", () =>
        Effect.gen(function* () {
          const { key } = yield* (yield* Web).tenant()
          const [one, two] = [yield* instance, yield* instance]
          const headers = { "idempotency-key": "back" }
          const slow = heldAt(`back ${engine.name}`)
          ended = []
          const first = yield* Effect.promise(async () => readSome(await post(one, key, slow, headers), 3))
          assert.isAtLeast(first.length, 3)
          assert.deepStrictEqual(ended, [])
          // Followed while it is being made, elsewhere; and whole, when it is done.
          const rest = yield* Effect.promise(async () =>
            post(two, key, slow, { ...headers, "last-event-id": String(first.at(-1)!.id) }),
          )
          assert.strictEqual(rest.headers.get("idempotent-replayed"), "true")
          release(`back ${engine.name}`)
          const later = eventsOf(yield* Effect.promise(() => rest.text()))
          assert.strictEqual(later[0]!.id, first.at(-1)!.id + 1)
          assert.strictEqual(later.at(-1)!.data.type, "done")
          assert.deepStrictEqual(ended, ["done"])
          const all = [...first, ...later]
          const again = yield* Effect.promise(async () => (await post(two, key, slow, headers)).text())
          assert.deepStrictEqual(eventsOf(again), all)
          assert.strictEqual(all.map(({ data }) => data.content ?? "").join(""), all.at(-1)!.data.message.content)
          assert.deepStrictEqual(ended, ["done"])
          const other = yield* Effect.promise(() => post(one, key, { ...slow, stream: false }, headers))
          assert.strictEqual(other.status, 409)
        }).pipe(Effect.scoped),
      )

      it.effect("stops an answer without an Idempotency-Key when the caller disconnects", () =>
        Effect.gen(function* () {
          const { key } = yield* (yield* Web).tenant()
          const one = yield* instance
          ended = []
          yield* Effect.promise(async () => readSome(await post(one, key, endless, {}), 2))
          yield* untilEffect(
            "the answer ends",
            Effect.sync(() => ended.length > 0),
          )
          assert.deepStrictEqual(ended, ["interrupted"])
          const lost = yield* Effect.promise(() => post(one, key, endless, { "last-event-id": "3" }))
          assert.strictEqual(lost.status, 400)
        }).pipe(Effect.scoped),
      )

      it.effect("refuses a replay that is impossible", () =>
        Effect.gen(function* () {
          const { key } = yield* (yield* Web).tenant()
          const one = yield* instance
          const status = (headers: Record<string, string>) =>
            Effect.promise(async () => (await post(one, key, question([text("a")], { stream: true }), headers)).status)
          assert.strictEqual(yield* status({ "idempotency-key": "never", "last-event-id": "4" }), 409)
          assert.strictEqual(yield* status({ "idempotency-key": "never", "last-event-id": "x" }), 400)
          assert.strictEqual(yield* status({ "idempotency-key": "never" }), 200)
        }).pipe(Effect.scoped),
      )

      it.effect("allows a retry with the same key after a failure before the first event", () =>
        Effect.gen(function* () {
          const { key } = yield* (yield* Web).tenant()
          const one = yield* instance
          const send = (body: unknown) =>
            Effect.promise(async () => (await post(one, key, body, { "idempotency-key": "again" })).status)
          assert.strictEqual(yield* send(question([{ fail: "unavailable" }], { stream: true })), 503)
          assert.strictEqual(yield* send(question([text("a")], { stream: true })), 200)
        }).pipe(Effect.scoped),
      )

      it.effect("ends the stream of a crashed process in an error event when its lease expires", () =>
        Effect.gen(function* () {
          const { org, key } = yield* (yield* Web).tenant()
          const { sql, ...database } = yield* Database
          const one = yield* instance
          const headers = { "idempotency-key": "died" }
          const whole = yield* Effect.promise(async () =>
            eventsOf(await (await post(one, key, question([text("a"), text("b")], { stream: true }), headers)).text()),
          )
          assert.lengthOf(whole, 3)
          const name = yield* makeVault("died").name
          yield* database.transaction(
            org,
            Effect.andThen(
              sql`delete from idempotent_reply_parts where org_id = ${org} and key = ${name} and ends`,
              sql`update idempotent_replies set locked_until = now() - interval '1 second' where org_id = ${org} and key = ${name}`,
            ),
          )
          const after = yield* Effect.promise(async () =>
            eventsOf(
              await (
                await post(one, key, question([text("a"), text("b")], { stream: true }), {
                  ...headers,
                  "last-event-id": "3",
                })
              ).text(),
            ),
          )
          assert.deepStrictEqual(
            after.map(({ id, data }) => [id, data.type, data.error.code]),
            [[4, "error", "service_unavailable"]],
          )
        }).pipe(Effect.scoped),
      )

      it.effect("replays a reply that release 0.1.0 stored as lines", () =>
        Effect.gen(function* () {
          const { key, org } = yield* (yield* Web).tenant()
          const { transaction, sql } = yield* Database
          const one = yield* instance
          const ask = Effect.promise(async () =>
            eventsOf(
              await (
                await post(one, key, question([text("a")], { stream: true }), { "idempotency-key": "old" })
              ).text(),
            ),
          )
          const whole = yield* ask
          const vault = makeVault("old")
          const name = yield* vault.name
          const lines = whole.map(({ id, data }) => `id: ${id}\ndata: ${JSON.stringify(data)}\n\n`)
          const body = yield* vault.seal(new TextEncoder().encode(JSON.stringify(lines)))
          yield* transaction(
            org,
            Effect.andThen(
              sql`delete from idempotent_reply_parts where org_id = ${org} and key = ${name}`,
              sql`insert into idempotent_reply_parts ${sql.insert({
                org_id: org,
                key: name,
                first: 1,
                last: lines.length,
                ends: true,
                body,
                size: body.length,
              })}`,
            ),
          )
          assert.deepStrictEqual(yield* ask, whole)
          assert.strictEqual(whole.at(-1)?.data.type, "done")
        }).pipe(Effect.scoped),
      )

      it.effect("ends and stores streams with an error event when the service is disposed", () =>
        Effect.gen(function* () {
          const { key } = yield* (yield* Web).tenant()
          const headers = { "idempotency-key": "closed" }
          const [two] = [yield* instance]
          const first = yield* Effect.scoped(
            Effect.gen(function* () {
              const one = yield* instance
              return yield* Effect.promise(async () => readSome(await post(one, key, endless, headers), 2))
            }),
          )
          const all = yield* Effect.promise(async () => eventsOf(await (await post(two, key, endless, headers)).text()))
          assert.deepStrictEqual(all.slice(0, first.length), first)
          assert.strictEqual(all.at(-1)!.data.type, "error")
        }).pipe(Effect.scoped),
      )

      it.effect("seals what it stores", () =>
        Effect.gen(function* () {
          const { org, key } = yield* (yield* Web).tenant()
          const one = yield* instance
          yield* Effect.promise(async () =>
            (
              await post(one, key, question([text("the secret of the answer")], { stream: true }), {
                "idempotency-key": "sealed",
              })
            ).text(),
          )
          const database = yield* Database
          const rows = yield* database.scoped<{ body: string }>(
            org,
            database.sql`select encode(body, 'escape') as body from idempotent_reply_parts where org_id = scope.org`,
          )
          assert.isAbove(rows.length, 0)
          for (const { body } of rows) assert.notInclude(body, "secret of the answer")
        }).pipe(Effect.scoped),
      )
    })
  })
}
