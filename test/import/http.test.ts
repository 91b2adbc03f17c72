import { gzipSync } from "node:zlib"
import { assert, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { engines } from "../support/engines.ts"
import { untilEffect } from "../support/until.ts"
import { sheetOf, xlsx } from "../ingest/support/office.ts"
import { layerWeb, Web } from "../support/web.ts"

/** A form as bytes: Node's own stream of one fails if it is not read to its end. */
const encode = (form: FormData) =>
  Effect.promise(async () => {
    const whole = new Response(form)
    return { "content-type": whole.headers.get("content-type")!, body: await whole.arrayBuffer() }
  })

const postForm = (key: string, query: string, form: FormData) =>
  Effect.flatMap(encode(form), ({ body, ...headers }) => postAny(key, query, headers, body))

const postAny = (key: string, query: string, headers: Record<string, string>, body: BodyInit) =>
  Effect.flatMap(Web, (web) =>
    web.request(`/api/v1/import${query}`, key, { method: "POST", headers, body, ...({ duplex: "half" } as object) }),
  )

const post = (key: string, query: string, contentType: string, body: BodyInit, headers: Record<string, string> = {}) =>
  postAny(key, query, { "content-type": contentType, ...headers }, body)

const NDJSON = "application/x-ndjson"

for (const engine of engines) {
  describe(`POST /import on ${engine.name}`, () => {
    layer(layerWeb(engine.database), { excludeTestServices: true })((it) => {
      it.effect("imports good rows and answers 200 with the errors of the bad ones", () =>
        Effect.gen(function* () {
          const web = yield* Web
          const { key } = yield* web.tenant({ role: "admin" })
          const body = '{"type":"deal","id":"d1","name":"One","status":"Won"}\n{"type":"deal"}\n'
          const reply = yield* post(key, "", `${NDJSON}; charset=utf-8`, body)
          assert.strictEqual(reply.status, 200, reply.text)
          const { import_id, ...json } = reply.json
          assert.match(import_id, /^imp_/)
          assert.deepStrictEqual(json, {
            undo: true,
            received: 2,
            created: 1,
            updated: 0,
            unchanged: 0,
            deleted: 0,
            failed: 1,
            errors: [{ line: 2, field: "name", reason: "must be given for a new deal" }],
            not_rows: 0,
            assumptions: {
              container: "ndjson",
              encoding: "utf-8",
              stages: [{ name: "Won", category: "won", by: "words" }],
            },
            warnings: [],
            created_names: { stage: 1 },
          })
          const listed = yield* web.request("/api/v1/deals?columns=name,deal_status", key)
          assert.deepStrictEqual(listed.json, [{ id: "d1", name: "One", deal_status: "Won" }])
        }),
      )

      it.effect("accepts CSV with a type, a map and a date format", () =>
        Effect.gen(function* () {
          const { key } = yield* (yield* Web).tenant()
          const map = encodeURIComponent("Opp=crm_one_id,Title=name,Closes=close_date")
          const reply = yield* post(
            key,
            `?type=deal&dates=MDY&map=${map}`,
            "text/csv",
            "Opp,Title,Closes\n1,A,3/31/2026\n",
          )
          assert.strictEqual(reply.json.created, 1, reply.text)
          const listed = yield* (yield* Web).request("/api/v1/deals?columns=close_date", key)
          assert.strictEqual(listed.json[0].close_date, "2026-03-31")
        }),
      )

      it.effect("refuses unreadable bodies, other content types and other roles", () =>
        Effect.gen(function* () {
          const web = yield* Web
          const { key } = yield* web.tenant()
          const member = yield* web.tenant({ role: "member" })
          const status = (reply: Effect.Success<ReturnType<typeof post>>) => [reply.status, reply.json.error.code]
          assert.deepStrictEqual(status(yield* post(key, "", NDJSON, "\n\n")), [400, "bad_request"])
          assert.deepStrictEqual(status(yield* post(key, "", NDJSON, "name,amount\nA,1\n")), [400, "bad_request"])
          assert.deepStrictEqual(status(yield* post(key, "", "text/csv", "name\nA\n")), [400, "bad_request"])
          assert.deepStrictEqual(status(yield* post(key, "?type=deals", "text/csv", "name\nA\n")), [400, "bad_request"])
          const mapped = yield* post(key, "?map=nonsense&type=deal", "text/csv", "name\nA\n")
          assert.deepStrictEqual(status(mapped), [400, "bad_request"])
          const picture = yield* post(key, "", "image/png", "name\nA\n")
          assert.deepStrictEqual(status(picture), [415, "unsupported_media_type"])
          assert.match(picture.json.error.message, /text\/csv, .*multipart\/form-data/)
          const ods = yield* post(key, "", "application/vnd.oasis.opendocument.spreadsheet", "PK")
          assert.match(ods.text, /"unsupported.*OpenDocument spreadsheet \(ODS\): save it as XLSX or CSV/)
          const encoded = yield* post(key, "?type=owner", "text/csv", "name\nA\n", { "content-encoding": "br" })
          assert.match(encoded.json.error.message, /Content-Encoding must be gzip, not br/)
          const refused = yield* post(member.key, "", NDJSON, '{"type":"owner","name":"A"}')
          assert.deepStrictEqual(status(refused), [403, "forbidden"])
          assert.match(refused.json.error.message, /role 'member' cannot import records/)
        }),
      )

      it.effect("names formulas without a value, and refuses only rows in which they fill a field", () =>
        Effect.gen(function* () {
          const { key } = yield* (yield* Web).tenant()
          const text = (cell: string, value: string) => `<c r="${cell}" t="inlineStr"><is><t>${value}</t></is></c>`
          const rows = [
            text("A1", "Deal Name") + text("B1", "Amount") + text("C1", "Our rank"),
            `${text("A2", "One")}<c r="B2"><v>4</v></c><c r="C2"><f>RANK(B2,B:B)</f></c>`,
            `${text("A3", "Two")}<c r="B3"><f>B2*2</f></c>`,
            `${text("A4", "Total")}<c r="B4"><f>SUM(B2:B3)</f></c>`,
          ].map((cells, at) => `<row r="${at + 1}">${cells}</row>`)
          const workbook = xlsx([{ name: "Deals", xml: sheetOf(rows.join("")) }]).slice()
          const { json } = yield* postAny(key, "?type=deal&dry_run=true", { "content-type": "text/csv" }, workbook)
          assert.deepStrictEqual([json.created, json.failed, json.not_rows], [1, 1, 1])
          assert.deepStrictEqual(json.errors, [
            {
              line: 3,
              field: "amount",
              reason: "has a formula without a value in B3: open the file in a spreadsheet, save it, and send it again",
            },
          ])
          const found = json.warnings.find(({ code }: { readonly code: string }) => code === "formulas_not_calculated")
          assert.deepStrictEqual(
            [found.lines, found.examples],
            [
              [2, 3, 4],
              ["Deals!C2", "Deals!B3", "Deals!B4"],
            ],
          )
        }),
      )

      it.effect("leaves struck-out rows and text of a workbook out, and names them", () =>
        Effect.gen(function* () {
          const { key } = yield* (yield* Web).tenant()
          const text = (value: string, style = 0) => `<c s="${style}" t="inlineStr"><is><t>${value}</t></is></c>`
          const rows = [
            text("Deal Name") + text("Amount") + text("Close Date"),
            text("One") + '<c><v>4</v></c><c s="1"><v>46112</v></c>',
            text("Two", 1) + text("7", 1) + text("2026-03-31", 1),
            text("Three", 1) + "<c><v>9</v></c>" + text("2026-03-31"),
            '<c t="s"><v>0</v></c><c><v>5</v></c>' + text("2026-03-31"),
            text("Total") + "<c><v>9</v></c>",
          ].map((cells, at) => `<row r="${at + 1}">${cells}</row>`)
          const styles =
            '<styleSheet><fonts><font/><font><strike/></font></fonts><cellXfs><xf fontId="0"/><xf fontId="1" numFmtId="14"/></cellXfs></styleSheet>'
          const strings = "<sst><si><r><rPr><strike/></rPr><t>Old</t></r><r><t>New</t></r></si></sst>"
          const workbook = xlsx([{ name: "Deals", xml: sheetOf(rows.join("")) }], { styles, strings }).slice()
          const { json } = yield* postAny(key, "?type=deal&dry_run=true", { "content-type": "text/csv" }, workbook)
          assert.deepStrictEqual([json.created, json.failed, json.not_rows], [2, 0, 3])
          assert.deepStrictEqual(
            json.examples.map(({ after }: any) => [after.name, after.amount, after.close_date ?? undefined]),
            [
              ["One", 4, undefined],
              ["New", 5, "2026-03-31"],
            ],
          )
          const found = json.warnings.filter(({ code }: { readonly code: string }) => code === "struck_skipped")
          assert.deepStrictEqual(
            found.map(({ lines, examples }: any) => [lines, examples]),
            [
              [
                [2, 5],
                ["2026-03-31", "Old"],
              ],
              [
                [3, 4],
                ["Two, 7, 2026-03-31", "Three"],
              ],
            ],
          )
        }),
      )

      it.effect("reads quarters by the fiscal year of the workspace, and no more by a plan of another", () =>
        Effect.gen(function* () {
          const web = yield* Web
          const { key } = yield* web.tenant({ role: "admin" })
          const set = (fiscal_start: number) =>
            web.request("/api/v1/workspace", key, {
              method: "PUT",
              headers: { "content-type": "application/json" },
              body: JSON.stringify({ fiscal_start }),
            })
          yield* set(10)
          const csv = "Deal Name,Close Date\nOne,Q3 FY25\n"
          const { json } = yield* post(key, "?type=deal&dry_run=true", "text/csv", csv)
          assert.strictEqual(json.examples[0].after.close_date, "2025-06-30")
          assert.match(json.warnings[0].message, /'Q3 FY25' is read as 2025-06-30.* month 10, by .*'fiscal_start'/)
          yield* set(4)
          const late = yield* post(key, `?type=deal&plan_id=${json.plan_id}`, "text/csv", csv)
          assert.strictEqual(late.status, 409, late.text)
          assert.include(late.text, "its fiscal year begins with month 4, not 10")
        }),
      )

      it.effect("names only new deals of a file that has ids, clients and stages, and no names", () =>
        Effect.gen(function* () {
          const web = yield* Web
          const { key } = yield* web.tenant({ role: "admin" })
          const known = '{"type":"deal","crm_two_id":"oppo_a1","name":"Renewal","status":"Demo","client":"Acme"}'
          yield* post(key, "", NDJSON, known)
          const csv = [
            "id,lead_id,lead_name,status_label,status_type,value,value_formatted,value_currency,date_won",
            'oppo_a1,lead_1,Acme,Demo,active,500000,"$5,000",USD,',
            'oppo_a2,lead_1,Acme,Demo,active,100000,"$1,000",USD,',
            'oppo_a3,lead_2,Bolt,Won,won,200000,"$2,000",USD,2026-03-01',
            'oppo_a3,lead_2,Bolt,Won,won,200000,"$2,000",USD,2026-03-01',
          ].join("\n")
          const { json } = yield* post(key, "?type=deal", "text/csv", csv)
          assert.deepStrictEqual([json.created, json.updated, json.failed], [2, 1, 0], JSON.stringify(json.errors))
          const found = json.warnings.find(({ code }: { readonly code: string }) => code === "deal_named")
          assert.deepStrictEqual([found.count, found.examples], [2, ["Acme", "Bolt, 2026-03-01"]])
          const { json: deals } = yield* web.request("/api/v1/deals?columns=name,amount", key)
          assert.deepStrictEqual(deals.map(({ name, amount }: any) => [name, amount]).toSorted(), [
            ["Acme", 1000],
            ["Bolt, 2026-03-01", 2000],
            ["Renewal", 5000],
          ])
          const again = yield* post(key, "?type=deal", "text/csv", csv)
          assert.deepStrictEqual([again.json.created, again.json.unchanged], [0, 4])
        }),
      )

      it.effect("reads the table of the records on a page, behind one of keys and values", () =>
        Effect.gen(function* () {
          const { key } = yield* (yield* Web).tenant()
          const above = "<table><tr><td>Report<td>Open deals<tr><td>Owner<td>Ann</table>"
          const deals = "<table><tr><th>Deal Name<th>Amount<tr><td>Roof<td>7<tr><td>Wall<td>8</table>"
          for (const page of [`${above}${deals}`, `${deals}${above}`]) {
            const { json } = yield* post(key, "?type=deal&dry_run=true", "text/html", `<html>${page}</html>`)
            assert.deepStrictEqual([json.created, json.examples?.[0]?.after?.name], [2, "Roof"], page)
          }
        }),
      )

      it.effect("judges a file by its bytes, whatever its type says, compressed or in a form", () =>
        Effect.gen(function* () {
          const { key } = yield* (yield* Web).tenant()
          const sheet =
            '<row r="1"><c t="inlineStr"><is><t>name</t></is></c></row><row r="2"><c t="inlineStr"><is><t>Ann</t></is></c></row>'
          const workbook = xlsx([{ name: "Owners", xml: sheetOf(sheet) }]).slice()
          const form = new FormData()
          form.append("file", new Blob([workbook]), "owners.xlsx")
          const bodies: ReadonlyArray<readonly [string, BodyInit, Record<string, string>?]> = [
            ["application/vnd.ms-excel", workbook],
            ["text/csv", workbook],
            ["application/octet-stream", "<html><table><tr><th>name<th>email<tr><td>Ann<td>"],
            ["application/gzip", gzipSync("name\nAnn\n")],
            ["text/csv", gzipSync("name\nAnn\n"), { "content-encoding": "gzip" }],
            ["text/plain; charset=windows-1252", "name\nAnn\n"],
            ["application/json", '[{"type":"owner","name":"Ann"}]'],
          ]
          for (const [type, body, headers] of bodies) {
            const reply = yield* postAny(key, "?type=owner", { "content-type": type, ...headers }, body)
            assert.deepStrictEqual([reply.status, reply.json.received, reply.json.failed], [200, 1, 0], reply.text)
          }
          const reply = yield* postForm(key, "?type=owner", form)
          assert.deepStrictEqual([reply.status, reply.json.received, reply.json.failed], [200, 1, 0], reply.text)
          const twice = new FormData()
          twice.append("file", new Blob(["name\nA"]))
          twice.append("file", new Blob(["name\nB"]))
          const refused = yield* postForm(key, "?type=owner", twice)
          assert.match(refused.json.error.message, /must be one file/)
          const fields = new FormData()
          fields.append("type", "owner")
          assert.match((yield* postForm(key, "", fields)).json.error.message, /type must be a parameter of the query/)
        }),
      )

      it.effect("replays the reply for an Idempotency-Key", () =>
        Effect.gen(function* () {
          const { key } = yield* (yield* Web).tenant()
          const body = '{"type":"owner","name":"A"}\n'
          const first = yield* post(key, "", NDJSON, body, { "idempotency-key": "k1" })
          const second = yield* post(key, "", NDJSON, body, { "idempotency-key": "k1" })
          assert.strictEqual(first.json.created, 1)
          assert.strictEqual(second.text, first.text)
          assert.strictEqual(second.headers.get("idempotent-replayed"), "true")
        }),
      )

      it.effect("stores the first records while the body is still being sent", () =>
        Effect.gen(function* () {
          const web = yield* Web
          const { key } = yield* web.tenant()
          const lines = (part: number) =>
            new TextEncoder().encode(
              Array.from({ length: 1000 }, (_, n) => `{"type":"owner","name":"${part} ${n}"}\n`).join(""),
            )
          const owners = Effect.map(web.request("/api/v1/workspace", key), ({ json }) => json.owners.data.length)
          const stored = untilEffect(
            "the first records are stored",
            Effect.map(owners, (count) => count > 0),
          )
          let part = 0
          const body = new ReadableStream<Uint8Array>({
            pull: async (controller) => {
              if (part === 3) await Effect.runPromise(stored)
              if (part < 4) controller.enqueue(lines(part++))
              else controller.close()
            },
          })
          const reply = yield* post(key, "", NDJSON, body)
          assert.strictEqual(reply.json.created, 4000, reply.text.slice(0, 200))
        }),
      )
    })
  })
}
