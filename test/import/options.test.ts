import { assert, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { engines } from "../support/engines.ts"
import { rows } from "../catalogue/support.ts"
import { layerWeb, Web } from "../support/web.ts"

const FILE = [
  "Opportunity ID,Deal name,Amount,Forecast Category,Pläne?,Plane,Seats,Kick-off,Signed,Ticket No,Odd",
  "a1,First,10,Commit,x,y,1200,31.12.2025,yes,17,1",
  "a2,Second,20,Best Case,,z,15,01.02.2026,no,18,two",
  "a3,Third,35,N/A,x,,,,,19,3",
].join("\n")

for (const engine of engines.slice(0, 1)) {
  describe(`options of an import on ${engine.name}`, () => {
    layer(layerWeb(engine.database), { excludeTestServices: true })((it) => {
      const post = Effect.fnUntraced(function* (key: string, query: string, body: string) {
        const init = { method: "POST", body, headers: { "content-type": "text/csv" } }
        return yield* (yield* Web).request(`/api/v1/import?type=deal&${query}`, key, init)
      })
      const deals = Effect.fnUntraced(function* (key: string, columns: string) {
        const { json } = yield* (yield* Web).request(`/api/v1/deals?columns=${columns}&sort=name`, key)
        return (json as ReadonlyArray<any>).toSorted((a, b) => (a.name < b.name ? -1 : 1))
      })

      it.effect("refuses options of tables for records, on which they have no effect", () =>
        Effect.gen(function* () {
          const web = yield* Web
          const { key } = yield* web.tenant()
          const query = "map=a%3Dname&decimal=.&rates=EUR:2&empty=keep&keep_unmapped=crm_one&dates=DMY"
          const files = [
            ["application/x-ndjson", '{"type":"owner","name":"Ada"}\n', "ndjson"],
            ["application/json", '[{"type":"owner","name":"Ada"}]', "json"],
          ] as const
          for (const [type, body, container] of files) {
            const init = { method: "POST", body, headers: { "content-type": type } }
            for (const dry of ["", "&dry_run=true"]) {
              const { status, json, text } = yield* web.request(`/api/v1/import?${query}${dry}`, key, init)
              assert.strictEqual(status, 400, text)
              const { invalid_fields } = json.error.details
              assert.deepStrictEqual(
                invalid_fields.map(({ field }: any) => field),
                ["map", "decimal", "rates", "empty", "keep_unmapped"],
              )
              assert.include(invalid_fields[3].reason, `the file has records (${container}), which name their fields`)
            }
          }
          const imported = yield* web.request("/api/v1/import?dates=DMY", key, {
            method: "POST",
            body: files[0][1],
            headers: { "content-type": files[0][0] },
          })
          assert.deepInclude(imported.json, { created: 1 }, imported.text)
        }),
      )

      it.effect(
        "keep_unmapped makes properties of the columns that fill no field, of the type that all cells have",
        () =>
          Effect.gen(function* () {
            const { org, key } = yield* (yield* Web).tenant()
            const first = yield* post(key, "keep_unmapped=crm_two", FILE)
            assert.deepInclude(first.json, { created: 3, failed: 0, errors: [] }, first.text)
            assert.deepStrictEqual(
              first.json.assumptions.properties.map(({ id, data_type, is_new }: any) => [id, data_type, is_new]),
              [
                ["forecast_category", "text", true],
                ["plane", "text", true],
                ["plane_2", "text", true],
                ["seats", "number", true],
                ["kick_off", "date", true],
                ["signed", "boolean", true],
                ["ticket_no", "text", true],
                ["odd", "text", true],
              ],
            )
            assert.deepStrictEqual(
              first.json.warnings.map(({ code }: any) => code),
              ["placeholder_emptied"],
            )
            const stored = yield* rows<any>(org, "crm_properties")
            assert.deepStrictEqual(
              stored.find(({ id }) => id === "plane_2"),
              { org_id: org, crm: "crm_two", object: "deal", id: "plane_2", label: "Plane", data_type: "text" },
            )
            const columns = "name,crm_seats,crm_kick_off,crm_signed,crm_ticket_no,crm_plane,crm_plane_2"
            const [one, , three] = yield* deals(key, columns)
            assert.deepInclude(one, {
              crm_seats: 1200,
              crm_kick_off: "2025-12-31",
              crm_signed: true,
              crm_ticket_no: "17",
              crm_plane: "x",
              crm_plane_2: "y",
            })
            assert.deepInclude(three, { crm_seats: null, crm_plane: "x", crm_plane_2: null })
            const again = yield* post(key, "keep_unmapped=crm_two", FILE)
            assert.deepInclude(again.json, { unchanged: 3, errors: [] }, again.text)
            assert.isFalse(again.json.assumptions.properties.some(({ is_new }: any) => is_new))
          }),
      )

      it.effect("a later cell of another type is left out and reported, and its row is imported", () =>
        Effect.gen(function* () {
          const { key } = yield* (yield* Web).tenant()
          yield* post(key, "keep_unmapped=crm_one", "id,name,Seats\nd1,First,5\n")
          const { json } = yield* post(key, "keep_unmapped=crm_one", "id,name,Seats\nd1,First,6\nd2,Second,many\n")
          assert.deepInclude(json, { created: 1, updated: 1, failed: 0 })
          assert.deepStrictEqual(
            json.errors.map(({ line, field, value }: any) => [line, field, value]),
            [[3, "crm_properties.seats", "many"]],
          )
          assert.deepStrictEqual(
            json.warnings.map(({ code, count, lines }: any) => [code, count, lines]),
            [["cell_left_out", 1, [3]]],
          )
          assert.deepStrictEqual(
            (yield* deals(key, "name,crm_seats")).map((deal) => deal.crm_seats),
            [6, null],
          )
        }),
      )

      it.effect("registers at most 300 new properties, and says which columns are not imported", () =>
        Effect.gen(function* () {
          const { key } = yield* (yield* Web).tenant()
          const wide = Array.from({ length: 310 }, (_, n) => `Extra ${n}`)
          const { json } = yield* post(key, "keep_unmapped=crm_one", `name,${wide.join(",")}\nA${",1".repeat(310)}\n`)
          assert.strictEqual(json.assumptions.properties.length, 300)
          assert.deepStrictEqual(
            json.warnings.map(({ code, count }: any) => [code, count]),
            [["column_unmapped", 10]],
          )
        }),
      )

      it.effect("keep_unmapped of another type is a 400", () =>
        Effect.gen(function* () {
          const { key } = yield* (yield* Web).tenant()
          const { status, text } = yield* (yield* Web).request("/api/v1/import?type=owner&keep_unmapped=crm_one", key, {
            method: "POST",
            body: "name,Team\nAnna,East\n",
            headers: { "content-type": "text/csv" },
          })
          assert.strictEqual(status, 400)
          assert.match(text, /keep_unmapped keeps columns of deals/)
        }),
      )

      it.effect("empty=clear clears the fields of empty cells, and the default leaves them", () =>
        Effect.gen(function* () {
          const { key } = yield* (yield* Web).tenant()
          const header = "id,name,amount,region,owner,competitors,close_date,scorecard.product_fit.score,Notes"
          yield* post(key, "keep_unmapped=crm_one", `${header}\nd1,First,10,EMEA,Anna,Rival,2026-03-31,4,note\n`)
          const columns = "name,amount,region,owner_name,competitors,close_date,wl_product_fit_score,crm_notes"
          const before = yield* deals(key, columns)
          const empty = `${header}\nd1,First,N/A,,--None--,-,,,\n`
          const kept = yield* post(key, "keep_unmapped=crm_one", empty)
          assert.deepInclude(kept.json, { unchanged: 1, failed: 0 }, kept.text)
          assert.deepStrictEqual(yield* deals(key, columns), before)
          const cleared = yield* post(key, "keep_unmapped=crm_one&empty=clear", empty)
          assert.deepInclude(cleared.json, { updated: 1, failed: 0 }, cleared.text)
          const [after] = yield* deals(key, columns)
          assert.deepInclude(after, {
            name: "First",
            amount: null,
            region: null,
            owner_name: null,
            competitors: [],
            close_date: null,
            wl_product_fit_score: null,
          })
          assert.strictEqual((yield* post(key, "empty=clear", empty)).json.unchanged, 1)
        }),
      )

      it.effect("warns of a new stage that differs by a letter, not of one that has more words", () =>
        Effect.gen(function* () {
          const { key } = yield* (yield* Web).tenant()
          yield* post(key, "", "id,name,stage\nd1,A,Won\nd2,B,Negotiation\nd3,C,Stage 1\n")
          const { json } = yield* post(
            key,
            "",
            "id,name,stage\nd4,D,Closed Won\nd5,E,Negotiations\nd6,F,Stage 2\nd7,G,Not Won\n",
          )
          const alike = json.warnings.filter(({ code }: any) => code === "new_name_like_existing")
          assert.deepStrictEqual(
            alike.map(({ count, examples }: any) => [count, examples]),
            [[1, ["Negotiations"]]],
          )
        }),
      )

      it.effect("says that `stage` leaves the category of a stage that exists", () =>
        Effect.gen(function* () {
          const { key } = yield* (yield* Web).tenant()
          const file = "id,name,stage\nd1,A,Frozen\nd2,B,Signed\n"
          const first = yield* post(key, "stage=Frozen=lost,Signed=won", file)
          assert.deepStrictEqual(first.json.warnings, [])
          const { json } = yield* post(key, "stage=frozen=won,Signed=won", file)
          assert.deepInclude(json, { unchanged: 2 })
          assert.deepStrictEqual(
            json.warnings.map(({ code, count, examples }: any) => [code, count, examples]),
            [["stage_kept", 1, ["Frozen"]]],
          )
          assert.match(json.warnings[0].message, /exists and stays lost/)
        }),
      )

      it.effect("rows in an unclear encoding, after rows that are written, fail and all others are imported", () =>
        Effect.gen(function* () {
          const { key } = yield* (yield* Web).tenant()
          const koi8 = Uint8Array.of(0xf3, 0xc2, 0xc5, 0xd2, 0xc2, 0xc1, 0xce, 0xcb)
          const plain = Array.from({ length: 12_100 }, (_, n) => `o${n},Owner ${n}, of the first region\n`).join("")
          const file = (before: string, after: string) =>
            new Blob([`id,name,region\n${before}r1,`, koi8, `,x\n${after}`]).arrayBuffer()
          const send = Effect.fnUntraced(function* (bytes: ArrayBuffer, query = "") {
            return yield* (yield* Web).request(`/api/v1/import?type=owner${query}`, key, {
              method: "POST",
              body: bytes,
              headers: { "content-type": "text/csv" },
            })
          })
          const early = yield* send(yield* Effect.promise(() => file("a,Anna,x\n", "")))
          assert.strictEqual(early.status, 400)
          const late = yield* Effect.promise(() => file(plain, "z,Zoe,x\n"))
          const { json, text } = yield* send(late)
          assert.deepInclude(json, { received: 12_102, created: 12_101, failed: 1 }, text.slice(0, 1000))
          assert.deepStrictEqual([json.errors[0].line, json.errors[0].field], [12_102, "record"])
          assert.match(json.errors[0].reason, /reads .*'r1,Сбербанк,x' with encoding=koi8-r/)
          const named = yield* send(late, "&encoding=koi8-r")
          assert.deepInclude(named.json, { created: 1, unchanged: 12_101, failed: 0 })
        }),
      )
    })
  })
}
