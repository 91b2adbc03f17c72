import { assert, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { BlobStore } from "../../src/core/ports/BlobStore.ts"
import { Database } from "../../src/core/storage/Database.ts"
import { engines } from "../support/engines.ts"
import { ALL } from "../support/extent.ts"
import { layerWeb, Web } from "../support/web.ts"
import { readXlsx } from "./readXlsx.ts"
import { EXPORT, post, runExport } from "./support.ts"

const COLUMNS = ["id", "name", "amount", "close_date", "created_at", "deal_analyzed", "crm_forecast"]

for (const engine of ALL ? engines : engines.slice(0, 1)) {
  describe(`the file of an export on ${engine.name}`, () => {
    layer(layerWeb(engine.database), { excludeTestServices: true })((it) => {
      const tenant = Effect.gen(function* () {
        const made = yield* (yield* Web).tenant()
        const { transaction, sql } = yield* Database
        yield* transaction(
          made.org,
          Effect.gen(function* () {
            yield* sql`insert into crm_properties (org_id, crm, object, id, data_type)
              values (${made.org}, 'crm_one', 'deal', 'forecast', 'number')`
            yield* sql`insert into deals (org_id, id, name, amount, close_date, crm_properties, created_at, updated_at)
              values (${made.org}, 'e1', 'x;=1+1;', 1001.5, '2026-03-31', '{"forecast": -0.25}', '2026-01-02T12:00Z', now()),
                (${made.org}, 'e4', '=1+1', null, null, '{}', '2026-01-01T12:00Z', now())`
          }),
        )
        return made
      })

      it.effect("is CSV as another country's spreadsheet reads it", () =>
        Effect.gen(function* () {
          const { key } = yield* tenant
          const options = { bom: true, delimiter: ";", decimal: "," }
          const { bytes, headers } = yield* runExport(key, { columns: COLUMNS, ...options })
          assert.strictEqual(headers.get("content-type"), "text/csv; charset=utf-8")
          assert.strictEqual(
            new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes),
            [
              `\uFEFF${COLUMNS.join(";")}`,
              'e1;"x;=1+1;";1001,5;2026-03-31;2026-01-02T12:00:00.000Z;false;-0,25',
              `e4;"'=1+1";;;2026-01-01T12:00:00.000Z;false;`,
              "",
            ].join("\r\n"),
          )
        }),
      )

      it.effect("is a workbook with typed cells, and goes with its export", () =>
        Effect.gen(function* () {
          const { org, key } = yield* tenant
          const { bytes, headers, status } = yield* runExport(key, { columns: COLUMNS, format: "xlsx" })
          assert.match(headers.get("content-type") ?? "", /spreadsheetml\.sheet$/)
          assert.match(headers.get("content-disposition") ?? "", /filename="deals-[\d-]+\.xlsx"/)
          assert.deepStrictEqual([status.row_count, status.file_size, status.warnings], [2, bytes.length, []])
          const rows = readXlsx(bytes)[0]!.map((row) => Object.values(row).map(({ value }) => value))
          assert.deepStrictEqual(rows, [
            COLUMNS,
            ["e1", "x;=1+1;", "1001.5", "46112", "46024.5", "0", "-0.25"],
            ["e4", "=1+1", "46023.5", "0"],
          ])
          const web = yield* Web
          yield* web.request(`${EXPORT}/${status.export_id}`, key, { method: "DELETE" })
          const blobs = yield* BlobStore
          const left = yield* Effect.flip(blobs.size(`${org}/exports/${status.export_id}-1.xlsx`))
          assert.strictEqual(left._tag, "BlobNotFound")
        }),
      )

      it.effect("has every problem of its options named at once", () =>
        Effect.gen(function* () {
          const { key } = yield* tenant
          const reasonsOf = Effect.fnUntraced(function* (body: object) {
            const { status, json } = yield* post(key, { columns: ["id"], ...body })
            assert.strictEqual(status, 400)
            return Object.fromEntries(
              json.error.details.invalid_fields.map(({ field, reason }: any) => [field, reason]),
            )
          })
          const foreign = yield* reasonsOf({
            format: "xlsx",
            csv_safe: true,
            bom: false,
            delimiter: ";",
            columns: ["crm_nonsense"],
          })
          assert.deepStrictEqual(Object.keys(foreign).sort(), ["bom", "columns", "csv_safe", "delimiter"])
          assert.match(foreign["bom"], /belongs to the format csv/)
          assert.match((yield* reasonsOf({ decimal: "," }))["decimal"], /add the delimiter `;` or a tab/)
          assert.deepStrictEqual(Object.keys(yield* reasonsOf({ format: "xls", delimiter: "|" })).sort(), [
            "delimiter",
            "format",
          ])
        }),
      )

      it.effect("has cells that are too long named in its export's status", () =>
        Effect.gen(function* () {
          const { org, key } = yield* tenant
          const { transaction, sql } = yield* Database
          yield* transaction(org, sql`update deals set name = repeat('x', 32768) where org_id = ${org} and id = 'e4'`)
          for (const [format, length] of [
            ["csv", 32_768],
            ["xlsx", 32_767],
          ] as const) {
            const { status, bytes, text } = yield* runExport(key, { columns: ["name"], format })
            const written = format === "csv" ? text.split("\r\n")[2] : readXlsx(bytes)[0]![2]!["A"]!.value
            assert.strictEqual(written?.length, length)
            const [{ code, count, examples }] = status.warnings
            assert.deepStrictEqual([code, count], ["cell_too_long_for_excel", 1])
            assert.deepStrictEqual(examples, [{ row: 3, column: "name", characters: 32_768 }])
          }
        }),
      )
    })
  })
}
