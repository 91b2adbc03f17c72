import { assert, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { extent } from "../../support/extent.ts"
import { engines } from "../../support/engines.ts"
import { makeRandom, seedOfRun } from "../../support/random.ts"
import { layerLibrary, layerWeb, Web } from "../../support/web.ts"
import { Database } from "../../../src/core/storage/Database.ts"
import { MaxLoggedRows } from "../../../src/core/records/log/ImportLog.ts"
import { onPage, readDocument } from "../../support/readDocument.ts"
import { staleJson } from "../../catalogue/support.ts"
import { change, fill, WAYS } from "./imports.ts"
import { type Dump, dump, type Fields, importRecords, undo, untilUndone } from "./support.ts"

const SEED = seedOfRun("undo")

/** A dump without these things and the rows of these deals. */
const without = (all: Dump, ids: ReadonlySet<unknown>): Dump =>
  Object.fromEntries(
    Object.entries(all).map(([table, rows]) => [
      table,
      rows.filter((row) => !ids.has(row["deal_id"]) && !ids.has(row["id"])),
    ]),
  )

const dealOf = (of: Dump, id: string) => of["deals"]!.find((row) => row["id"] === id)

const tablesThatDiffer = (before: Dump, after: Dump) =>
  Object.keys(before).filter((table) => JSON.stringify(before[table]) !== JSON.stringify(after[table]))

for (const engine of engines) {
  const harness = Layer.unwrap(Effect.sync(() => layerWeb(engine.database, layerLibrary())))
  describe(`the undo of an import on ${engine.name}`, () => {
    layer(harness, { excludeTestServices: true })((it) => {
      const rounds = engine.name === "PGlite" ? extent(8, 60) : 3
      for (let round = 0; round < rounds; round++) {
        it.effect(`leaves every row as it was before a random import (${round})`, () =>
          Effect.gen(function* () {
            const random = makeRandom(SEED + round)
            const { org, key } = yield* (yield* Web).tenant()
            yield* fill(org, random)
            const before = yield* dump(org)
            const report = yield* WAYS[round % WAYS.length]!({ org, key }, random)
            assert.isAbove(report.created + report.updated, 5)
            assert.strictEqual(report.undo, true)
            assert.notDeepEqual(yield* dump(org), before)
            const undone = yield* undo(org, report.import_id!)
            assert.deepStrictEqual(undone.kept, [])
            assert.deepInclude(undone, { status: "completed", kept_count: 0 })
            const after = yield* dump(org)
            for (const table of tablesThatDiffer(before, after)) assert.deepStrictEqual(after[table], before[table])
            assert.deepStrictEqual(yield* staleJson(org), [])
          }),
        )
      }

      for (let round = 0; round < (engine.name === "PGlite" ? extent(4, 40) : 1); round++) {
        it.effect(`leaves and lists rows that a later change touched, and restores all others (${round})`, () =>
          Effect.gen(function* () {
            const random = makeRandom(SEED + 1000 + round)
            const { org } = yield* (yield* Web).tenant()
            yield* fill(org, random)
            const before = yield* dump(org)
            const report = yield* importRecords(org, change(random))
            const imported = yield* dump(org)
            const ids = imported["deals"]!.map((row) => String(row["id"]))
            const edited = random.some(ids, 2, 5)
            const removed = random.some(ids, 0, 2)
            yield* importRecords(org, [
              ...edited.map((id) => ({ type: "deal", id, region: "LATAM" })),
              ...removed.map((id) => ({ type: "deal", id, deleted: true })),
            ])
            const changed = yield* dump(org)
            const undone = yield* undo(org, report.import_id!)
            const after = yield* dump(org)
            const later = new Set([...edited, ...removed])
            const isImported = (id: string) =>
              JSON.stringify(dealOf(before, id)) !== JSON.stringify(dealOf(imported, id))
            // An association whose former deal was deleted later stays, and so does its new deal.
            const isTouched = ({ type, reason }: (typeof undone.kept)[number]) => type === "deal" && reason !== "in_use"
            const listed = undone.kept.filter(isTouched).map(({ id }) => id)
            assert.deepStrictEqual(listed.toSorted(), [...later].filter(isImported).toSorted())
            for (const id of later) assert.deepStrictEqual(dealOf(after, id), dealOf(changed, id), id)
            const ignored = new Set([...later, ...undone.kept.map(({ id }) => id)])
            assert.deepStrictEqual(without(after, ignored), without(before, ignored))
            assert.deepStrictEqual(yield* staleJson(org), [])
          }),
        )
      }

      const post = Effect.fnUntraced(function* (key: string, path: string, body = "", type = "application/json") {
        return yield* (yield* Web).request(`/api/v1${path}`, key, {
          method: "POST",
          body,
          headers: { "content-type": type },
        })
      })
      const get = Effect.fnUntraced(function* (key: string, path: string) {
        return (yield* (yield* Web).request(`/api/v1${path}`, key)).json
      })
      const importCsv = Effect.fnUntraced(function* (key: string, query: string, csv: string) {
        const reply = yield* post(key, `/import?type=deal&${query}`, csv, "text/csv")
        assert.strictEqual(reply.status, 200, reply.text)
        return reply.json
      })
      const errorOf = ({ status, json }: { readonly status: number; readonly json: any }) => [
        status,
        json.error?.message,
      ]

      it.effect("is asked for once, by keys of its organization that may import, and audited", () =>
        Effect.gen(function* () {
          const web = yield* Web
          const { org, key } = yield* web.tenant()
          const other = yield* web.tenant()
          const { import_id: id, undo: can } = yield* importCsv(key, "", "name,owner,stage\nFirst,Ada,Won\n")
          assert.strictEqual(can, true)
          assert.strictEqual((yield* post(other.key, `/import/${id}/undo`)).status, 404)
          assert.strictEqual((yield* web.request(`/api/v1/import/${id}`, other.key)).status, 404)
          const viewer = yield* web.tenant({ role: "viewer" })
          assert.strictEqual((yield* post(viewer.key, `/import/${id}/undo`)).status, 403)
          const found = yield* get(key, `/import/${id}`)
          assert.deepInclude(found, { import_id: id, status: "completed", created: 1, undo: true, undone: null })
          assert.match(found.created_by, /^key_/)
          const [deal] = yield* get(key, "/deals")
          const cursor = (yield* get(key, "/changes?since=now")).next_cursor
          const reply = yield* post(key, `/import/${id}/undo`)
          assert.deepInclude(reply.json, { import_id: id, status: "queued" })
          assert.strictEqual(reply.status, 202)
          const undone = yield* untilUndone(org, id)
          assert.deepInclude(undone, { removed: 3, restored: 0, kept_count: 0 })
          assert.deepInclude(yield* get(key, `/runs/${reply.json.run_id}`), { import_id: id, status: "completed" })
          assert.match(
            errorOf(yield* post(key, `/import/${id}/undo`)).join(" "),
            /^409 the import '.*' was undone at 20/,
          )
          const acts = (yield* get(key, "/audit?types=import.undone")).data
          assert.deepStrictEqual(
            acts.map((act: Fields) => [act["target"], (act["details"] as Fields)["run_id"]]),
            [[id, reply.json.run_id]],
          )
          const later = yield* get(key, `/changes?since=${cursor}`)
          assert.deepStrictEqual(
            later.data.map(({ type, id, action }: Fields) => [type, id, action]),
            [["deal", deal.id, "deleted"]],
          )
        }),
      )

      it.effect("is refused while the import runs, after seven days, and if old values are not kept", () =>
        Effect.gen(function* () {
          const { org, key } = yield* (yield* Web).tenant()
          const { sql, transaction } = yield* Database
          const { import_id: id } = yield* importCsv(key, "", "name\nFirst\n")
          const set = (values: string) =>
            transaction(org, sql`update imports set ${sql.literal(values)} where org_id = ${org} and id = ${id}`)
          const refusal = Effect.map(post(key, `/import/${id}/undo`), (reply) => errorOf(reply).join(" "))
          yield* set("ended_at = null")
          assert.match(yield* refusal, /^409 the import '.*' still runs/)
          assert.deepInclude(yield* get(key, `/import/${id}`), { status: "running", undo: false, undo_until: null })
          // It died more than seven days ago.
          yield* set("seen_at = now() - interval '170 hours'")
          assert.match(
            yield* refusal,
            /^410 the import '.*' could be undone until 20.*: old values are kept for 7 days/,
          )
          yield* set("ended_at = now(), undo_refusal = 'it is too large'")
          assert.match(yield* refusal, /^409 the import '.*' cannot be undone: it is too large/)
        }),
      )

      it.effect("keeps no old values of an import that changes more rows than the limit", () =>
        Effect.gen(function* () {
          const { org, key } = yield* (yield* Web).tenant()
          const records = Array.from({ length: 1100 }, (_, n) => ({ type: "owner", id: `o${n}`, name: `Owner ${n}` }))
          const report = yield* Effect.provideService(importRecords(org, records), MaxLoggedRows, 700)
          assert.deepInclude(report, { created: 1100, undo: false })
          assert.match(report.undo_refusal!, /^it changed more than/)
          assert.match(
            errorOf(yield* post(key, `/import/${report.import_id}/undo`)).join(" "),
            /^409 .* cannot be undone/,
          )
          const { sql, scoped } = yield* Database
          assert.deepStrictEqual(yield* scoped(org, sql`select n from import_log where org_id = scope.org`), [])
        }),
      )

      it.effect("takes back the currency, unless a later import relies on it", () =>
        Effect.gen(function* () {
          const { org, key } = yield* (yield* Web).tenant()
          const csv = (name: string) => `name,amount,currency\n${name},"1,250.00",EUR\n`
          const first = yield* importCsv(key, "", csv("First"))
          assert.strictEqual((yield* get(key, "/workspace")).settings.currency, "EUR")
          yield* undo(org, first.import_id)
          assert.strictEqual((yield* get(key, "/workspace")).settings.currency, null)
          const second = yield* importCsv(key, "", csv("Second"))
          yield* importCsv(key, "", csv("Third"))
          const { kept } = yield* undo(org, second.import_id)
          assert.deepStrictEqual(kept, [{ type: "currency", id: "EUR", reason: "changed_later" }])
          assert.strictEqual((yield* get(key, "/workspace")).settings.currency, "EUR")
        }),
      )

      it.effect("keeps a created deal that has a document, and lists a restored one that lost its documents", () =>
        Effect.gen(function* () {
          const { org } = yield* (yield* Web).tenant()
          const created = yield* importRecords(org, [{ type: "deal", id: "d1", name: "Deal" }])
          yield* readDocument(org, [onPage(1, "Kept.")], { deal_id: "d1" })
          assert.deepStrictEqual((yield* undo(org, created.import_id!)).kept, [
            { type: "deal", id: "d1", reason: "in_use" },
          ])
          const deleted = yield* importRecords(org, [{ type: "deal", id: "d1", deleted: true }])
          assert.deepInclude(yield* undo(org, deleted.import_id!), {
            recreated: 1,
            kept: [{ type: "deal", id: "d1", reason: "documents_lost" }],
          })
        }),
      )

      it.effect("leaves alone what conflicts, such as a CRM id that another deal has now", () =>
        Effect.gen(function* () {
          const { org } = yield* (yield* Web).tenant()
          const deal = (id: string, fields: Fields) => ({ type: "deal", id, name: `Deal ${id}`, ...fields })
          yield* importRecords(org, [deal("a", { crm_one_id: "X" }), deal("b", { amount: 1 })])
          const before = yield* dump(org)
          const report = yield* importRecords(org, [deal("a", { deleted: true }), deal("b", { amount: 2 })])
          yield* importRecords(org, [deal("c", { crm_one_id: "X" })])
          const undone = yield* undo(org, report.import_id!)
          assert.deepInclude(undone, {
            restored: 1,
            recreated: 0,
            kept: [{ type: "deal", id: "a", reason: "conflict" }],
          })
          assert.deepStrictEqual(dealOf(yield* dump(org), "b"), dealOf(before, "b"))
        }),
      )

      it.effect("goes on after the batches that an attempt undid before it died", () =>
        Effect.gen(function* () {
          const { org } = yield* (yield* Web).tenant()
          const { sql, transaction } = yield* Database
          const before = yield* dump(org)
          const records = Array.from({ length: 1100 }, (_, n) => ({ type: "owner", id: `o${n}`, name: `Owner ${n}` }))
          const report = yield* importRecords(org, records)
          // The attempt undid the last batch and died: its owners are gone, and its row says so.
          yield* transaction(
            org,
            Effect.gen(function* () {
              yield* sql`delete from owners where org_id = ${org} and id = any(${records.slice(1000).map(({ id }) => id)}::text[])`
              yield* sql`update import_log set entries = null where org_id = ${org} and n = (select max(n) from import_log where org_id = ${org})`
              yield* sql`update imports set undone = '{"removed": 100}' where org_id = ${org} and id = ${report.import_id!}`
            }),
          )
          assert.deepInclude(yield* undo(org, report.import_id!), { removed: 1100, kept_count: 0 })
          assert.deepStrictEqual(yield* dump(org), before)
        }),
      )
    })
  })
}
