import { assert, describe, it } from "@effect/vitest"
import { formatAnchor, formatTime, parseAnchor } from "../../src/core/library/viewer/places.ts"
import { parseRange } from "../../src/core/http/replies/ranges.ts"

describe("places and ranges", () => {
  it("parse the anchors that they format", () => {
    for (const [place, wanted] of [
      [
        { kind: "page", page: 3 },
        { kind: "page", number: 3 },
      ],
      [
        { kind: "slide", slide: 2 },
        { kind: "slide", number: 2 },
      ],
      [
        { kind: "sheet", sheet: "a!b c/ü", row: 9 },
        { kind: "row", sheet: "a!b c/ü", number: 9 },
      ],
      [
        { kind: "time", start: 72.5, end: 80 },
        { kind: "time", seconds: 72.5 },
      ],
    ] as const) {
      assert.deepStrictEqual(parseAnchor(formatAnchor(place)!), wanted)
    }
    assert.isUndefined(parseAnchor("page=three"))
    assert.strictEqual(formatTime(73.9), "1:13")
    assert.strictEqual(formatTime(3673), "1:01:13")
  })

  it("parse ranges as RFC 9110 defines them", () => {
    for (const [header, size, range] of [
      [undefined, 10, undefined],
      ["bytes=0-", 10, { start: 0, end: 10 }],
      ["bytes=2-4", 10, { start: 2, end: 5 }],
      ["bytes=2-99", 10, { start: 2, end: 10 }],
      ["bytes=-3", 10, { start: 7, end: 10 }],
      ["bytes=-30", 10, { start: 0, end: 10 }],
      ["bytes=-0", 10, "unsatisfiable"],
      ["bytes=10-", 10, "unsatisfiable"],
      ["bytes=0-0", 0, "unsatisfiable"],
      ["bytes=5-2", 10, undefined],
      ["bytes=0-1,3-4", 10, undefined],
      ["lines=0-1", 10, undefined],
      ["bytes=-", 10, undefined],
    ] as const) {
      assert.deepStrictEqual(parseRange(header, size), range, header)
    }
  })
})
