import { assert, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { Import } from "../../src/core/import/Import.ts"
import { engines } from "../support/engines.ts"
import {
  counted,
  counts,
  csv,
  deal,
  newOrganization,
  ndjson,
  pieces,
  rows,
  services,
  staleJson,
} from "../catalogue/support.ts"

const utf16 = (text: string, littleEndian: boolean, mark: boolean) => {
  const units = (mark ? "\ufeff" : "") + text
  const view = new DataView(new ArrayBuffer(units.length * 2))
  for (let at = 0; at < units.length; at++) view.setUint16(at * 2, units.charCodeAt(at), littleEndian)
  return new Uint8Array(view.buffer)
}
const latin = (text: string) =>
  Uint8Array.from(text, (character) => (character === "€" ? 0x80 : character.charCodeAt(0)))
const utf8 = (text: string) => new TextEncoder().encode(text)

const OWNERS = "name;email\r\nZoë Müller €;zoe@example.com\r\nŠimon?;\r\n".replace("Š", "S")

const ENCODINGS: ReadonlyArray<readonly [string, Uint8Array]> = [
  ["UTF-8", utf8(OWNERS)],
  ["UTF-8 with its mark", utf8(`\ufeff${OWNERS}`)],
  ["UTF-16LE with its mark", utf16(OWNERS, true, true)],
  ["UTF-16BE with its mark", utf16(OWNERS, false, true)],
  ["UTF-16LE", utf16(OWNERS, true, false)],
  ["UTF-16BE", utf16(OWNERS, false, false)],
  ["Windows-1252", latin(OWNERS)],
]

for (const engine of engines) {
  describe(`CSV on ${engine.name}`, () => {
    layer(services(engine), { excludeTestServices: true })((it) => {
      for (const [name, bytes] of ENCODINGS) {
        it.effect(`reads ${name} in chunks of any size`, () =>
          Effect.gen(function* () {
            for (const size of [1, 7, 100_000]) {
              const org = yield* newOrganization
              const report = yield* (yield* Import).run(org, {
                format: "csv",
                type: "owner",
                bytes: pieces(bytes, size),
              })
              assert.deepStrictEqual(counts(report), counted(2, { created: 2 }))
              assert.deepStrictEqual(
                (yield* rows<{ name: string; email: string | null }>(org, "owners", 'name collate "C"')).map(
                  ({ name, email }) => [name, email],
                ),
                [
                  ["Simon?", null],
                  ["Zoë Müller €", "zoe@example.com"],
                ],
              )
            }
          }),
        )
      }

      it.effect("reads the cells of a deal", () =>
        Effect.gen(function* () {
          const org = yield* newOrganization
          yield* ndjson(org, [
            { type: "crm_property", crm: "crm_one", object: "deal", id: "renewal", data_type: "date" },
            { type: "crm_property", crm: "crm_one", object: "deal", id: "seats", data_type: "number" },
          ])
          const text = [
            "id,name,amount,close_date,created_at,deal_analyzed,collaborators,product_labels,competitors,scorecard,crm_properties.renewal,crm_properties.seats,scorecard.relationship.score,custom_answers.Why us?",
            `d1,"Acme, Inc.
""big""","$1,234.50",31/03/2026,01.02.26 14:05,yes,Ann; Bo,"[""A;B"",""C""]",Rival;Kappa,"{""product_fit"":{""score"":3}}",05/04/2026,12,4.5,Speed`,
            "d2,Second,12.50,2026-03-31,,no,,,,,,,,",
            "",
            'd3,"Third","(1 000)",,,0,,,,,,,,',
          ].join("\n")
          const report = yield* csv(org, text, { type: "deal", dates: "DMY" })
          assert.deepStrictEqual(counts(report), counted(3, { created: 3 }))
          const columns = ["*", "crm_renewal", "crm_seats", "custom_answer_whyus?"]
          const one = yield* deal(org, "d1", columns)
          assert.strictEqual(one.name, 'Acme, Inc.\n"big"')
          assert.deepStrictEqual(
            [one.amount, one.close_date, one.created_at, one.deal_analyzed, one.product_labels],
            [1234.5, "2026-03-31", "2026-02-01T14:05:00.000Z", true, ["A;B", "C"]],
          )
          assert.deepStrictEqual(
            one.collaborators.map((each: any) => each.name),
            ["Ann", "Bo"],
          )
          assert.deepStrictEqual(
            one.competitors.map((each: any) => each.name),
            ["Kappa", "Rival"],
          )
          assert.deepStrictEqual([one.scorecard.product_fit.score, one.scorecard.relationship.score], [3, 4.5])
          assert.deepStrictEqual(
            columns.slice(1).map((column) => one[column]),
            ["2026-04-05", 12, "Speed"],
          )
          assert.strictEqual((yield* deal(org, "d2")).amount, 12.5)
          assert.strictEqual((yield* deal(org, "d3")).amount, -1000)
          const again = yield* csv(org, text, { type: "deal", dates: "DMY" })
          assert.deepStrictEqual(counts(again), counted(3, { unchanged: 3 }))
        }),
      )

      it.effect("reports the line on which a bad row begins", () =>
        Effect.gen(function* () {
          const org = yield* newOrganization
          const text = [
            "name,close_date,amount", // 1
            '"Two\r\nlines",2026-01-01,1', // 2, 3
            "Bad date,13/13/2026,1", // 4
            "Bad amount,2026-01-01,lots", // 5
            "", // 6
            "Too many,2026-01-01,1,2", // 7
            'Quote,2026-01-01,"1" 2', // 8
            "Last,2026-01-01,3", // 9
            'Open,"2026-01-01,3', // 10
            "After,2026-01-01,4", // 11
          ].join("\r\n")
          const report = yield* csv(org, text, { type: "deal", dates: "DMY" })
          assert.deepStrictEqual(
            report.errors.map(({ line, field }) => `${line} ${field}`),
            ["4 close_date", "5 amount", "7 record", "8 record", "10 record"],
          )
          assert.deepStrictEqual(
            (yield* rows<{ name: string }>(org, "deals", "name")).map(({ name }) => name),
            ["After", "Last", "Two\nlines"],
          )
        }),
      )

      it.effect("refuses an unknown header and suggests the right one", () =>
        Effect.gen(function* () {
          const org = yield* newOrganization
          const refused = (text: string, options: Parameters<typeof csv>[2]) =>
            Effect.map(Effect.flip(csv(org, text, options)), (error) => (error as { message: string }).message)
          assert.match(yield* refused("Gadget,size\nX,1", { type: "deal" }), /line 1 reads 'Gadget, size'/)
          assert.match(yield* refused("a,b\nX,1", { type: "deal", map: { c: "name" } }), /'c' is not one/)
          assert.match(yield* refused("a,b\nX,1", { type: "deal", map: { a: "title" } }), /'title' is not one/)
          assert.match(yield* refused("", { type: "deal" }), /The file is empty/)
          assert.match(yield* refused("name\n", { type: "deal" }), /has a header row and no rows below it/)
          assert.match(yield* refused("name\nX", {}), /must name the type of the rows: .*competitor, .*deal/)
        }),
      )

      it.effect("maps one header to several fields and several headers to one", () =>
        Effect.gen(function* () {
          const org = yield* newOrganization
          const text = "Opportunity ID\tAccount\tProduct\tignored\tregion\n1\tAcme\tPro\tx\tEMEA\n2\t\tPro\tx\t\n"
          const map = {
            "opportunity id": "crm_one_id",
            Account: "client",
            Product: ["product_labels"],
            "account+product": "name",
          }
          const report = yield* csv(org, text, { type: "deal", map })
          assert.deepStrictEqual(counts(report), counted(2, { created: 2 }))
          assert.deepStrictEqual(
            (yield* rows<any>(org, "deals", "crm_one_id")).map(({ crm_one_id, name, region }) => [
              crm_one_id,
              name,
              region,
            ]),
            [
              ["1", "Acme - Pro", "EMEA"],
              ["2", "Pro", null],
            ],
          )
          assert.deepStrictEqual(yield* staleJson(org), [])
        }),
      )
    })
  })
}
