import { assert, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { Database } from "../../src/core/storage/Database.ts"
import { ApiKeys } from "../../src/core/keys/ApiKeys.ts"
import { MAX_CONVERSATIONS_PER_KEY, MAX_TURNS } from "../../src/core/answers/conversations/limits.ts"
import { engines } from "../support/engines.ts"
import { UNLIMITED } from "../support/unlimited.ts"
import { layerWeb, Web } from "../support/web.ts"

const send = (path: string, key: string, method = "GET", body?: object) =>
  Effect.flatMap(Web, ({ request }) =>
    request(`/api/v1${path}`, key, {
      method,
      ...(body !== undefined && { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
    }),
  )

const user = (content: string) => ({ role: "user", content })

const ask = (key: string, question: string, more: object = { conversation: "new" }) =>
  send("/responses", key, "POST", { messages: [user(question)], ...more })

/** Two people of one organization that has deals of two regions. */
const people = Effect.gen(function* () {
  const web = yield* Web
  const { org, key: ada } = yield* web.tenant({ plan: UNLIMITED, role: "admin" })
  const { key: ben } = yield* (yield* ApiKeys).create(org, { name: "ben", role: "admin" })
  const deals = ["North", "North", "South"].map((region, n) =>
    JSON.stringify({ type: "deal", id: `d${n}`, name: `Deal ${n}`, status: "Closed Won", region, amount: 100 }),
  )
  const imported = yield* web.request("/api/v1/import", ada, {
    method: "POST",
    body: deals.join("\n"),
    headers: { "content-type": "application/x-ndjson" },
  })
  assert.deepInclude(imported.json, { failed: 0 })
  return { org, ada, ben }
})

const titles = (reply: { readonly json: any }) => reply.json.data.map(({ title }: { title: string }) => title)

for (const engine of engines) {
  describe(`conversations on ${engine.name}`, () => {
    layer(layerWeb(engine.database), { excludeTestServices: true })((it) => {
      it.effect("keep questions and answers, go on where they were, and are deleted", () =>
        Effect.gen(function* () {
          const { ada } = yield* people
          const first = yield* ask(ada, "How many deals  did we win\nin North?")
          assert.strictEqual(first.status, 200, first.text)
          assert.match(first.json.message.content, /\b2\b/)
          const { conversation_id: id } = first.json
          // Only the conversation says what "South" is asked about.
          const second = yield* ask(ada, "And in South?", { conversation: id, citations: "marks" })
          assert.match(second.json.message.content, /\b1\b/)
          assert.strictEqual(second.json.conversation_id, id)
          const kept = yield* send(`/conversations/${id}`, ada)
          assert.strictEqual(kept.json.title, "How many deals did we win in North?")
          assert.deepStrictEqual(
            kept.json.turns.map(({ asked_at: _, ...turn }: any) => turn),
            [
              { question: "How many deals  did we win\nin North?", style: "links", json: first.json },
              { question: "And in South?", style: "marks", json: second.json },
            ].map(({ json, ...turn }) => ({
              ...turn,
              answer: json.message.content,
              citations: json.message.citations,
            })),
          )
          yield* ask(ada, "How many deals are there?")
          const listed = yield* send("/conversations", ada)
          assert.deepStrictEqual(titles(listed), ["How many deals are there?", kept.json.title])
          assert.strictEqual(listed.json.data[1].turns, 2)
          assert.strictEqual((yield* send(`/conversations/${id}`, ada, "DELETE")).status, 204)
          assert.deepStrictEqual(titles(yield* send("/conversations", ada)), ["How many deals are there?"])
          assert.strictEqual((yield* ask(ada, "And?", { conversation: id })).status, 404)
          assert.strictEqual((yield* send("/conversations", ada, "DELETE")).status, 204)
          assert.deepStrictEqual(titles(yield* send("/conversations", ada)), [])
        }),
      )

      it.effect("keep streamed answers once, and nothing of a question without one", () =>
        Effect.gen(function* () {
          const { ada } = yield* people
          const stream = yield* ask(ada, "How many deals did we win?", { conversation: "new", stream: true })
          const last = JSON.parse(stream.text.trim().split("\ndata: ").at(-1)!)
          assert.strictEqual(last.type, "done")
          const { turns } = (yield* send(`/conversations/${last.conversation_id}`, ada)).json
          assert.deepStrictEqual(
            turns.map(({ answer }: any) => answer),
            [last.message.content],
          )
          const plain = yield* ask(ada, "How many deals did we win?", {})
          assert.notProperty(plain.json, "conversation_id")
          assert.lengthOf((yield* send("/conversations", ada)).json.data, 1)
        }),
      )

      it.effect("are those of one key alone", () =>
        Effect.gen(function* () {
          const { ada, ben } = yield* people
          const { conversation_id: id } = (yield* ask(ada, "How many deals did we win?")).json
          assert.deepStrictEqual(titles(yield* send("/conversations", ben)), [])
          for (const reply of [
            yield* send(`/conversations/${id}`, ben),
            yield* send(`/conversations/${id}`, ben, "DELETE"),
            yield* ask(ben, "And in South?", { conversation: id }),
          ])
            assert.deepStrictEqual([reply.status, reply.json.error.code], [404, "not_found"])
          yield* send("/conversations", ben, "DELETE")
          assert.lengthOf((yield* send("/conversations", ada)).json.data, 1)
        }),
      )

      it.effect("end with their key", () =>
        Effect.gen(function* () {
          const { org, ben } = yield* people
          yield* ask(ben, "How many deals did we win?")
          const { sql, transaction } = yield* Database
          const count = transaction(org, sql`select from conversation_turns where org_id = ${org}`)
          assert.lengthOf(yield* count, 1)
          const keys = yield* ApiKeys
          const { id } = (yield* keys.list(org)).find(({ name }) => name === "ben")!
          yield* keys.revoke(org, id)
          assert.lengthOf(yield* count, 0)
        }),
      )

      it.effect("take one question at a time, and say what is wrong", () =>
        Effect.gen(function* () {
          const { ada } = yield* people
          const messages = [user("How many?"), { role: "assistant", content: "3" }, user("And lost?")]
          const both = yield* send("/responses", ada, "POST", { messages, conversation: "new" })
          assert.deepInclude(both.json.error.details.invalid_fields[0], { field: "messages" })
          const system = { role: "system", content: "Be brief." }
          const instructed = yield* send("/responses", ada, "POST", {
            messages: [system, user("How many deals are there?")],
            conversation: "new",
          })
          assert.isString(instructed.json.conversation_id)
        }),
      )

      it.effect("end at their limits: the questions of one, and the conversations of a key", () =>
        Effect.gen(function* () {
          const { org, ada } = yield* people
          const { sql, transaction } = yield* Database
          const { conversation_id: id } = (yield* ask(ada, "How many deals are there?")).json
          yield* transaction(
            org,
            sql`insert into conversation_turns select org_id, conversation_id, n, question, answer, style, citations, asked_at
              from conversation_turns, generate_series(2, ${MAX_TURNS}) n where org_id = ${org} and conversation_id = ${id}`,
          )
          const full = yield* ask(ada, "And in South?", { conversation: id })
          assert.deepStrictEqual([full.status, full.json.error.details.invalid_fields[0].field], [400, "conversation"])
          yield* transaction(
            org,
            sql`insert into conversations (org_id, id, key_id, title, updated_at)
              select org_id, 'conv_' || n, key_id, 'Earlier ' || n, updated_at - n * interval '1 minute'
              from conversations, generate_series(1, ${MAX_CONVERSATIONS_PER_KEY - 1}) n where org_id = ${org}`,
          )
          yield* ask(ada, "How many deals did we win?")
          const listed = titles(yield* send("/conversations", ada))
          assert.lengthOf(listed, MAX_CONVERSATIONS_PER_KEY)
          assert.strictEqual(listed.at(-1), `Earlier ${MAX_CONVERSATIONS_PER_KEY - 2}`)
        }),
      )
    })
  })
}
