import { assert, describe, it } from "@effect/vitest"
import { isSame } from "../../src/core/records/isSame.ts"

describe("isSame", () => {
  it("ignores the order of members and members that are undefined", () => {
    assert.isTrue(isSame({ a: 1, b: { c: [1, { d: null }] } }, { b: { c: [1, { d: null }] }, a: 1, e: undefined }))
    assert.isTrue(isSame({ a: undefined }, {}))
  })

  it("tells values apart that differ in a member, an element, their order or their kind", () => {
    const pairs: ReadonlyArray<readonly [unknown, unknown]> = [
      [{ a: 1 }, { a: 2 }],
      [{ a: 1 }, { a: 1, b: null }],
      [{ a: 1, b: null }, { a: 1 }],
      [
        [1, 2],
        [2, 1],
      ],
      [[1], [1, 2]],
      [[], {}],
      [null, {}],
      [{}, null],
      ["1", 1],
    ]
    for (const [a, b] of pairs) assert.isFalse(isSame(a, b), `${JSON.stringify(a)} ${JSON.stringify(b)}`)
  })
})
