import { assert, describe, it } from "@effect/vitest"
import { lower, normalizeDigits, raise } from "../../../src/core/common/raisedDigits.ts"
import type { ReadDocument } from "../../../src/ingest/document.ts"
import { readDocx } from "../../../src/ingest/formats/office/readDocx.ts"
import { readOdt } from "../../../src/ingest/formats/office/readOdt.ts"
import { readPptx } from "../../../src/ingest/formats/office/readPptx.ts"
import { readXlsx } from "../../../src/ingest/formats/office/readXlsx.ts"
import { readPdf } from "../../../src/ingest/formats/pdf/readPdf.ts"
import { readRtf } from "../../../src/ingest/formats/rtf/readRtf.ts"
import { readHtmlPage } from "../../../src/ingest/formats/text/readHtml.ts"
import { markdownElements } from "../../../src/ingest/formats/text/markdown.ts"
import { docx, pptx, sheetOf, xlsx } from "../support/office.ts"
import { odt } from "../support/odt.ts"
import { pagesOf, type Written } from "../support/pdf.ts"

/** A sentence whose marks are raised (`^`) or lowered (`_`) parts. */
const PARTS = [
  "Acme",
  "^1",
  " has 1,200",
  "^1,2",
  " seats, 25 m",
  "^2",
  " and 310",
  "^a",
  " of CO",
  "_2",
  ", the 1",
  "^st",
]
const SENTENCE = "Acme¹ has 1,200¹,² seats, 25 m² and 310ᵃ of CO2, the 1st"

const mark = (wrap: (text: string, shift: "" | "^" | "_") => string) =>
  PARTS.map((part) => (/^[\^_]/.test(part) ? wrap(part.slice(1), part[0] as "^") : wrap(part, ""))).join("")
const tags = mark((text, shift) => (shift === "" ? text : shift === "^" ? `<sup>${text}</sup>` : `<sub>${text}</sub>`))
const utf8 = (text: string) => new TextEncoder().encode(text)

const runs = (element: string, raised: string, lowered: string) =>
  mark((text, shift) => {
    const properties = shift === "" ? "" : shift === "^" ? raised : lowered
    return `<${element}:r><${element}:rPr${properties.startsWith("<") ? `>${properties}</${element}:rPr>` : ` ${properties}/>`}<${element}:t>${text}</${element}:t></${element}:r>`
  })
const word = (raised: string, lowered: string) => `<w:p>${runs("w", raised, lowered)}</w:p>`
const sheetRuns = mark((text, shift) => {
  const align = shift === "" ? "" : `<vertAlign val="${shift === "^" ? "superscript" : "subscript"}"/>`
  return `<r><rPr>${align}</rPr><t>${text}</t></r>`
})

/** Draws the sentence in Helvetica, whose letters are about half as wide as high. */
const drawn = () => {
  let x = 72
  return PARTS.map((part): Written => {
    const [text, size] = /^[\^_]/.test(part) ? [part.slice(1), 6] : [part, 10]
    const at = x
    const thin = text.match(/[ ,itlfj1]/g)?.length ?? 0
    x += size * (text.length * 0.556 - thin * 0.278 + (text.match(/1/g)?.length ?? 0) * 0.278)
    return { text, x: at, y: 700 + (part.startsWith("^") ? 3.5 : part.startsWith("_") ? -1.5 : 0), size }
  })
}

const FILES: Readonly<Record<string, () => Promise<ReadDocument>>> = {
  HTML: async () => readHtmlPage(utf8(`<p>${tags}</p>`)),
  "HTML with styles": async () =>
    readHtmlPage(
      utf8(
        `<p>${tags.replaceAll("<sup>", '<span style="vertical-align: super"><i>').replaceAll("</sup>", "</i></span>")}</p>`,
      ),
    ),
  Markdown: async () => ({ elements: markdownElements(tags), warnings: [] }),
  Word: () => readDocx(docx(word('<w:vertAlign w:val="superscript"/>', '<w:vertAlign w:val="subscript"/>'))),
  "Word with positions": () => readDocx(docx(word('<w:position w:val="8"/>', '<w:position w:val="-2"/>'))),
  "Word with styles": () =>
    readDocx(
      docx(word('<w:rStyle w:val="Up"/>', '<w:rStyle w:val="Down"/>'), {
        styles: `<w:styles xmlns:w="w"><w:style w:type="character" w:styleId="Mark"><w:rPr><w:vertAlign w:val="superscript"/></w:rPr></w:style><w:style w:type="character" w:styleId="Up"><w:basedOn w:val="Mark"/></w:style><w:style w:type="character" w:styleId="Down"><w:rPr><w:vertAlign w:val="subscript"/></w:rPr></w:style></w:styles>`,
      }),
    ),
  PowerPoint: () =>
    readPptx(
      pptx([
        {
          shapes: `<p:sp><p:txBody><a:p>${runs("a", 'baseline="30000"', 'baseline="-25000"')}</a:p></p:txBody></p:sp>`,
        },
      ]),
    ),
  "Excel, shared": () =>
    readXlsx(
      xlsx([{ name: "S", xml: sheetOf('<row r="1"><c r="A1" t="s"><v>0</v></c></row>') }], {
        strings: `<sst><si>${sheetRuns}</si></sst>`,
      }),
    ),
  "Excel, inline": () =>
    readXlsx(xlsx([{ name: "S", xml: sheetOf(`<row r="1"><c r="A1" t="inlineStr"><is>${sheetRuns}</is></c></row>`) }])),
  OpenDocument: () => {
    const style = (name: string, position: string) =>
      `<style:style style:name="${name}"><style:text-properties style:text-position="${position}"/></style:style>`
    const text = mark((part, shift) =>
      shift === "" ? part : `<text:span text:style-name="${shift === "^" ? "Up" : "Down"}">${part}</text:span>`,
    )
    return readOdt(odt(`<text:p>${text}</text:p>`, undefined, style("Up", "super 58%") + style("Down", "-33% 58%")))
  },
  RTF: () =>
    readRtf(
      utf8(
        `{\\rtf1 ${mark((text, shift) => (shift === "" ? text : `{\\${shift === "^" ? "super" : "dn4"} ${text}}`))}}`,
      ),
    ),
  "RTF that ends its marks by words": () =>
    readRtf(
      utf8(
        `{\\rtf1 ${mark((text, shift) => (shift === "" ? text : `\\${shift === "^" ? "up6" : "sub"} ${text}\\nosupersub `))}}`,
      ),
    ),
  PDF: () => readPdf(pagesOf([drawn()])),
}

describe("marks of notes, exponents and indices", () => {
  for (const [format, read] of Object.entries(FILES))
    it(`stay apart from the numbers before them in ${format}`, async () => {
      const { elements } = await read()
      assert.include(
        elements.map(({ text }) => text),
        SENTENCE,
      )
    })

  it("keep numbers in the cells of tables values, below a header", async () => {
    const cell = (text: string, at: number) => ({ text, x: 72 + at * 120, size: 10 })
    const rows = [
      ["Plan", "Seats", "Price"],
      ["Basic", "1,200", "19.90"],
      ["Team", "4,500", "49.90"],
    ]
    const lines = rows.flatMap((texts, row) => texts.map((text, at) => ({ ...cell(text, at), y: 700 - row * 14 })))
    const marks = [1, 2].flatMap((row) =>
      [1, 2].map((at) => ({ text: "2", x: 72 + at * 120 + 25.2, y: 703.5 - row * 14, size: 6 })),
    )
    // Each mark is drawn after its number, as programs do.
    const page = lines.flatMap((line) => [
      line,
      ...marks.filter(({ x, y }) => x - line.x < 30 && x > line.x && y - line.y === 3.5),
    ])
    const { elements } = await readPdf(pagesOf([page]))
    assert.deepStrictEqual(
      elements.map(({ text }) => text),
      ["Plan\tSeats\tPrice", "Basic\t1,200²\t19.90²", "Team\t4,500²\t49.90²"],
    )
    assert.deepStrictEqual(elements[1]!.labels, ["Plan", "Seats", "Price"])
  })
})

describe("raised and lowered text", () => {
  it("is written in the signs of Unicode if it is a mark, an exponent or an index of a number", () => {
    for (const [before, text, written] of [
      ["1,200", "1)", "¹⁾"],
      ["10", "−", "⁻"],
      ["10⁻", "6", "⁶"],
      ["seats", "a)", "ᵃ⁾"],
      ["19", "99", "⁹⁹"],
      ["45%", "[3]", "[³]"],
      ["200", "2024 was", "²⁰²⁴ was"],
      // A word, or a number that someone raised as a whole.
      ["M", "me", "me"],
      ["price", "1200", "1200"],
      ["", "see page 12 for more", "see page 12 for more"],
    ] as const)
      assert.strictEqual(raise(text, before), written, `${before} ${text}`)
    assert.deepStrictEqual([lower("2", "CO"), lower("2", "10"), lower("2", "¹/")], ["2", "₂", "₂"])
  })

  it("is no digit where texts are normalized to read numbers", () => {
    assert.strictEqual(normalizeDigits("１,２００¹ 2½ 3①\u00a05ᵏ"), "1,200¹ 2½ 3① 5ᵏ")
  })
})
