import { SourceMap } from "node:module"
import { assert, describe, it } from "@effect/vitest"
import { edit, lineMap, type SourceMap as Built } from "../../build/maps.ts"

/** Three statements of six columns, of lines 41, 42 and 4 of the source; the second is two more tokens of its line. */
const CODE = "aa(1);bb(2);cc(3);"
const OURS: Built = { sources: ["../../src/a.ts"], mappings: "AAwCA,MACA,EAAA,EAAA,EAtCA" }

const placeAt = (map: string | undefined, line: number, column: number) => {
  const found = new SourceMap(JSON.parse(map ?? "{}")).findEntry(line, column)
  return "originalLine" in found && found.originalLine !== undefined
    ? `${found.originalSource}:${found.originalLine + 1}`
    : undefined
}

describe("maps of lines", () => {
  it("name the line of each place, also of places behind an edit", () => {
    const { code, edits } = edit(CODE, /aa|bb/g, ([name]) => `${name}.valueOf()`)
    assert.strictEqual(code, "aa.valueOf()(1);bb.valueOf()(2);cc(3);")
    const map = lineMap(OURS, [edits])
    for (const [text, line] of Object.entries({ aa: 41, "(1)": 41, bb: 42, "(2)": 42, cc: 4, "(3)": 4 }))
      assert.strictEqual(placeAt(map, 0, code.indexOf(text)), `../../src/a.ts:${line}`, text)
  })

  it("take several rounds of edits, each on what the last one left", () => {
    const first = edit(`\n${CODE}`, /aa/g, () => "a".repeat(50))
    const second = edit(first.code, /bb/g, () => "b".repeat(50))
    const map = lineMap({ ...OURS, mappings: `;${OURS.mappings}` }, [first.edits, second.edits])
    const column = (text: string) => second.code.indexOf(text) - 1
    assert.strictEqual(placeAt(map, 1, column("b")), "../../src/a.ts:42")
    assert.strictEqual(placeAt(map, 1, column("cc")), "../../src/a.ts:4")
  })

  it("have one place for a line, and none for code of other packages", () => {
    const { mappings } = JSON.parse(lineMap(OURS, [])!)
    assert.strictEqual(mappings.split(",").length, 3)
    const both = { sources: ["../../src/a.ts", "../../node_modules/b/index.js"], mappings: "AAAA,MCAA,MDAA" }
    const map = lineMap(both, [])
    assert.deepStrictEqual(
      [0, 7, 13].map((column) => placeAt(map, 0, column)),
      ["../../src/a.ts:1", undefined, "../../src/a.ts:1"],
    )
    assert.isUndefined(lineMap({ sources: ["../../node_modules/b/index.js"], mappings: "AAAA" }, []))
  })
})
