import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { filesOf, WRITERS, WRITERS_BY_VARIABLE } from "./writers.ts"

const ROOT = join(import.meta.dirname, "../..")

const WRITES = /\b(?:insert\s+into|update|delete\s+from)\s+(\w+)(?=[\s(`])/gi

const BY_VARIABLE = /\b(?:insert\s+into|update|delete\s+from)\s+\$\{/i

const writersIn = (text: string, tables: ReadonlySet<string>): ReadonlySet<string> =>
  new Set([...text.matchAll(WRITES)].flatMap(([, table = ""]) => (tables.has(table) ? [table] : [])))

const files = readdirSync(join(ROOT, "src"), { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".ts") && !name.includes("migrations/"))
  .map((name) => `src/${name}`)

const tables: ReadonlySet<string> = new Set(Object.keys(WRITERS))

describe("the writers of tables", () => {
  it("are exactly the files that the list names for each table", () => {
    const found = new Map<string, Set<string>>()
    for (const file of files) {
      for (const table of writersIn(readFileSync(join(ROOT, file), "utf8"), tables)) {
        found.set(table, (found.get(table) ?? new Set()).add(file))
      }
    }
    for (const [table, writers] of Object.entries(WRITERS)) {
      assert.deepStrictEqual([...(found.get(table) ?? [])].toSorted(), filesOf(writers).toSorted(), table)
    }
  })

  it("take a table name from a variable only in the listed files", () => {
    const found = files.filter((file) => BY_VARIABLE.test(readFileSync(join(ROOT, file), "utf8")))
    assert.deepStrictEqual(found.toSorted(), Object.keys(WRITERS_BY_VARIABLE).toSorted())
  })

  it("are found in any spelling of a statement", () => {
    const found = (text: string) => [...writersIn(text, new Set(["deals"]))]
    assert.deepStrictEqual(found("sql`INSERT into deals (org_id) values"), ["deals"])
    assert.deepStrictEqual(found("update deals\n set name"), ["deals"])
    assert.deepStrictEqual(found("with gone as (delete\n from deals where"), ["deals"])
    assert.deepStrictEqual(found("select from deals d for update of d"), [])
  })
})
