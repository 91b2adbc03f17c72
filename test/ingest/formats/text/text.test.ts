import { assert, describe, it } from "@effect/vitest"
import { readText } from "../../../../src/ingest/formats/text/readText.ts"
import { codeOf } from "../../support/codeOf.ts"

const utf8 = (text: string) => new TextEncoder().encode(text)
const utf16 = (text: string, littleEndian: boolean, mark: boolean) => {
  const all = (mark ? "\ufeff" : "") + text
  const view = new DataView(new ArrayBuffer(all.length * 2))
  for (let index = 0; index < all.length; index++) view.setUint16(index * 2, all.charCodeAt(index), littleEndian)
  return new Uint8Array(view.buffer)
}
const utf32 = (text: string, littleEndian: boolean, mark: boolean) => {
  const all = [...((mark ? "\ufeff" : "") + text)]
  const view = new DataView(new ArrayBuffer(all.length * 4))
  for (const [index, letter] of all.entries()) view.setUint32(index * 4, letter.codePointAt(0)!, littleEndian)
  return new Uint8Array(view.buffer)
}
/** Encodes text in a single-byte encoding, with the runtime's own table of its upper half. */
const singleByte = (text: string, encoding: string) => {
  const table = new Map(
    Array.from({ length: 256 }, (_, byte) => [new TextDecoder(encoding).decode(Uint8Array.of(byte)), byte]),
  )
  return Uint8Array.from([...text].map((letter) => table.get(letter)!))
}
const texts = (bytes: Uint8Array) => readText(bytes, "txt").elements.map(({ text }) => text)

describe("text", () => {
  const sample = "Größe: 5 €, naïve café — 😀"
  it("reads UTF-8, UTF-16 and UTF-32, with and without a mark, without a warning", () => {
    const plain = "Size five. Größe."
    const forms = [
      utf8(sample),
      utf8(`\ufeff${sample}`),
      ...[true, false].flatMap((little) => [utf16(sample, little, true), utf32(sample, little, true)]),
    ]
    for (const bytes of forms) assert.deepStrictEqual(readText(bytes, "txt").elements[0]!.text, sample)
    for (const little of [true, false]) {
      for (const bytes of [utf16(plain, little, false), utf32(plain, little, false)]) {
        assert.deepStrictEqual(texts(bytes), [plain])
        assert.deepStrictEqual(readText(bytes, "txt").warnings, [])
      }
    }
  })

  it("guesses other encodings with a warning; falls back to windows-1252", () => {
    const russian = "Мы выиграли эту сделку, потому что интеграция заняла три дня, а у конкурента месяц."
    for (const encoding of ["windows-1251", "koi8-r"]) {
      const read = readText(singleByte(russian, encoding), "txt")
      assert.strictEqual(read.elements[0]!.text, russian)
      assert.include(read.warnings[0]?.message, encoding)
    }
    const price = "The price is “€40” — she said the café’s was lower"
    const western = readText(singleByte(price, "windows-1252"), "txt")
    assert.strictEqual(western.elements[0]!.text, price)
    assert.match(western.warnings[0]?.message ?? "", /windows-1252/)
  })

  it("splits paragraphs at blank lines, keeps their lines, and drops control characters", () => {
    assert.deepStrictEqual(
      texts(utf8("one\r\ntwo  \r\n \t \r\n\r\nth\u0000r\u0007ee and much more of it, so that it is text\n\n\n")),
      ["one\ntwo", "three and much more of it, so that it is text"],
    )
    assert.deepStrictEqual(texts(utf8("a lone \ud800 half of a pair that has lost the other")), [
      "a lone \ufffd half of a pair that has lost the other",
    ])
  })

  it("reads Markdown as its reader sees it", () => {
    const markdown = [
      "---\ntitle: Notes\n---",
      "# Battle *card* #",
      "Pricing\nexplained\n===",
      'They say **cheaper** and [see here](https://example.com/a "t"), `code_x` and snake_case_word. <!-- hidden -->',
      "- one\n  more\n- two\n1. three",
      "| Plan | Price |\n|---|:-:|\n| Team | $40 \\| month |",
      "```ts\n# not a heading\n\nconst a = 1\n```",
      "> quoted\n> text\n\n***\n\nLast",
    ].join("\n\n")
    const { elements } = readText(utf8(markdown), "md")
    assert.deepStrictEqual(
      elements.map(({ kind, level, text }) => `${kind}${level ?? ""}: ${text}`),
      [
        "paragraph: title: Notes",
        "heading1: Battle card",
        "heading1: Pricing explained",
        "paragraph: They say cheaper and see here, code_x and snake_case_word.",
        "list-item: one\nmore",
        "list-item: two",
        "list-item: three",
        "table-row: Plan\tPrice",
        "table-row: Team\t$40 | month",
        "paragraph: # not a heading\n\nconst a = 1",
        "paragraph: quoted\ntext",
        "paragraph: Last",
      ],
    )
  })

  it("reads nested emphasis, entities, nested lists, HTML and links that are defined at the end", () => {
    const markdown = [
      "**Won *twice* by** [Acme][a] &amp; ![a logo](logo.png) in ***Q1***\\*",
      "1. one\n   - inner\n\n   more of one",
      "<p>Seen <b>here</b><!-- not this --></p>",
      "<!-- nor\n\nthis -->",
      "    indented code",
      "[a]: https://example.com",
    ].join("\n\n")
    const { elements } = readText(utf8(markdown), "md")
    assert.deepStrictEqual(
      elements.map(({ kind, text }) => `${kind}: ${text}`),
      [
        "paragraph: Won twice by Acme & a logo in Q1*",
        "list-item: one",
        "list-item: inner",
        "paragraph: more of one",
        "paragraph: Seen here",
        "paragraph: indented code",
      ],
    )
  })

  it("refuses empty files, binary files and long files, and says what to do", async () => {
    assert.strictEqual((await codeOf(() => readText(utf8(" \n\n "), "txt"))).code, "empty")
    const noise = Uint8Array.from({ length: 4000 }, (_, index) => (index * 73) % 256)
    assert.strictEqual((await codeOf(() => readText(noise, "txt"))).code, "unsupported")
    assert.strictEqual((await codeOf(() => readText(new Uint8Array(20_000_001).fill(97), "txt"))).code, "too-large")
  })
})
