import { createHash } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import { FUNCTIONS, FUNCTIONS_ON_CITUS } from "../../src/core/storage/functions/all.ts"
import { recreate } from "../../src/core/storage/functions/define.ts"
import { FUNCTIONS_FINGERPRINT } from "../../src/core/storage/migrate.ts"

describe("the SQL functions", () => {
  it("have the fingerprint that makes a start replace older texts", () => {
    const texts = [...FUNCTIONS, ...FUNCTIONS_ON_CITUS].flatMap(recreate).join(";\n")
    const fingerprint = createHash("sha256").update(texts).digest("hex").slice(0, 16)
    assert.strictEqual(FUNCTIONS_FINGERPRINT, fingerprint, `set FUNCTIONS_FINGERPRINT to "${fingerprint}"`)
  })
})
