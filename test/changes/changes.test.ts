import { assert, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { ApiKeys } from "../../src/core/keys/ApiKeys.ts"
import { CHANGE_TYPE_NAMES } from "../../src/core/changes/contract.ts"
import { encodeCursor } from "../../src/core/changes/cursor.ts"
import { SealedCursors } from "../../src/core/signing/SealedCursors.ts"
import { Database } from "../../src/core/storage/Database.ts"
import { deleteExpired } from "../../src/core/server/retention.ts"
import { engines } from "../support/engines.ts"
import { readDocument } from "../support/readDocument.ts"
import { layerWeb, Web } from "../support/web.ts"

const deal = (id: string, rest: object = {}) => ({ type: "deal", id, name: `Deal ${id}`, status: "Open", ...rest })
const association = (id: string, deal: string) => ({
  type: "association",
  id,
  deal,
  feature: "Export",
  created_at: "2026-01-01",
})

for (const engine of engines) {
  describe(`the feed of changes on ${engine.name}`, () => {
    layer(layerWeb(engine.database), { excludeTestServices: true })((it) => {
      const importRecords = Effect.fnUntraced(function* (key: string, records: ReadonlyArray<object>) {
        const { json, text } = yield* (yield* Web).request("/api/v1/import", key, {
          method: "POST",
          headers: { "content-type": "application/x-ndjson" },
          body: records.map((record) => JSON.stringify(record)).join("\n"),
        })
        assert.strictEqual(json.failed, 0, text)
        return json
      })
      const read = Effect.fnUntraced(function* (key: string, query: Record<string, string> = {}) {
        const reply = yield* (yield* Web).request(`/api/v1/changes?${new URLSearchParams(query)}`, key)
        return { ...reply, summaries: summarize(reply.json?.data ?? []), next: reply.json?.next_cursor as string }
      })
      const summarize = (changes: ReadonlyArray<{ action: string; type: string; id: string }>) =>
        changes.map(({ action, type, id }) => `${action} ${type} ${id}`)
      /** Runs a statement that records no change. */
      const run = Effect.fnUntraced(function* (org: string, statement: string) {
        const database = yield* Database
        return yield* database.transaction(org, database.sql.unsafe<Record<string, unknown>>(statement))
      })

      it.effect("lists each creation, update and deletion once, and nothing unchanged", () =>
        Effect.gen(function* () {
          const { org, key } = yield* (yield* Web).tenant()
          assert.deepStrictEqual((yield* read(key)).summaries, [])
          const records = [deal("d1"), deal("d2"), association("a1", "d1")]
          yield* importRecords(key, records)
          const document = yield* readDocument(org, [{ kind: "paragraph", text: "Words", place: { kind: "text" } }])
          const first = yield* read(key)
          assert.deepStrictEqual(first.summaries, [
            "created deal d1",
            "created deal d2",
            "created association a1",
            `created document ${document.id}`,
          ])
          assert.deepInclude(first.json.data[2], { deal_id: "d1" })
          assert.strictEqual(first.json.data[3].status, "ready")

          assert.strictEqual((yield* importRecords(key, records)).unchanged, 3)
          const quiet = yield* read(key, { since: first.next })
          assert.deepStrictEqual([quiet.summaries, quiet.json.has_more], [[], false])

          yield* importRecords(key, [deal("d2", { competitors: ["Rival"] }), deal("d3")])
          yield* importRecords(key, [deal("d3", { amount: 5 })])
          assert.deepStrictEqual((yield* read(key, { since: quiet.next })).summaries, [
            "updated deal d2",
            "created deal d3",
          ])
          const { next } = yield* read(key, { since: quiet.next })

          yield* importRecords(key, [{ type: "deal", id: "d2", competitors: [] }])
          yield* run(org, `update documents set deal_id = 'd1' where org_id = '${org}'`)
          yield* importRecords(key, [{ type: "deal", id: "d1", deleted: true }])
          const last = yield* read(key, { since: next })
          assert.sameMembers(last.summaries, [
            "updated deal d2",
            "deleted deal d1",
            "deleted association a1",
            `deleted document ${document.id}`,
          ])
          yield* importRecords(key, [deal("d1")])
          assert.deepStrictEqual((yield* read(key, { since: last.next })).summaries, ["created deal d1"])
        }),
      )

      it.effect("lists the deals that show a renamed stage, owner, account, competitor, reason or feature", () =>
        Effect.gen(function* () {
          const { key } = yield* (yield* Web).tenant()
          const shown = [
            ["stage", "s", { status: "s" }],
            ["owner", "o", { owner: "o" }],
            ["owner", "w", { collaborators: ["w"] }],
            ["client", "c", { client: "c" }],
            ["competitor", "k", { competitors: ["k"] }],
            ["reason", "r", { drivers: ["r"] }],
          ] as const
          yield* importRecords(key, [
            ...shown.map(([type, id]) => ({ type, id, name: `Name ${id}` })),
            ...shown.map(([, id, rest]) => deal(`d_${id}`, rest)),
            deal("d_f"),
            association("a1", "d_f"),
            { type: "feature", id: "f", name: "Export" },
          ])
          let { next } = yield* read(key)
          for (const [type, id] of shown) {
            yield* importRecords(key, [{ type, id, name: `New name ${id}` }])
            const { summaries, next: later } = yield* read(key, { since: next })
            assert.deepStrictEqual(summaries, [`updated deal d_${id}`], type)
            next = later
          }
          yield* importRecords(key, [{ type: "feature", id: "f", name: "Exports" }])
          assert.sameMembers((yield* read(key, { since: next })).summaries, [
            "updated deal d_f",
            "updated association a1",
          ])
          next = (yield* read(key, { since: next })).next
          // Fields that no deal shows update no deal.
          yield* importRecords(key, [
            { type: "owner", id: "o", email: "o@acme.example" },
            { type: "stage", id: "s", position: 9 },
          ])
          assert.deepStrictEqual((yield* read(key, { since: next })).summaries, [])
        }),
      )

      it.effect("pages through every change, and streams the same as NDJSON with a final cursor", () =>
        Effect.gen(function* () {
          const web = yield* Web
          const { key } = yield* web.tenant()
          const ids = Array.from({ length: 25 }, (_, n) => `d${n}`)
          yield* importRecords(
            key,
            ids.map((id) => deal(id)),
          )
          const paged: Array<string> = []
          let page = yield* read(key, { page_size: "7" })
          for (; ; page = yield* read(key, { page_size: "7", since: page.next })) {
            paged.push(...page.summaries)
            if (!page.json.has_more) break
          }
          assert.sameMembers(
            paged,
            ids.map((id) => `created deal ${id}`),
          )

          const lines = yield* web.request("/api/v1/changes?types=deal,document", key, {
            headers: { accept: "application/x-ndjson" },
          })
          assert.strictEqual(lines.headers.get("content-type"), "application/x-ndjson")
          const parsed = lines.text
            .trimEnd()
            .split("\n")
            .map((line) => JSON.parse(line))
          const end = parsed.pop()
          assert.deepStrictEqual(summarize(parsed), paged)
          assert.deepStrictEqual(Object.keys(end), ["next_cursor", "has_more"])
          const after = yield* read(key, { since: parsed[19].cursor, types: "deal,document" })
          assert.deepStrictEqual(after.summaries, paged.slice(20))
          assert.deepStrictEqual((yield* read(key, { since: end.next_cursor, types: "document,deal" })).summaries, [])
        }),
      )

      it.effect("starts from now on request, and rejects foreign cursors", () =>
        Effect.gen(function* () {
          const { org, key } = yield* (yield* Web).tenant()
          yield* importRecords(key, [deal("d1")])
          const { next, summaries } = yield* read(key, { since: "now" })
          assert.deepStrictEqual(summaries, [])
          yield* importRecords(key, [deal("d2")])
          assert.deepStrictEqual((yield* read(key, { since: next })).summaries, ["created deal d2"])
          for (const query of [{ since: "yesterday" }, { since: next, types: "deal" }, { types: "stage" }]) {
            const { status, json } = yield* read(key, query)
            assert.deepStrictEqual([status, json.error.code], [400, "bad_request"])
          }
          const position = JSON.stringify(["99999999999999999", "99999999999999999", CHANGE_TYPE_NAMES.join()])
          const future = yield* (yield* SealedCursors).seal(org, "changes", position)
          assert.strictEqual((yield* read(key, { since: future })).status, 410)
        }),
      )

      it.effect(
        "hides sequence numbers in cursors, and rejects those of other organizations and earlier releases",
        () =>
          Effect.gen(function* () {
            const { key } = yield* (yield* Web).tenant()
            const other = yield* (yield* Web).tenant()
            yield* importRecords(key, [deal("d1"), deal("d2")])
            const { json, next } = yield* read(key)
            const [first] = json.data
            const numbers = [next, first.cursor].map((cursor) =>
              atob(cursor.replaceAll(/\..*/g, "").replaceAll("-", "+").replaceAll("_", "/")),
            )
            for (const text of numbers) assert.notMatch(text, /"\d+"/)
            assert.deepStrictEqual((yield* read(key, { since: first.cursor })).summaries, ["created deal d2"])
            const former = encodeCursor({ sequence: "7", type: "", id: "", from: "7", types: CHANGE_TYPE_NAMES.join() })
            const changed = first.cursor.replace(/^./, (letter: string) => (letter === "A" ? "B" : "A"))
            for (const [by, since] of [
              [other.key, next],
              [other.key, first.cursor],
              [key, changed],
              [key, `${first.cursor}.x`.replace(/\.[^.]+\./, ".e30.")],
              [key, former],
            ] as const) {
              const refused = yield* read(by, { since })
              assert.deepStrictEqual(
                [refused.status, refused.json.error.details.invalid_fields[0].field],
                [400, "since"],
              )
              if (since === former) assert.match(refused.json.error.message, /an earlier release.*omit `since`/)
            }
          }),
      )

      it.effect("replies 410 to a cursor that misses expired deletions, but never to a new reader", () =>
        Effect.gen(function* () {
          const { org, key } = yield* (yield* Web).tenant()
          yield* importRecords(key, [deal("d1"), deal("d2"), deal("d3")])
          const before = yield* read(key)
          yield* importRecords(key, [{ type: "deal", id: "d1", deleted: true }])
          const after = yield* read(key)
          yield* run(org, `update changes set changed_at = now() - interval '31 days' where org_id = '${org}'`)
          yield* deleteExpired
          const gone = yield* read(key, { since: before.next })
          assert.deepStrictEqual([gone.status, gone.json.error.code], [410, "gone"])
          assert.include(gone.json.error.message, "start over")
          assert.strictEqual((yield* read(key, { since: after.next })).status, 200)
          const anew = yield* read(key, { page_size: "1" })
          assert.deepStrictEqual((yield* read(key, { since: anew.next })).summaries, ["created deal d3"])
        }),
      )

      it.effect("replies 410 to a cursor from after the restored state, until new changes pass it", () =>
        Effect.gen(function* () {
          const { org, key } = yield* (yield* Web).tenant()
          yield* importRecords(key, [deal("d1")])
          const dump = (table: string) =>
            Effect.map(run(org, `select json_agg(t)::text as rows from ${table} t`), ([row]) => String(row!["rows"]))
          const changes = yield* dump("changes")
          const feeds = yield* dump("change_feeds")
          yield* importRecords(key, [deal("d2")])
          const later = yield* read(key)
          const restore = (table: string, rows: string) =>
            Effect.andThen(
              run(org, `delete from ${table} where org_id = '${org}'`),
              run(org, `insert into ${table} select * from json_populate_recordset(null::${table}, '${rows}')`),
            )
          yield* run(org, `delete from deals where org_id = '${org}' and id = 'd2'`)
          yield* restore("changes", changes)
          yield* restore("change_feeds", feeds)
          assert.strictEqual((yield* read(key, { since: later.next })).status, 410)
          assert.deepStrictEqual((yield* read(key)).summaries, ["created deal d1"])
          yield* importRecords(key, [deal("d3")])
          assert.deepStrictEqual((yield* read(key, { since: later.next })).summaries, ["created deal d3"])
        }),
      )

      it.effect("lists only what the key can read, and nothing of other organizations", () =>
        Effect.gen(function* () {
          const { org, key } = yield* (yield* Web).tenant()
          const other = yield* (yield* Web).tenant()
          yield* importRecords(key, [deal("d1"), association("a1", "d1")])
          const keys = yield* ApiKeys
          const narrow = yield* keys.create(org, { name: "n", role: "viewer", permissions: ["deals.read"] })
          assert.deepStrictEqual((yield* read(narrow.key)).summaries, ["created deal d1"])
          const refused = yield* read(narrow.key, { types: "deal,association" })
          assert.deepStrictEqual([refused.status, refused.json.error.code], [403, "forbidden"])
          const none = yield* keys.create(org, { name: "n", role: "viewer", permissions: ["usage.read"] })
          assert.strictEqual((yield* read(none.key)).status, 403)
          assert.deepStrictEqual((yield* read(other.key)).summaries, [])
        }),
      )

      it.effect("is erased with its organization", () =>
        Effect.gen(function* () {
          const { org, key } = yield* (yield* Web).tenant()
          const kept = yield* (yield* Web).tenant()
          yield* importRecords(key, [deal("d1", { competitors: ["Rival"] }), association("a1", "d1")])
          yield* importRecords(kept.key, [deal("d1")])
          yield* readDocument(org, [{ kind: "paragraph", text: "Words", place: { kind: "text" } }])
          yield* importRecords(key, [{ type: "deal", id: "d1", deleted: true }])
          yield* importRecords(key, [deal("d2"), association("a2", "d2")])
          yield* run(org, `delete from organizations where id = '${org}'`)
          const database = yield* Database
          const left = yield* database.transaction(org, database.sql`select * from changes where org_id = ${org}`)
          assert.deepStrictEqual(left, [])
          assert.deepStrictEqual((yield* read(kept.key)).summaries, ["created deal d1"])
        }),
      )
    })
  })
}
