import { assert, describe, it } from "@effect/vitest"
import { NextClaims } from "../../src/core/jobs/NextClaims.ts"

describe("NextClaims", () => {
  it("looks in all organizations first, because another process may have enqueued", () => {
    assert.deepStrictEqual(new NextClaims().take(), {})
  })

  it("looks nowhere until a job is enqueued, then in its organization alone", () => {
    const claims = new NextClaims()
    claims.take()
    assert.strictEqual(claims.take(), undefined)
    claims.want("acme")
    assert.deepStrictEqual(claims.take(), { org: "acme" })
    assert.strictEqual(claims.take(), undefined)
  })

  it("leaves the order of several organizations to the database", () => {
    const claims = new NextClaims()
    claims.take()
    claims.want("acme")
    claims.want("globex")
    assert.deepStrictEqual(claims.take(), {})
  })

  it("looks again where it put back", () => {
    const claims = new NextClaims()
    claims.putBack(claims.take()!)
    assert.deepStrictEqual(claims.take(), {})
    claims.putBack({ org: "acme" })
    assert.deepStrictEqual(claims.take(), { org: "acme" })
  })
})
