import { gzipSync } from "node:zlib"
import { assert, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { Import } from "../../src/core/import/Import.ts"
import { Database } from "../../src/core/storage/Database.ts"
import { engines } from "../support/engines.ts"
import { onPage, readDocument } from "../support/readDocument.ts"
import { layerLibrary, layerWeb, Web } from "../support/web.ts"

const CSV = "Deal,Betrag,Stage,Client\nFirst,10,Won,Acme\nSecond,ten,Won,Acme\nThird,30,Lost,Acme\n"

for (const engine of engines) {
  const harness = Layer.unwrap(Effect.sync(() => layerWeb(engine.database, layerLibrary())))
  describe(`a dry run of an import on ${engine.name}`, () => {
    layer(harness, { excludeTestServices: true })((it) => {
      const post = Effect.fnUntraced(function* (key: string, query: string, body: BodyInit, contentType = "text/csv") {
        const init = { method: "POST", body, headers: { "content-type": contentType } }
        return yield* (yield* Web).request(`/api/v1/import?${query}`, key, init)
      })
      const get = Effect.fnUntraced(function* (key: string, path: string) {
        return (yield* (yield* Web).request(`/api/v1${path}`, key)).json
      })

      it.effect("reports what the import then does, and writes nothing", () =>
        Effect.gen(function* () {
          const { key } = yield* (yield* Web).tenant()
          const map = encodeURIComponent(JSON.stringify({ Deal: "name", Betrag: "amount", Stage: "status" }))
          const query = `type=deal&map=${map}`
          const before = yield* get(key, "/changes")
          const dry = yield* post(key, `${query}&dry_run=true`, CSV)
          assert.deepInclude(dry.json, { received: 3, created: 2, failed: 1 })
          assert.deepStrictEqual(dry.json.errors, [
            { line: 3, field: "amount", reason: "must be an amount such as 1250 or 1,250.00", value: "ten" },
          ])
          assert.deepStrictEqual(yield* get(key, "/deals?count=true"), { count: 0 })
          assert.deepStrictEqual((yield* get(key, "/workspace/stages")).data, [])
          assert.deepStrictEqual((yield* get(key, "/changes")).data, before.data)
          assert.deepStrictEqual((yield* get(key, "/audit?types=records.imported")).data, [])
          const { examples, counts_from, plan_id, ...report } = dry.json
          const { import_id: _, undo, ...real } = (yield* post(key, query, CSV)).json
          assert.deepStrictEqual([real, undo], [report, true])
          assert.strictEqual(counts_from, "file")
          assert.match(plan_id, /^pln_/)
          assert.deepStrictEqual(examples, [
            {
              line: 2,
              result: "created",
              before: null,
              after: { name: "First", amount: 10, status: "Won", client: "Acme" },
            },
            {
              line: 4,
              result: "created",
              before: null,
              after: { name: "Third", amount: 30, status: "Lost", client: "Acme" },
            },
          ])
          const acts = (yield* get(key, "/audit?types=import.planned")).data as ReadonlyArray<{ target: string }>
          assert.deepStrictEqual(
            acts.map(({ target }) => target),
            [plan_id],
          )
          assert.deepStrictEqual(yield* get(key, "/deals?count=true"), { count: 2 })
        }),
      )

      it.effect("keeps the documents of a deal that it would delete", () =>
        Effect.gen(function* () {
          const web = yield* Web
          const { org, key } = yield* web.tenant()
          yield* (yield* Import).records(org, Stream.fromIterable([{ type: "deal", id: "d1", name: "Deal" }]))
          const { id } = yield* readDocument(org, [onPage(1, "Kept.")], { deal_id: "d1" })
          const line = `${JSON.stringify({ type: "deal", id: "d1", deleted: true })}\n`
          const { json } = yield* post(key, "dry_run=true", line, "application/x-ndjson")
          assert.strictEqual(json.deleted, 1)
          assert.strictEqual((yield* web.request(`/api/v1/documents/${id}/original`, key)).status, 200)
          assert.deepStrictEqual(yield* get(key, "/deals?count=true"), { count: 1 })
        }),
      )

      it.effect("counts the first 200,000 records of a longer file", () =>
        Effect.gen(function* () {
          const { key } = yield* (yield* Web).tenant()
          const packed = new Uint8Array(gzipSync(`name,amount\n${"a,x\n".repeat(200_003)}`))
          const { status, json } = yield* post(key, "type=deal&dry_run=true", packed, "application/gzip")
          assert.strictEqual(status, 200, JSON.stringify(json).slice(0, 500))
          assert.deepInclude(json, { received: 200_000, failed: 200_000, counts_from: "sample" })
        }),
      )

      it.effect("shows examples with names, as they are and as they would be", () =>
        Effect.gen(function* () {
          const { org, key } = yield* (yield* Web).tenant()
          const long = "x".repeat(1000)
          const stored = {
            type: "deal",
            id: "d1",
            name: "One",
            status: "Open",
            owner: "Ada",
            drivers: ["Price"],
            summary: long,
          }
          yield* (yield* Import).records(org, Stream.fromIterable([stored, { ...stored, id: "d2" }]))
          const lines = [
            {
              type: "deal",
              id: "d1",
              status: "Won",
              drivers: [{ reason: "Speed", positive: true }],
              custom_answers: { "Why us": "Fit" },
            },
            { type: "deal", id: "d2", summary: long },
            // In a batch of its own: the first one changes these two once, and this one finds them changed.
            ...Array.from({ length: 500 }, (_, n) => ({
              type: "deal",
              id: `n${n}`,
              name: "New",
              summary: `${n} ${long}`,
            })),
            ...Array.from({ length: 500 }, (_, n) => ({
              type: "deal",
              id: `n${n}`,
              name: "New",
              summary: `${n} ${long}`,
            })),
            { type: "deal", id: "d2", deleted: true },
          ]
          const { json } = yield* post(
            key,
            "dry_run=true",
            lines.map((each) => JSON.stringify(each)).join("\n"),
            "application/x-ndjson",
          )
          assert.deepInclude(json, { received: 1003, created: 500, updated: 1, unchanged: 501, deleted: 1 })
          const [first] = json.examples
          assert.deepStrictEqual(first, {
            line: 1,
            result: "updated",
            before: {
              id: "d1",
              status: "Open",
              drivers: [{ reason: "Price", positive: null, summary: null }],
              custom_answers: {},
            },
            after: {
              id: "d1",
              status: "Won",
              drivers: [{ reason: "Speed", positive: true, summary: null }],
              custom_answers: { "Why us": "Fit" },
            },
          })
          assert.deepStrictEqual(json.examples.at(-1), {
            line: 1003,
            result: "deleted",
            before: { id: "d2" },
            after: null,
          })
          assert.lengthOf(json.examples, 20)
        }),
      )

      it.effect("says what the import of a file without names refuses", () =>
        Effect.gen(function* () {
          const { key } = yield* (yield* Web).tenant()
          for (const first of ["", "sep=;\n"]) {
            const body = `${first}Project;Amount;Stage\nRoof;1;Won\n`
            const refused = yield* post(key, "type=deal", body)
            assert.strictEqual(refused.status, 400)
            const [{ field, reason }] = refused.json.error.details.invalid_fields
            assert.strictEqual(field, "map")
            const { status, json } = yield* post(key, "type=deal&dry_run=true", body)
            assert.deepStrictEqual([status, json.created, json.failed], [200, 0, 1])
            const found = json.warnings.find(({ code }: any) => code === "name_missing")
            assert.strictEqual(found?.message, `an import of the file is refused: it ${reason}`)
            const mapped = yield* post(key, "type=deal&dry_run=true&map=Project%3Dname", body)
            assert.notInclude(mapped.text, "name_missing")
          }
        }),
      )

      const planOf = Effect.fnUntraced(function* (key: string, query: string, body: string) {
        const { status, json } = yield* post(key, `${query}&dry_run=true`, body)
        assert.strictEqual(status, 200, JSON.stringify(json).slice(0, 500))
        return json.plan_id as string
      })
      const deals = (key: string) => get(key, "/deals?columns=name,amount,close_date")

      const HEADER = "Pipeline der Woche\n\nDeal Name;Amount;Close Date;Stage\n"
      const GERMAN = `${HEADER}Erster;1.234,50;31.03.2026;Kickoff\n`

      it.effect("makes a plan that decides how the next file is read", () =>
        Effect.gen(function* () {
          const { key } = yield* (yield* Web).tenant()
          const plan = yield* planOf(key, "type=deal&stage=Kickoff%3Dwon&encoding=windows-1252", GERMAN)
          // Alone, these rows have two readings, another delimiter, and a header further up.
          const rows = "Name, zweiter\nZweiter;1.250;04.03.2026;Kickoff\n"
          const next = new Uint8Array(Buffer.from(`${HEADER}${rows}M\u00fcller;"2,5";05.03.2026;Kickoff\n`, "latin1"))
          const { json } = yield* post(key, `plan_id=${plan}`, next, "text/csv; charset=utf-8")
          assert.deepInclude(json, { received: 2, created: 2, failed: 0, not_rows: 1, plan_id: plan })
          assert.deepInclude(json.assumptions, { encoding: "windows-1252", delimiter: ";", header_line: 3 })
          assert.deepInclude(json.assumptions, { decimal: { amount: "," }, date_order: { close_date: "DMY" } })
          assert.deepStrictEqual(json.assumptions.stages, [{ name: "Kickoff", category: "won", by: "option" }])
          const stored = (yield* deals(key)) as ReadonlyArray<{ name: string; amount: number; close_date: string }>
          assert.sameDeepMembers(
            stored.map(({ name, amount, close_date }) => [name, amount, close_date.slice(0, 10)]),
            [
              ["Zweiter", 1250, "2026-03-04"],
              ["M\u00fcller", 2.5, "2026-03-05"],
            ],
          )
        }),
      )

      it.effect("keeps the warnings of its plan", () =>
        Effect.gen(function* () {
          const { key } = yield* (yield* Web).tenant()
          const file = "Deal Name;Unheard\nOne;x\n"
          const { json } = yield* post(key, "type=deal&dry_run=true", file)
          assert.deepStrictEqual(
            json.warnings.map(({ code }: { code: string }) => code),
            ["column_unmapped"],
          )
          const after = (yield* post(key, `plan_id=${json.plan_id}`, file)).json
          assert.deepStrictEqual(after.warnings, json.warnings)
        }),
      )

      it.effect("makes a plan that only the same header, in the same workspace, can be imported by", () =>
        Effect.gen(function* () {
          const web = yield* Web
          const [{ org, key }, other] = [yield* web.tenant(), yield* web.tenant()]
          yield* (yield* Import).records(org, Stream.fromIterable([{ type: "stage", id: "s1", name: "Kickoff" }]))
          const plan = yield* planOf(key, "type=deal", GERMAN)
          const refused = Effect.fnUntraced(function* (query: string, body = GERMAN, of = key) {
            const { status, json } = yield* post(of, query, body)
            return [status, json.error?.message, json.error?.details] as const
          })
          const [status, message, details] = yield* refused(`plan_id=${plan}`, GERMAN.replace("Stage", "Phase"))
          assert.strictEqual(status, 409)
          assert.include(message, "line 3 lacks 'Stage' and adds 'Phase'")
          assert.deepStrictEqual(details, { line: 3, missing: ["Stage"], added: ["Phase"] })
          assert.match((yield* refused(`plan_id=${plan}`, GERMAN.replace(HEADER, "")))[1], /no row begins in line 3/)
          assert.match((yield* refused(`plan_id=${plan}`, '{"name":"x"}\n'))[1], /kind csv, and this one is ndjson/)
          for (const given of [
            "map=a%3Dname",
            "dates=DMY",
            "decimal=.",
            "rates=EUR:2",
            "stage=a%3Dwon",
            "create=all",
            "encoding=utf-8",
            "sheet=1",
          ]) {
            const [status, , details] = yield* refused(`plan_id=${plan}&${given}`)
            assert.deepStrictEqual([status, details.invalid_fields[0].field], [400, given.split("=")[0]])
          }
          assert.strictEqual((yield* refused(`plan_id=${plan}&type=client`))[0], 400)
          for (const [id, of] of [
            ["pln_unknown", key],
            [plan, other.key],
          ] as const) {
            assert.strictEqual((yield* refused(`plan_id=${id}`, GERMAN, of))[0], 404)
          }
          yield* (yield* Import).records(org, Stream.fromIterable([{ type: "stage", id: "s1", name: "Start" }]))
          const [gone, why] = yield* refused(`plan_id=${plan}`)
          assert.strictEqual(gone, 409)
          assert.include(why, "the stage 'Kickoff' (s1) is gone, or has another name")
          const { sql, transaction } = yield* Database
          yield* transaction(org, sql`update import_plans set created_at = now() - interval '61 minutes'`)
          assert.strictEqual((yield* refused(`plan_id=${plan}`))[0], 404)
          assert.deepStrictEqual(yield* deals(key), [])
        }),
      )

      it.effect("keeps the newest 50 plans of an organization", () =>
        Effect.gen(function* () {
          const { org, key } = yield* (yield* Web).tenant()
          const { sql, transaction } = yield* Database
          yield* transaction(
            org,
            sql`insert into import_plans (org_id, id, body, created_at)
              select ${org}, 'p' || n, '{}', now() - n * interval '1 second' from generate_series(1, 50) n`,
          )
          const plan = yield* planOf(key, "type=deal", GERMAN)
          const kept = yield* transaction(
            org,
            sql<{ id: string }>`select id from import_plans where org_id = ${org} order by created_at desc`,
          )
          assert.deepStrictEqual(
            kept.map(({ id }) => id),
            [plan, ...Array.from({ length: 49 }, (_, n) => `p${n + 1}`)],
          )
        }),
      )
    })
  })
}
