import { readdirSync, readFileSync } from "node:fs"
import { assert, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { engines } from "../support/engines.ts"
import { runExport } from "../exports/support.ts"
import { root } from "../support/terminal.ts"
import { rows } from "../catalogue/support.ts"
import { layerWeb, Web } from "../support/web.ts"
import { dump, type Dump, undo } from "./undo/support.ts"

/** The expected records of a file of `cases/`, written from the contract before the code. */
interface Expected {
  readonly workspace?: object
  readonly imports: ReadonlyArray<{
    readonly file: string
    readonly query: Readonly<Record<string, string>>
    readonly contentType?: string
    readonly headers?: Readonly<Record<string, string>>
    readonly status: number
    readonly counts?: Readonly<Record<string, number>>
    readonly warnings?: ReadonlyArray<string>
    /** `line field value` of each. */
    readonly errors?: ReadonlyArray<string>
    /** A pattern that the message of a refusal matches. */
    readonly message?: string
  }>
  readonly assumptions?: object
  readonly deals?: { readonly columns: ReadonlyArray<string>; readonly rows: ReadonlyArray<ReadonlyArray<unknown>> }
  readonly names?: Readonly<Record<string, ReadonlyArray<string>>>
  readonly stages?: Readonly<Record<string, ReadonlyArray<string>>>
  /** Columns of an export that is imported again and changes nothing. */
  readonly reimport?: ReadonlyArray<string>
}

const CASES = `${root}/test/import/cases`
const sorted = (values: ReadonlyArray<unknown>) => values.map((each) => JSON.stringify(each)).toSorted()

for (const engine of engines.slice(0, 1)) {
  describe(`files as CRMs and spreadsheets write them, on ${engine.name}`, () => {
    layer(layerWeb(engine.database), { excludeTestServices: true })((it) => {
      for (const folder of readdirSync(CASES)) {
        const all = JSON.parse(readFileSync(`${CASES}/${folder}/expected.json`, "utf8")) as ReadonlyArray<Expected>
        for (const [index, expected] of all.entries()) {
          const files = expected.imports.map(({ file }) => file).join(", then ")
          it.effect(`${folder} ${index + 1}: ${files}`, () => check(folder, expected))
        }
      }
    })
  })
}

const check = Effect.fnUntraced(function* (folder: string, expected: Expected) {
  const web = yield* Web
  const { org, key } = yield* web.tenant()
  const get = (path: string) => Effect.map(web.request(`/api/v1${path}`, key), ({ json }) => json)
  const json = (method: string, body: unknown) => ({
    method,
    body: JSON.stringify(body),
    headers: { "content-type": "application/json" },
  })
  if (expected.workspace !== undefined) {
    const set = yield* web.request("/api/v1/workspace", key, json("PUT", expected.workspace))
    assert.strictEqual(set.status, 200, set.text)
  }

  const imported: Array<{ readonly id: string; readonly before: Dump }> = []
  for (const each of expected.imports) {
    const before = yield* dump(org)
    const reply = yield* web.request(`/api/v1/import?${new URLSearchParams(each.query)}`, key, {
      method: "POST",
      body: new Uint8Array(readFileSync(`${CASES}/${folder}/${each.file}`)),
      headers: { "content-type": each.contentType ?? "text/csv", ...each.headers },
    })
    assert.strictEqual(reply.status, each.status, reply.text)
    if (each.message !== undefined) {
      assert.match(reply.json.error.message, new RegExp(each.message))
      continue
    }
    const { errors, warnings, created, updated, import_id: id, undo: canUndo } = reply.json
    assert.strictEqual(canUndo, created + updated > 0, reply.text)
    if (canUndo) imported.push({ id, before })
    assert.deepStrictEqual(
      errors.map(({ line, field, value }: any) => `${line} ${field} ${value}`),
      each.errors,
      reply.text,
    )
    assert.deepStrictEqual(
      [...new Set(warnings.map(({ code }: any) => code))].toSorted(),
      [...each.warnings!].toSorted(),
      reply.text,
    )
    assert.deepInclude(reply.json, { failed: 0, not_rows: 0, ...each.counts }, reply.text)
    if (expected.assumptions !== undefined) assert.deepInclude(reply.json.assumptions, expected.assumptions)
  }

  if (expected.deals !== undefined) {
    const { columns } = expected.deals
    const listed: ReadonlyArray<any> = yield* get(`/deals?columns=${columns.join(",")}&page_size=100`)
    const stored = listed.map((deal) =>
      columns.map((column) => (column === "product_labels" ? deal[column].toSorted() : (deal[column] ?? null))),
    )
    assert.deepStrictEqual(sorted(stored), sorted(expected.deals.rows))
  }
  for (const [kind, names] of Object.entries(expected.names ?? {})) {
    const stored = yield* rows<{ readonly name: string }>(org, kind)
    assert.deepStrictEqual(sorted(stored.map(({ name }) => name)), sorted(names), kind)
  }
  for (const [category, names] of Object.entries(expected.stages ?? {})) {
    const { data } = yield* get("/workspace/stages")
    const found = data.filter((stage: any) => stage.category === category).map(({ name }: any) => name)
    assert.deepStrictEqual(sorted(found), sorted(names), category)
  }
  if (expected.reimport !== undefined) {
    const exported = yield* runExport(key, { columns: expected.reimport })
    const again = yield* web.request("/api/v1/import?type=deal", key, {
      method: "POST",
      body: exported.text,
      headers: { "content-type": "text/csv" },
    })
    assert.deepInclude(again.json, { created: 0, updated: 0, failed: 0 }, again.text)
  }

  for (const { id, before } of imported.toReversed()) {
    assert.deepInclude(yield* undo(org, id), { status: "completed", kept_count: 0, kept: [] })
    const after = yield* dump(org)
    for (const table of Object.keys(before)) assert.deepStrictEqual(after[table], before[table], table)
  }
})
