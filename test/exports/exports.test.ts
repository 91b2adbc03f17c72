import { assert, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { COLUMN_NAMES, COLUMNS, kindOf } from "../../src/core/deals/columns/columns.ts"
import { guard } from "../../src/core/common/formula.ts"
import { DownloadLinks } from "../../src/core/exports/DownloadLinks.ts"
import { fileKey } from "../../src/core/exports/Exports.ts"
import { sweep } from "../../src/core/exports/sweep.ts"
import { BlobStore } from "../../src/core/ports/BlobStore.ts"
import { Database } from "../../src/core/storage/Database.ts"
import { randomFilters } from "../deals/randomFilters.ts"
import { insertWorkspace, makeWorkspace, type Row } from "../deals/workspace.ts"
import { engines } from "../support/engines.ts"
import { makeRandom, seedOfRun } from "../support/random.ts"
import { layerWeb, Web } from "../support/web.ts"
import { download, waitForExport, EXPORT, runExport, parseCsv, post } from "./support.ts"

const DYNAMIC = [
  "crm_forecast",
  "crm_probability",
  "crm_is_hot",
  'crm_it\'s "quoted" \\ ok',
  "crm_crm_one_account_tier",
  "crm_crm_one_account_employees",
  "custom_metric_score_Champion Strength",
  "custom_metric_explanation_Champion Strength",
  "custom_answer_Why did we win?",
]
const STRUCTURED = new Set<string>(COLUMN_NAMES.filter((name) => kindOf(COLUMNS[name]) === "structured"))

/** The expected cell for a value of GET /deals. */
const cellOf = (column: string, value: unknown): string => {
  if (value === null || value === undefined) return ""
  if (STRUCTURED.has(column)) return JSON.stringify(value)
  if (typeof value === "object") return JSON.stringify(value)
  const text = String(value)
  return typeof value === "string" ? guard(text) : text
}

/** Compares JSON cells as values, because PostgreSQL formats numbers and spaces its own way. */
const isSame = (column: string, cell: string, value: unknown) =>
  cell === cellOf(column, value) ||
  (typeof value === "object" || STRUCTURED.has(column) || typeof value === "number"
    ? JSON.stringify(JSON.parse(cell)) === JSON.stringify(value)
    : false)

for (const engine of engines) {
  describe(`exports on ${engine.name}`, () => {
    layer(layerWeb(engine.database), { excludeTestServices: true })((it) => {
      const tenant = Effect.fnUntraced(function* (size: number) {
        const web = yield* Web
        const { org, key } = yield* web.tenant()
        const database = yield* Database
        yield* database.transaction(
          org,
          database.sql`update api_keys set requests_per_minute = 1000000 where org_id = ${org}`,
        )
        const world = makeWorkspace(makeRandom(5), size, [
          { id: "seg_0", name: "Analyzed", filters: { analyzed: true } },
          { id: "seg_1", name: "EMEA", filters: { region: ["EMEA"] } },
        ])
        yield* insertWorkspace(org, world)
        return { org, key, world }
      })

      /** Resets the organization's request window and export quota. */
      const refill = (org: string) =>
        Effect.flatMap(Database, ({ transaction, sql }) =>
          transaction(org, sql`update organization_usage set minute_used = 0, exports_used = 0 where org_id = ${org}`),
        )

      const listed = Effect.fnUntraced(function* (key: string, columns: ReadonlyArray<string>, filters: object) {
        const web = yield* Web
        const query = new URLSearchParams({ columns: columns.join(","), page_size: "100" })
        for (const [name, value] of Object.entries(filters)) {
          query.set(name, typeof value === "string" ? value : JSON.stringify(value))
        }
        const all: Array<Row> = []
        for (let page = 0; ; page++) {
          query.set("page_index", String(page))
          // A search orders by similarity, an export by time.
          query.set("sort", "created_at")
          const { json, status, text } = yield* web.request(`/api/v1/deals?${query}`, key)
          assert.strictEqual(status, 200, text)
          all.push(...json)
          if (json.length < 100) return all
        }
      })

      it.effect("equal GET /deals cell by cell for the same filters and columns", () =>
        Effect.gen(function* () {
          const { org, key, world } = yield* tenant(250)
          const random = makeRandom(seedOfRun(`exports on ${engine.name}`))
          for (let round = 0; round < 12; round++) {
            yield* refill(org)
            const filters = round === 0 ? {} : randomFilters(random, world.deals, ["segment_ids"])
            const columns =
              round % 3 === 0
                ? ["*", ...DYNAMIC.slice(0, -1)]
                : random.some([...COLUMN_NAMES, ...DYNAMIC, "proposal_due"], 1, 25)
            const names = columns.flatMap((name): ReadonlyArray<string> => (name === "*" ? COLUMN_NAMES : [name]))
            const deals = yield* listed(key, [...columns.filter((name) => name !== "id"), "id"], filters)
            const { text, status } = yield* runExport(
              key,
              random.chance(0.5) ? { columns, filters } : { columns, ...filters },
            )
            const { header, rows } = parseCsv(text)
            assert.deepStrictEqual(header, names)
            assert.strictEqual(rows.length, deals.length)
            assert.deepStrictEqual([status.row_count, status.file_size], [deals.length, Buffer.byteLength(text)])
            deals.forEach((deal, index) =>
              names.forEach((name, column) => {
                const cell = rows[index]?.[column] ?? ""
                const value = deal[name]
                assert.isTrue(
                  isSame(name, cell, value),
                  `${name}: ${JSON.stringify(cell)} for ${JSON.stringify(value)}`,
                )
              }),
            )
          }
        }),
      )

      it.effect("start, report progress and download as the contract says", () =>
        Effect.gen(function* () {
          const { key } = yield* tenant(30)
          const accepted = yield* post(key, { columns: ["name", "amount"], csv_safe: false })
          assert.strictEqual(accepted.status, 202)
          assert.deepStrictEqual(Object.keys(accepted.json), ["export_id", "status"])
          assert.match(accepted.json.export_id, /^exp_/)
          assert.strictEqual(accepted.headers.get("location"), `http://localhost${EXPORT}/${accepted.json.export_id}`)
          assert.strictEqual(accepted.headers.get("retry-after"), "5")
          const status = yield* waitForExport(key, accepted.json.export_id)
          assert.deepStrictEqual(Object.keys(status), FIELDS)
          const { created_at, started_at, completed_at, download_expires_at, record_expires_at } = status
          assert.isTrue(created_at <= started_at && started_at <= completed_at)
          assert.strictEqual(Date.parse(download_expires_at) - Date.parse(completed_at), 7 * DAY)
          assert.strictEqual(Date.parse(record_expires_at) - Date.parse(created_at), 30 * DAY)
          assert.deepStrictEqual([status.progress, status.download_expired, status.error], [1, false, null])

          const whole = yield* download(status.download_url)
          assert.strictEqual(whole.status, 200)
          assert.strictEqual(whole.headers.get("content-type"), "text/csv; charset=utf-8")
          assert.strictEqual(whole.headers.get("content-length"), String(status.file_size))
          assert.strictEqual(whole.headers.get("x-content-type-options"), "nosniff")
          assert.match(
            whole.headers.get("content-disposition") ?? "",
            /^attachment; filename="(deals-[\d-]+\.csv)"; filename\*=UTF-8''\1$/,
          )
          const bytes = Buffer.from(whole.text)
          const etag = whole.headers.get("etag") ?? ""
          for (const [headers, expected, part] of [
            [{ range: "bytes=0-9" }, 206, bytes.subarray(0, 10)],
            [{ range: "bytes=-5" }, 206, bytes.subarray(-5)],
            [{ range: "bytes=20-", "if-range": etag }, 206, bytes.subarray(20)],
            [{ range: "bytes=20-", "if-range": '"another"' }, 200, bytes],
            [{ range: `bytes=${bytes.length}-` }, 416, Buffer.alloc(0)],
          ] as const) {
            const reply = yield* download(status.download_url, { headers })
            assert.strictEqual(reply.status, expected, JSON.stringify(headers))
            assert.strictEqual(reply.text, part.toString())
          }
          const head = yield* download(status.download_url, { method: "HEAD" })
          assert.deepStrictEqual([head.status, head.text], [200, ""])
          assert.strictEqual(head.headers.get("content-length"), String(status.file_size))
        }),
      )

      it.effect("report every problem of a request at once, and drop internal columns", () =>
        Effect.gen(function* () {
          const { key } = yield* tenant(5)
          const fields = ({ json }: { readonly json: any }) =>
            (json.error.details.invalid_fields ?? []).map(({ field }: { field: string }) => field)
          const missing = yield* post(key, {})
          assert.deepStrictEqual([missing.status, missing.json.error.details.missing_fields], [400, ["columns"]])
          const unknown = yield* post(key, { columns: ["name", "nonsense"], colour: 1 })
          assert.strictEqual(unknown.status, 400)
          assert.deepStrictEqual(unknown.json.error.details.unknown_fields, ["colour"])
          assert.include(unknown.json.error.message, "nonsense")
          const dynamic = yield* post(key, { columns: ["crm_nonsense"] })
          assert.strictEqual(dynamic.status, 400)
          assert.include(dynamic.json.error.message, "crm_nonsense")
          const twice = yield* post(key, { columns: ["name"], filters: { region: ["EMEA"] }, analyzed: true })
          assert.deepStrictEqual([twice.status, fields(twice)], [400, ["analyzed"]])
          const both = yield* post(key, { columns: ["name"], filters: {}, region: ["EMEA"] })
          assert.strictEqual(both.status, 400)
          for (const columns of [[], ["fts", "client_id"], "name"]) {
            assert.strictEqual((yield* post(key, { columns })).status, 400, JSON.stringify(columns))
          }
          const older = yield* post(key, { columns: ["name"], analyzed: true, deal_analyzed: ["false"] })
          assert.strictEqual(older.status, 400)
          const { text } = yield* runExport(key, { columns: ["fts", "proposal_due", "client_id", "proposal_due"] })
          assert.strictEqual(text.split("\r\n")[0], "proposal_due")
        }),
      )

      it.effect("refuse other organizations, other roles and forged links", () =>
        Effect.gen(function* () {
          const web = yield* Web
          const { key } = yield* tenant(5)
          const other = yield* web.tenant()
          const member = yield* web.tenant({ role: "member" })
          const refused = yield* post(member.key, { columns: ["name"] })
          assert.strictEqual(refused.status, 403)
          assert.include(refused.json.error.message, "role 'member' cannot export deals")
          const { status } = yield* runExport(key, { columns: ["name"] })
          const foreign = yield* web.request(`${EXPORT}/${status.export_id}`, other.key)
          const unknown = yield* web.request(`${EXPORT}/exp_unknown`, other.key)
          assert.deepStrictEqual([foreign.status, foreign.text], [404, unknown.text])
          const { pathname } = new URL(status.download_url)
          assert.isAtMost(pathname.length, 60)
          for (const forged of [
            `/exports/${status.export_id}`,
            pathname.slice(0, -1),
            pathname.replace(/\w$/, (end) => (end === "A" ? "B" : "A")),
            pathname.replace("/exports/", "/v/"),
          ]) {
            assert.strictEqual((yield* download(forged)).status, 404, forged)
          }
        }),
      )

      it.effect("can be downloaded for 7 days, are listed for 30, and are then deleted with their file", () =>
        Effect.gen(function* () {
          const web = yield* Web
          const { org, key } = yield* tenant(5)
          const { transaction, sql } = yield* Database
          const { status } = yield* runExport(key, { columns: ["name"] })
          const id = status.export_id
          const late = yield* (yield* DownloadLinks).url(org, id, new Date(Date.now() - 1000).toISOString())
          const gone = yield* download(late)
          assert.deepStrictEqual([gone.status, gone.json.error.code], [410, "gone"])
          const look = () => web.request(`${EXPORT}/${id}`, key)
          yield* transaction(
            org,
            sql`update exports set completed_at = completed_at - interval '7 days' where org_id = ${org}`,
          )
          const expired = (yield* look()).json
          assert.deepStrictEqual(
            [expired.status, expired.download_url, expired.download_expired, expired.row_count],
            ["completed", null, true, 5],
          )
          yield* transaction(
            org,
            sql`update exports set created_at = created_at - interval '30 days' where org_id = ${org}`,
          )
          assert.strictEqual((yield* look()).status, 404)
          const database = yield* Database
          const blobs = yield* BlobStore
          const file = fileKey(org, id, 1, "csv")
          assert.isAbove(yield* blobs.size(file), 0)
          yield* sweep
          assert.strictEqual((yield* Effect.flip(blobs.size(file)))._tag, "BlobNotFound")
          const rows = yield* database.scoped(org, sql`select id from jobs where org_id = scope.org`)
          assert.deepStrictEqual(rows, [])
        }),
      )

      it.effect("have a monthly quota with its own scope in the 429", () =>
        Effect.gen(function* () {
          const web = yield* Web
          const { org, key } = yield* web.tenant({ plan: "essentials" })
          const { transaction, sql } = yield* Database
          yield* post(key, { columns: ["name"] })
          yield* transaction(org, sql`update organization_usage set exports_used = 50 where org_id = ${org}`)
          const refused = yield* post(key, { columns: ["name"] })
          assert.deepStrictEqual([refused.status, refused.json.error.details.scope], [429, "export"])
        }),
      )

      it.effect("start only once for requests with the same Idempotency-Key", () =>
        Effect.gen(function* () {
          const { key } = yield* tenant(5)
          const once = yield* post(key, { columns: ["name"] }, { "idempotency-key": "one" })
          const again = yield* post(key, { columns: ["name"] }, { "idempotency-key": "one" })
          assert.deepStrictEqual([again.status, again.text], [202, once.text])
          assert.strictEqual(again.headers.get("location"), once.headers.get("location"))
          for (const wrong of [{ columns: ["nmae"] }, { columns: [] }, "columns"]) {
            assert.strictEqual((yield* post(key, wrong)).status, 400)
          }
          const { json } = yield* (yield* Web).request("/api/v1/usage", key)
          assert.strictEqual(json.organization.exports_per_month.used, 1)
        }),
      )
    })
  })
}

const DAY = 86_400_000

const FIELDS = [
  "export_id",
  "status",
  "progress",
  "row_count",
  "file_size",
  "created_at",
  "started_at",
  "completed_at",
  "download_url",
  "download_expires_at",
  "download_expired",
  "record_expires_at",
  "warnings",
  "error",
]
