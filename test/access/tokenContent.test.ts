import { assert, describe, it } from "@effect/vitest"
import { PERMISSION_NAMES, ROLE_NAMES } from "../../src/core/access/permissions.ts"
import { packToken, type TokenContent, unpackToken } from "../../src/core/access/tokenContent.ts"

const content = (more: Partial<TokenContent>): TokenContent => ({
  role: "viewer",
  permissions: null,
  expires: 2 ** 32 - 1,
  identityHash: new Uint8Array(32).fill(7),
  originHash: undefined,
  row: "identity_0123456789abcdefghijkl",
  ...more,
})

describe("the content of a token", () => {
  it.each([
    ...ROLE_NAMES.map((role) => ({ role })),
    ...PERMISSION_NAMES.map((permission) => ({ permissions: [permission] })),
    { permissions: [] },
    { permissions: PERMISSION_NAMES, originHash: new Uint8Array(9).fill(255) },
  ])("keeps %j", (more) => assert.deepStrictEqual(unpackToken(packToken(content(more))), content(more)))

  it("is refused with flags that this version does not know, or without a row", () => {
    const packed = packToken(content({}))
    assert.isUndefined(unpackToken(Uint8Array.from(packed, (byte, at) => (at === 0 ? byte | 0b0000_0100 : byte))))
    assert.isUndefined(unpackToken(packed.subarray(0, packed.length - content({}).row.length)))
    assert.isUndefined(unpackToken(new Uint8Array(0)))
  })

  it("has permissions and roles by their place, so these stay", () => {
    assert.deepStrictEqual(ROLE_NAMES, ["viewer", "member", "admin", "owner"])
    assert.deepStrictEqual(PERMISSION_NAMES.slice(0, 16), [
      "deals.read",
      "intelligence.read",
      "answers.create",
      "documents.read",
      "usage.read",
      "deals.documents.write",
      "library.write",
      "deals.export",
      "keys.manage",
      "webhooks.manage",
      "audit.read",
      "import.write",
      "workspace.manage",
      "analysis.run",
      "analysis.verify",
      "organization.manage",
    ])
    assert.isAtMost(PERMISSION_NAMES.length, 32)
  })
})
