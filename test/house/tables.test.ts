import { readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { renderTables, TABLES_PAGE } from "../../docs/reference/tables.ts"
import { layerPglite } from "../../src/adapters/database/pglite.ts"

const page = readFileSync(TABLES_PAGE, "utf8")

it.live("docs/reference/tables.md has the columns and keys of the migrated database; `npm run tables` writes it", () =>
  Effect.gen(function* () {
    assert.strictEqual(page, yield* renderTables)
  }).pipe(Effect.provide(layerPglite())),
)

it("docs/storage.md names every table", () => {
  const storage = readFileSync(join(TABLES_PAGE, "../../storage.md"), "utf8")
  const tables = [...page.matchAll(/^## (\w+)$/gm)].map(([, name]) => name!)
  assert.isAbove(tables.length, 30)
  assert.deepStrictEqual(
    tables.filter((name) => !storage.includes(`\`${name}\``)),
    [],
  )
})
