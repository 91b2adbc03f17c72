import { assert, describe, it } from "@effect/vitest"
import { nextLink } from "../../src/core/http/replies/links.ts"

describe("the link to the next page", () => {
  it("keeps the request's parameters and the path of the public address", () => {
    const asked = "/api/v1/deals?status=%5B%22Won%22%5D&page_index=3"
    const page = '/api/v1/deals?status=%5B%22Won%22%5D&cursor=c%2B>; rel="next"'
    assert.strictEqual(nextLink("https://a.example", asked, "c+"), `<https://a.example${page}`)
    assert.strictEqual(nextLink("https://a.example/sales", asked, "c+"), `<https://a.example/sales${page}`)
  })
})
