import { readFileSync } from "node:fs"
import { assert, it } from "vitest"
import { NOTICE_CODES } from "../../src/core/records/Notices.ts"
import { root } from "../support/terminal.ts"

it("docs/import.md names every warning of an import", () => {
  const page = readFileSync(`${root}/docs/import.md`, "utf8")
  assert.deepStrictEqual(
    NOTICE_CODES.filter((code) => !page.includes(`\`${code}\``)),
    [],
  )
})
