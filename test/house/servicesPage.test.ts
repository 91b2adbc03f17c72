import { readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { findUnnamed, renderPage, SERVICES_PAGE } from "../../docs/reference/services.ts"

describe("docs/reference/services.md", () => {
  it("has the reference of the services' types; `npm run services` writes it", () => {
    assert.strictEqual(readFileSync(SERVICES_PAGE, "utf8"), renderPage())
  })

  it("has every type that a service mentions, so a host can name it", () => {
    assert.deepStrictEqual(findUnnamed(), [])
  })
})
