import { readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { findUnnamed, renderPage, SERVICES_PAGE } from "../../docs/services.ts"

describe("docs/services.md", () => {
  it("has the reference of the services' types; `npm run services` writes it", () => {
    const page = readFileSync(SERVICES_PAGE, "utf8")
    assert.strictEqual(page, renderPage(page))
  })

  it("has every type that a service mentions, so a host can name it", () => {
    assert.deepStrictEqual(findUnnamed(), [])
  })
})
