import { gzipSync } from "node:zlib"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { readFile, refusalOf, utf8 } from "./support.ts"

describe("the kind of a file", () => {
  it.effect("is found by its bytes: CSV, NDJSON, a JSON array", () =>
    Effect.gen(function* () {
      const container = (text: string, isNdjson = false) =>
        Effect.map(readFile(text, { isNdjson }), ({ facts }) => facts.container)
      assert.strictEqual(yield* container("name,amount\nA,1"), "csv")
      assert.strictEqual(yield* container('{"type":"deal"}\n{"type":"deal"}'), "ndjson")
      assert.strictEqual(yield* container('\ufeff [\n{"type":"deal"}]'), "json")
      assert.strictEqual(yield* container("[Deal],Amount\nA,1"), "csv")
      assert.strictEqual(yield* container("name\nA", true), "ndjson")
    }),
  )

  it.effect("is named in the refusal of a file that no import reads", () =>
    Effect.gen(function* () {
      const biff = new Uint8Array(4_096)
      biff.set([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1])
      biff.set(new Uint8Array(Buffer.from("Workbook", "utf16le")), 1_024)
      const kinds: ReadonlyArray<readonly [Uint8Array | string, RegExp]> = [
        [biff, /is an Excel 97 workbook: save it as XLSX or CSV/],
        ["%PDF-1.7\n…", /is a PDF/],
        [Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a), /is a picture \(PNG\)/],
        [Uint8Array.of(1, 2, 0, 4), /is binary data/],
        ['{\n  "deals": []\n}', /is one JSON object: send a JSON array/],
        [
          '<?xml version="1.0"?><Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet">',
          /XML spreadsheet of Excel 2003/,
        ],
      ]
      for (const [file, message] of kinds) {
        const refusal = yield* refusalOf(file)
        assert.match(refusal, message)
        assert.match(refusal, /^UnsupportedMediaType/)
      }
    }),
  )

  it.effect("is refused as unsupported where the host reads no more than text in UTF-8 and UTF-16", () =>
    Effect.gen(function* () {
      assert.match(yield* refusalOf(gzipSync("name\nA")), /^UnsupportedMediaType: .*compressed by gzip/)
      assert.match(yield* refusalOf("<html><table><tr><td>A"), /^UnsupportedMediaType: .*HTML/)
      assert.match(yield* refusalOf(utf8("PK\u0003\u0004")), /^UnsupportedMediaType: .*a zip, as XLSX is/)
      assert.match(
        yield* refusalOf(Uint8Array.of(110, 10, 77, 0xfc, 10)),
        /^UnsupportedMediaType: .*neither UTF-8 nor UTF-16/,
      )
      assert.match(yield* refusalOf("name\nA", { encoding: "shift_jis" }), /^UnsupportedMediaType: .*is in shift_jis/)
      const { facts, rows } = yield* readFile(new Uint8Array(Buffer.from("name\nMüller\n", "utf16le")))
      assert.deepStrictEqual([facts.encoding, facts.encodingBy, rows[1]?.cells], ["utf-16le", "bytes", ["Müller"]])
    }),
  )
})

describe("the objects of a JSON array", () => {
  it.effect("have the line on which they begin, in chunks of any size", () =>
    Effect.gen(function* () {
      const text = '[\n {"a": "x,]}\\"", "b": [1, {"c": 2}]},\n\n {"a":\n "y"}\n,\n 3, {"d": nope}]\n'
      for (const size of [1, 3, 1_000]) {
        const { records } = yield* readFile(text, { size })
        assert.deepStrictEqual(
          records.map((record) => [record.line, "value" in record ? record.value : record.text]),
          [
            [2, { a: 'x,]}"', b: [1, { c: 2 }] }],
            [4, { a: "y" }],
            [7, "3"],
            [7, '{"d": nope}'],
          ],
        )
      }
      assert.deepStrictEqual((yield* readFile("[ ]")).records, [])
    }),
  )

  it.effect("are not read further than a limit, and their array must end", () =>
    Effect.gen(function* () {
      const long = `[{"a":"${"x".repeat(1_100_000)}"},{"b":1}]`
      const { records } = yield* readFile(long, { size: 65_536 })
      assert.match("problem" in records[0]! ? records[0].problem : "", /at most 1048576 characters/)
      assert.deepStrictEqual(records[1], { line: 1, value: { b: 1 }, size: 7, isSuspect: false })
      assert.match(yield* refusalOf('[{"a":1},{"b"'), /ends before its JSON array does/)
      assert.match(yield* refusalOf('[{"a":1}] x'), /has text after its JSON array/)
    }),
  )
})
