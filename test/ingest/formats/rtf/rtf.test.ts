import { assert, describe, it } from "@effect/vitest"
import { readRtf } from "../../../../src/ingest/formats/rtf/readRtf.ts"
import { UnreadableError } from "../../../../src/ingest/UnreadableError.ts"
import { makeRandom, seedOfRun } from "../../../support/random.ts"
import { codeOf } from "../../support/codeOf.ts"

const utf8 = (text: string) => new TextEncoder().encode(text)
const read = async (text: string) =>
  (await readRtf(utf8(text))).elements.map(({ kind, level, text }) => `${kind}${level ?? ""}: ${text}`)

describe("RTF", () => {
  it("has headings, paragraphs, list items, tables and notes in their order", async () => {
    const rtf = String.raw`{\rtf1\ansi\ansicpg1252\uc1{\fonttbl{\f0\froman Times;}{\f1\fnil\fcharset204 Cyr;}}{\colortbl;\red0;}
{\stylesheet{\s0 Normal;}{\s1\outlinelevel0 Titel;}{\s2 heading 2;}{\s3 Title;}{\s4 Title page note;}}{\info{\author Nobody}}{\header Page header}
\pard\s3 Offer\par\pard\s4 Draft\par\pard\s1 Report\par\pard\s2 Terms\par
\pard\plain Gr\'fc\'dfe \u8364?40 \emdash  {\b bold}{\v hidden}{\*\bkmkstart x}{\*\unknown not shown}{\field{\*\fldinst HYPERLINK "http://x"}{\fldrslt link}}{\footnote A note.}\par
{\f1\'cf\'f0\'e8}\par
\pard\ls1{\listtext\'b7\tab}One\par{\listtext\'b7\tab}Two\par
\pard\intbl Plan\cell Price\par a month\cell\row\pard\intbl Team\cell 40\cell\row
\pard\{ after \\ \}\par}trailing`
    assert.deepStrictEqual(await read(rtf), [
      "heading1: Offer",
      "paragraph: Draft",
      "heading1: Report",
      "heading2: Terms",
      "paragraph: Grüße €40 — boldlink",
      "note: A note.",
      "paragraph: hidden",
      "paragraph: При",
      "list-item: One",
      "list-item: Two",
      "table-row: Plan\tPrice a month",
      "table-row: Team\t40",
      "paragraph: { after \\ }",
      "note: Page header",
    ])
  })

  it("has each cell of a table in the columns between the edges of all rows", async () => {
    const rtf = String.raw`{\rtf1\ansi\trowd\trleft-100\clvmgf\cellx2000\cellx6000\cellx10010\intbl Plan\cell Europe\cell Asia\cell\row
\trowd\clvmrg\cellx2000\cellx4000\cellx6005\cellx8000\cellx10000\intbl\cell Month\cell Year\cell Month\cell Year\cell\row
\trowd\clvmgf\cellx2000\cellx4000\cellx6000\cellx8000\cellx10000\intbl Plus\cell 55\cell 580\cell 62\cell 640\cell\row
\trowd\clvmrg\cellx2000\clmgf\cellx4000\clmrg\cellx6000\cellx8000\cellx10000\intbl\cell 70\cell\cell 63\cell 650\cell\row
\trowd\trleft6000\cellx8000\cellx10000\intbl 64\cell 660\cell\row\pard Done.\par}`
    const { elements } = await readRtf(utf8(rtf))
    assert.deepStrictEqual(
      elements.map(({ text, labels, merged }) => [text, labels ?? merged].filter((part) => part !== undefined)),
      [
        ["Plan\tEurope\t\tAsia"],
        ["\tMonth\tYear\tMonth\tYear"],
        ["Plus\t55\t580\t62\t640", ["Plan", "Europe Month", "Europe Year", "Asia Month", "Asia Year"]],
        ["\t70\t\t63\t650", ["Plus"]],
        ["\t\t\t64\t660", []],
        ["Done."],
      ],
    )
  })

  it("has each header and footer once as a note at its end, and leaves the paragraph around a note as it is", async () => {
    const rtf = String.raw`{\rtf1{\stylesheet{\s1\outlinelevel0 Titel;}}{\header\pard\plain\trowd\intbl Offer 4711\cell Confidential\cell\row\pard\par}{\headerf\pard Offer 4711\par}{\footer\pard{\field{\*\fldinst PAGE}{\fldrslt 7}} / 9\par}{\footerr\pard Gr\'fc\'dfe\par}
\pard\s1 Terms{\footnote\pard\plain\s0 A note.\par}\par\pard\intbl Plan{\header\pard Offer 4711\par}\cell 40\cell\row}`
    assert.deepStrictEqual(await read(rtf), [
      "heading1: Terms",
      "note: A note.",
      "table-row: Plan\t40",
      "note: Offer 4711 Confidential",
      "note: Offer 4711",
      "note: Grüße",
    ])
  })

  it("reads multi-byte encodings, surrogates and text without a last paragraph mark", async () => {
    assert.deepStrictEqual(
      await read(String.raw`{\rtf1\ansi{\fonttbl{\f0\fcharset128 M;}}{\f0\'93\'fa\'96\'7b} \u-10179?\u-8704?}`),
      ["paragraph: 日本 😀"],
    )
  })

  it("skips binary data, pictures and objects", async () => {
    assert.deepStrictEqual(
      await read(String.raw`{\rtf1 a{\pict\bin5 {{{{{}b{\object{\*\objdata 0105}{\result no}}c}`),
      ["paragraph: abc"],
    )
  })

  it("takes transcripts for what they are", async () => {
    const turns = String.raw`{\rtf1 Ada Byron  0:05\par One.\par Ben  0:12\par Two.\par Ada Byron  0:20\par Three.\par}`
    const { elements } = await readRtf(utf8(turns))
    assert.deepStrictEqual(elements.map(({ place }) => place)[0], {
      kind: "time",
      start: 5,
      end: 12,
      speaker: "Ada Byron",
    })
  })
})

describe("hostile RTF", () => {
  it("is refused: nested without end, empty, of another format, too long", async () => {
    assert.strictEqual((await codeOf(readRtf(utf8(`{\\rtf1 ${"{".repeat(100_000)}`)))).code, "unsafe")
    assert.strictEqual((await codeOf(readRtf(utf8("{\\rtf1}")))).code, "empty")
    assert.strictEqual((await codeOf(readRtf(utf8("plain")))).code, "unsupported")
    assert.strictEqual((await codeOf(readRtf(utf8(`{\\rtf1 ${"word ".repeat(4_100_000)}\\par}`)))).code, "too-large")
  })

  it("ends with elements or a typed error, whatever the tokens", async () => {
    const random = makeRandom(seedOfRun("broken RTF"))
    const pieces = [
      "{",
      "}",
      "\\par",
      "\\cell",
      "\\row",
      "\\intbl",
      "\\footnote",
      "\\'",
      "\\'ff",
      "\\u-1 ",
      "\\u99999999999",
      "\\bin9 ",
      "\\bin-3 ",
      "\\uc9 ",
      "\\s1 ",
      "\\f7 ",
      "\\fonttbl",
      "\\stylesheet",
      "\\*",
      "\\v",
      "\\",
      "text ",
      "\u0000",
      "é",
      ";",
    ]
    for (let round = 0; round < 500; round++) {
      const text = `{\\rtf1 ${Array.from({ length: random.below(80) }, () => random.pick(pieces)).join("")}`
      try {
        for (const { text: found } of (await readRtf(utf8(text))).elements)
          assert.isTrue(found.isWellFormed() && !found.includes("\0"))
      } catch (cause) {
        if (!(cause instanceof UnreadableError)) throw new Error(JSON.stringify(text), { cause })
      }
    }
  })
})
