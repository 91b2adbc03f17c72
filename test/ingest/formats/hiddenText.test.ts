import { assert, describe, it } from "@effect/vitest"
import { chunk } from "../../../src/ingest/chunk.ts"
import type { ReadDocument } from "../../../src/ingest/document.ts"
import { readDocx } from "../../../src/ingest/formats/office/readDocx.ts"
import { readOdt } from "../../../src/ingest/formats/office/readOdt.ts"
import { readPptx } from "../../../src/ingest/formats/office/readPptx.ts"
import { readPdf } from "../../../src/ingest/formats/pdf/readPdf.ts"
import { readRtf } from "../../../src/ingest/formats/rtf/readRtf.ts"
import { READERS } from "../../../src/ingest/readers.ts"
import { writeText } from "../../../src/core/library/viewer/text.ts"
import { docx, paragraph, pptx, shape } from "../support/office.ts"
import { odt } from "../support/odt.ts"
import { pagesOf, SCAN } from "../support/pdf.ts"

const SECRET = "Orvanta is free of charge until 2030."
const utf8 = (text: string) => new TextEncoder().encode(text)
const run = (text: string, properties: string) => `<w:r><w:rPr>${properties}</w:rPr><w:t>${text}</w:t></w:r>`
const line = (text: string, y: number, more: object = {}) => ({ text, y, ...more })

const FILES: Readonly<Record<string, readonly [read: () => Promise<ReadDocument>, place: string]>> = {
  "a hidden slide": [
    () =>
      readPptx(
        pptx([{ shapes: shape("Before.") }, { shapes: shape(SECRET), isHidden: true }, { shapes: shape("After.") }]),
      ),
    "(slide 2)",
  ],
  "hidden runs of Word": [
    () => readDocx(docx(paragraph("Before.") + `<w:p>${run(SECRET, "<w:vanish/>")}</w:p>` + paragraph("After."))),
    "struck out, such as",
  ],
  "a hidden run inside a paragraph": [
    () =>
      readDocx(
        docx(`<w:p>${run("Before.", "")}${run(SECRET, "<w:vanish/>")}${run("After.", '<w:vanish w:val="0"/>')}</w:p>`),
      ),
    "struck out, such as",
  ],
  "a hidden run of RTF": [
    () => readRtf(utf8(`{\\rtf1 Before.{\\v ${SECRET}}{\\xe\\v entry}{\\deleted gone}\\par After.}`)),
    "struck out, such as",
  ],
  "hidden paragraphs and spans of ODT": [
    () => {
      const hidden = (name: string, more = "") =>
        `<style:style style:name="${name}"${more}><style:text-properties text:display="none"/></style:style>`
      const styles = `${hidden("Secret")}<style:style style:name="Inner" style:parent-style-name="Secret"/>`
      const [one, two] = [SECRET.slice(0, 18), SECRET.slice(18)]
      const body = `<text:p>Before.<text:span text:style-name="Secret">${one}</text:span><text:span text:style-name="Inner">${two}</text:span></text:p><text:p>After.</text:p>`
      return readOdt(odt(body, undefined, styles))
    },
    "struck out, such as",
  ],
  "struck-out runs of Word": [
    () =>
      readDocx(
        docx(
          `<w:p>${run("Before.", '<w:strike w:val="0"/>')}${run(SECRET.slice(0, 9), "<w:strike/>")}${run(SECRET.slice(9), '<w:dstrike w:val="true"/><w:vanish/>')}</w:p>` +
            paragraph("After."),
        ),
      ),
    "struck out, such as",
  ],
  "a struck-out run of RTF": [
    () =>
      readRtf(
        utf8(`{\\rtf1 Before.\\strike ${SECRET.slice(0, 9)}\\strike0{\\striked1 ${SECRET.slice(9)}}\\par After.}`),
      ),
    "struck out, such as",
  ],
  "struck-out spans of ODT": [
    () =>
      readOdt(
        odt(
          `<text:p>Before.<text:span text:style-name="Old">${SECRET}</text:span></text:p><text:p>After.</text:p>`,
          undefined,
          '<style:style style:name="Old"><style:text-properties style:text-line-through-style="solid"/></style:style><style:style style:name="New"><style:text-properties style:text-line-through-style="none"/></style:style>',
        ),
      ),
    "struck out, such as",
  ],
  "struck-out runs of a slide": [
    () =>
      readPptx(
        pptx([
          {
            shapes: `${shape("Before.")}<p:sp><p:txBody><a:p><a:r><a:rPr strike="sngStrike"/><a:t>${SECRET}</a:t></a:r><a:r><a:rPr strike="noStrike"/><a:t>After.</a:t></a:r></a:p></p:txBody></p:sp>`,
          },
        ]),
      ),
    "(slide 1)",
  ],
  "struck-out elements of a page": [
    () => READERS.html(utf8(`<p>Before.<del><b>${SECRET}</b></del></p><nav><s>x</s></nav><p>After.</p>`)),
    "struck out, such as",
  ],
  "struck-out marks of Markdown": [() => READERS.md(utf8(`Before.~~${SECRET}~~\n\nAfter.`)), "struck out, such as"],
  "a hidden section of ODT": [
    () =>
      readOdt(
        odt(
          `<text:p>Before.</text:p><text:section text:display="none"><text:p>${SECRET}</text:p></text:section><text:p>After.</text:p>`,
        ),
      ),
    "struck out, such as",
  ],
  "invisible text of a PDF file": [
    () =>
      readPdf(
        pagesOf([
          `BT /F1 10 Tf 72 700 Td (Before.) Tj ET q BT 3 Tr /F1 10 Tf 72 680 Td (${SECRET}) Tj ET Q BT /F1 10 Tf 72 660 Td (After.) Tj ET`,
        ]),
      ),
    "(page 1)",
  ],
  "white text on a white page and on a white box": [
    () =>
      readPdf(
        pagesOf([
          `0 0 1 rg 72 300 200 50 re f BT 0 g /F1 10 Tf 72 700 Td (Before.) Tj ET 1 1 1 rg 60 670 400 30 re f BT 1 g /F1 10 Tf 72 680 Td (${SECRET}) Tj ET BT 0 g /F1 10 Tf 72 660 Td (After.) Tj ET`,
        ]),
      ),
    "(page 1)",
  ],
  "invisible text in a stream that is too large to look at": [
    () =>
      readPdf(
        pagesOf([
          `BT /F1 10 Tf 72 700 Td (Before.) Tj ET %${"x".repeat(5 * 1024 * 1024)}\nq BT 3 Tr /F1 10 Tf 72 680 Td (${SECRET}) Tj ET Q BT /F1 10 Tf 72 660 Td (After.) Tj ET`,
        ]),
      ),
    "(page 1)",
  ],
  "text of size 0": [
    () => readPdf(pagesOf([[line("Before.", 700), line(SECRET, 680, { size: 0.001 }), line("After.", 660)]])),
    "(page 1)",
  ],
}

describe("text that no reader sees, or that is struck out", () => {
  it.each(Object.keys(FILES))(
    "of %s is an element apart, in no chunk, with a warning that names its place",
    async (of) => {
      const [read, place] = FILES[of]!
      const document = await read()
      const hidden = document.elements.filter((element) => element.hidden === true)
      assert.deepStrictEqual(
        hidden.map(({ text }) => text),
        [SECRET],
      )
      assert.strictEqual(document.warnings.length, 1)
      assert.strictEqual(document.warnings[0]?.code, "hidden_text")
      assert.include(document.warnings[0]?.message, place)
      const { text, chunks, elements } = chunk(document)
      assert.match(text, /^Before\.\s*After\.$/)
      for (const each of chunks) assert.strictEqual(text.slice(each.start, each.end), each.text)
      assert.notInclude([...chunks].map((each) => each.text).join(), "Orvanta")
      assert.include(
        [...elements].map((each) => each.text),
        SECRET,
      )
    },
  )

  it("is apart in mails too", async () => {
    const html = `From: a@b.example\r\nTo: c@d.example\r\nContent-Type: text/html\r\n\r\n<p>Now <span style="color:red; text-decoration: line-through">${SECRET}</span>$12.</p>`
    const { elements, warnings } = await READERS.eml(utf8(html))
    assert.deepStrictEqual(
      elements.slice(-2).map(({ text, hidden }) => [text, hidden]),
      [
        [SECRET, true],
        ["Now $12.", undefined],
      ],
    )
    assert.strictEqual(warnings[0]?.code, "hidden_text")
  })

  it("is shown by the viewer as hidden, and never marked", async () => {
    const { text, elements } = chunk(await FILES["a hidden slide"]![0]())
    const { markup } = writeText([...elements], { start: 0, end: text.length }, "")
    assert.include(markup, `<span class="label">Hidden or struck out</span> ${SECRET}</p>`)
    assert.strictEqual(markup.match(/<mark/g)?.length, 2)
  })

  it("is the recognized text of a scan where a picture is under it", async () => {
    const { elements, warnings } = await readPdf(pagesOf([`${SCAN} BT 3 Tr /F1 10 Tf 72 680 Td (${SECRET}) Tj ET`]))
    assert.deepStrictEqual([elements.map(({ text }) => text), warnings], [[SECRET], []])
  })

  it("is not white text on a dark box or on a picture", async () => {
    const white = (text: string, y: number) => `BT 1 g /F1 10 Tf 72 ${y} Td (${text}) Tj ET`
    const page = `0 0 0.4 rg 60 690 300 30 re f ${white("Header", 700)} q 300 0 0 100 60 500 cm BI /W 2 /H 2 /BPC 8 /CS /G ID \u0001\u0002\u0003\u0004 EI Q ${white("Caption", 550)}`
    const { elements, warnings } = await readPdf(pagesOf([page]))
    assert.deepStrictEqual(
      [elements.map(({ text, hidden }) => [text, hidden]), warnings],
      [
        [
          ["Header", undefined],
          ["Caption", undefined],
        ],
        [],
      ],
    )
  })

  it("is not read at all beside a page of a PDF file", async () => {
    const { elements } = await readPdf(pagesOf([[line("Before.", 700), line(SECRET, 680, { x: 900 })]]))
    assert.deepStrictEqual(
      elements.map(({ text }) => text),
      ["Before."],
    )
  })

  it("leaves documents without it as they are", async () => {
    const { elements, warnings } = await readDocx(docx(paragraph("All of it.")))
    assert.deepStrictEqual([elements.length, warnings], [1, []])
  })
})
