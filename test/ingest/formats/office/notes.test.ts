import { assert, describe, it } from "@effect/vitest"
import { readPptx } from "../../../../src/ingest/formats/office/readPptx.ts"
import { readXlsx } from "../../../../src/ingest/formats/office/readXlsx.ts"
import { office, pptx, relationships, shape, xlsx } from "../../support/office.ts"

const TYPES = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"

describe("notes", () => {
  it("of cells, with threads of comments and text boxes, follow the rows of their sheet", async () => {
    const workbook = office("xl/workbook.xml", {
      "xl/workbook.xml": `<workbook xmlns:r="${TYPES}"><sheets><sheet name="Costs" r:id="s"/></sheets></workbook>`,
      "xl/_rels/workbook.xml.rels": relationships([["s", "worksheet", "worksheets/sheet.xml"]]),
      "xl/worksheets/sheet.xml":
        '<worksheet><sheetData><row r="4"><c r="B4"><v>12</v></c></row></sheetData></worksheet>',
      "xl/worksheets/_rels/sheet.xml.rels": relationships([
        ["c", "comments", "../comments1.xml"],
        ["t", "threadedComment", "../threads.xml"],
        ["d", "drawing", "../drawing.xml"],
      ]),
      "xl/comments1.xml":
        '<comments><authors><author>Ann</author></authors><commentList><comment ref="B4" authorId="0"><text><r><rPr><b/></rPr><t>Ann:</t></r><r><t xml:space="preserve"> without VAT</t></r></text></comment>' +
        '<comment ref="C5"><text><t>[Threaded comment] Your version of Excel …</t></text></comment></commentList></comments>',
      "xl/threads.xml":
        '<ThreadedComments><threadedComment ref="C5" id="1"><text>Is it final?</text></threadedComment><threadedComment ref="C5" id="2" parentId="1"><text>Yes.</text></threadedComment></ThreadedComments>',
      "xl/drawing.xml":
        '<xdr:wsDr xmlns:xdr="x" xmlns:a="a"><xdr:twoCellAnchor><xdr:from><xdr:col>1</xdr:col><xdr:row>6</xdr:row></xdr:from><xdr:to><xdr:row>9</xdr:row></xdr:to><xdr:sp><xdr:txBody><a:p><a:r><a:t>Prices of </a:t></a:r><a:r><a:t>May</a:t></a:r></a:p></xdr:txBody></xdr:sp></xdr:twoCellAnchor></xdr:wsDr>',
    })
    const { elements } = await readXlsx(workbook)
    assert.deepStrictEqual(
      elements.map(({ kind, text, place }) => [kind, text, place.kind === "sheet" ? place.row : 0]),
      [
        ["heading", "Costs", 1],
        ["table-row", "\t12", 4],
        ["note", "C5: Is it final?", 5],
        ["note", "C5: Yes.", 5],
        ["note", "B4: Ann: without VAT", 4],
        ["note", "Prices of May", 7],
      ],
    )
  })

  it("are the headers and footers that a sheet prints, each once, without their codes", async () => {
    const sheet = (more: string) =>
      `<worksheet><sheetData><row r="4"><c r="B4"><v>12</v></c></row></sheetData>${more}</worksheet>`
    const footer =
      '<oddFooter>&amp;CPage &amp;P of &amp;N&amp;R&amp;"Arial,Bold"&amp;8&amp;KFF0000Offer R&amp;&amp;D 4711</oddFooter>'
    const { elements } = await readXlsx(
      xlsx([
        {
          name: "Costs",
          xml: sheet(
            `<headerFooter differentFirst="1"><oddHeader>&amp;LConfidential&amp;R&amp;A</oddHeader>${footer}<evenHeader>Never printed</evenHeader><firstHeader>&amp;K01+000Draft of May</firstHeader></headerFooter>`,
          ),
        },
        { name: "More", xml: sheet(`<headerFooter><oddHeader>&amp;LConfidential</oddHeader></headerFooter>`) },
      ]),
    )
    assert.deepStrictEqual(
      elements.filter(({ kind }) => kind === "note").map(({ text, place }) => [text, place]),
      ["Confidential", "Offer R&D 4711", "Draft of May"].map((text) => [
        text,
        { kind: "sheet" as const, sheet: "Costs", row: 1 },
      ]),
    )
  })

  it("of slides have the speaker's text and the comments of older and newer programs", async () => {
    const notes = `<p:notes xmlns:p="p" xmlns:a="a"><p:cSld>${shape("Say it slowly.", "body")}${shape("3", "sldNum")}</p:cSld></p:notes>`
    const { elements } = await readPptx(
      pptx([
        {
          shapes: shape("Prices"),
          parts: {
            n: ["notesSlide", "notesSlides/n.xml", notes],
            c: [
              "comments",
              "comments/c.xml",
              '<p:cmLst xmlns:p="p"><p:cm authorId="0"><p:pos x="1" y="2"/><p:text>Too high?</p:text></p:cm></p:cmLst>',
            ],
            m: [
              "comments",
              "comments/m.xml",
              '<c:cmLst xmlns:c="c" xmlns:a="a"><c:cm><c:replyLst><c:reply><c:txBody><a:p><a:r><a:t>No.</a:t></a:r></a:p></c:txBody></c:reply></c:replyLst><c:txBody><a:p><a:r><a:t>Check it</a:t></a:r></a:p></c:txBody></c:cm></c:cmLst>',
            ],
          },
        },
      ]),
    )
    assert.deepStrictEqual(
      elements.map(({ kind, text }) => `${kind}: ${text}`),
      ["paragraph: Prices", "note: Say it slowly.", "note: Too high?", "note: No.", "note: Check it"],
    )
  })
})
