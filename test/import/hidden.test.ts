import { assert, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { engines } from "../support/engines.ts"
import { xlsx } from "../ingest/support/office.ts"
import { layerWeb, Web } from "../support/web.ts"

const text = (value: string) => `<c t="inlineStr"><is><t>${value}</t></is></c>`

const ROWS = [
  ["Deal Name", "Owner", "Amount"],
  ["One", "Ann", "1"],
  ["Two", "Ben", "2"],
  ["Three", "Ann", "x"],
  ["Total", "", "3"],
  ["Four", "Ben", "4"],
]
const HIDDEN: ReadonlySet<number> = new Set([3, 4, 5, 6])

/** As Excel and LibreOffice write a filtered sheet with a hidden column. */
const workbook = () => {
  const rows = ROWS.map((cells, at) => {
    const hides = HIDDEN.has(at + 1) ? (at % 2 === 0 ? ' hidden="1"' : ' hidden="true"') : ""
    return `<row r="${at + 1}"${hides}>${cells.map(text).join("")}</row>`
  })
  const cols =
    '<cols><col min="1" max="1" hidden="0"/><col min="2" max="2" hidden="1"/><col min="9" max="16384" hidden="1"/></cols>'
  const xml = `<worksheet>${cols}<sheetData>${rows.join("")}</sheetData></worksheet>`
  return xlsx([{ name: "Deals", xml }]).slice()
}

const page = (column: string, cell: string) => {
  const rows = ROWS.map((cells, at) => {
    const [hides, style] = HIDDEN.has(at + 1) ? [' style="display:none"', ' class="off"'] : ["", ""]
    const tds = cells.map((each, place) => `<td${place === 1 ? cell : ""}>${each}</td>`).join("")
    return at === 4 ? `<tbody${style}><tr>${tds}</tr></tbody>` : `<tr${hides}>${tds}</tr>`
  })
  return `<html><style>.off { display: none }</style><table>${column}${rows.join("")}</table></html>`
}

const FILES: ReadonlyArray<readonly [name: string, body: () => BodyInit]> = [
  ["a workbook", workbook],
  ["a page that hides a column", () => page("<col><col style='display:none'><col>", "")],
  ["a page that hides the cells of a column", () => page("", " hidden")],
]

for (const engine of engines) {
  describe(`hidden rows and columns of imports on ${engine.name}`, () => {
    layer(layerWeb(engine.database), { excludeTestServices: true })((it) => {
      for (const [name, body] of FILES) {
        it.effect(`are imported and named: ${name}`, () =>
          Effect.gen(function* () {
            const web = yield* Web
            const { key } = yield* web.tenant({ role: "admin" })
            const send = (query: string) =>
              web.request(`/api/v1/import?type=deal${query}`, key, {
                method: "POST",
                headers: { "content-type": "application/octet-stream" },
                body: body(),
              })
            const warned = ({ warnings }: any) =>
              warnings
                .filter(({ code }: any) => code.endsWith("_hidden"))
                .map(({ code, count, lines, examples }: any) => [code, count, lines, examples])
            const rows = ["row_hidden", 2, [3, 6], ["Two, Ben, 2", "Four, Ben, 4"]]
            const column = ["column_hidden", 1, [1], ["Owner"]]

            const { json } = yield* send("&dry_run=true")
            assert.deepStrictEqual([json.created, json.failed, json.not_rows], [3, 1, 1])
            assert.deepStrictEqual(warned(json), [rows, column])
            const messages = json.warnings.map(({ message }: any) => message).join("\n")
            assert.match(messages, /rows that the file hides.* delete them from the file/)
            assert.match(messages, /'Owner', which fills owner: ignore one with 'map', as in Owner=/)

            const ignored = yield* send("&dry_run=true&map=Owner%3D")
            assert.deepStrictEqual(warned(ignored.json), [rows])

            const imported = yield* send(`&plan_id=${json.plan_id}`)
            assert.strictEqual(imported.json.created, 3, imported.text)
            assert.deepStrictEqual(warned(imported.json), [rows, column])
          }),
        )
      }
    })
  })
}
