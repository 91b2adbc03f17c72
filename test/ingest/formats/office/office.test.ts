import { assert, describe, it } from "@effect/vitest"
import type { Element } from "../../../../src/ingest/document.ts"
import { readDocx } from "../../../../src/ingest/formats/office/readDocx.ts"
import { readPptx } from "../../../../src/ingest/formats/office/readPptx.ts"
import { readXlsx } from "../../../../src/ingest/formats/office/readXlsx.ts"
import { shownNumber, storedNumber } from "../../../../src/ingest/formats/office/xlsxNumbers.ts"
import { formatOfCode, GENERAL, kindOfFormat } from "../../../../src/ingest/formats/office/xlsxStyles.ts"
import { codeOf } from "../../support/codeOf.ts"
import { corpus, f1, mean, refused } from "../../support/corpus.ts"
import { docx, office, paragraph, pptx, shape, sheetOf, xlsx } from "../../support/office.ts"
import { needs } from "../../../support/needs.ts"

const FORMATS = [
  { format: "docx", read: readDocx, least: 0.95 },
  { format: "pptx", read: readPptx, least: 0.98 },
  // The references have the numbers that a sheet stores.
  { format: "xlsx", read: (bytes: Uint8Array) => readXlsx(bytes, undefined, storedNumber), least: 0.98 },
] as const

const show = ({ kind, level, text }: Element) => `${kind}${level ?? ""}: ${text}`

describe("Office files of the corpus", needs("shared/data/documents", corpus.length > 0), () => {
  for (const { format, read, least } of FORMATS) {
    const files = corpus.filter((sample) => sample.format === format)

    it(`agrees with the reference extractor on ${format}`, async () => {
      const scores = await Promise.all(
        files
          .filter(({ reference }) => reference !== "")
          .map(async ({ bytes, reference }) => {
            const { elements } = await read(bytes())
            for (const { text } of elements)
              assert.isTrue(text !== "" && text.replace(/^\t+/, "") === text.trim() && !text.includes("\0"))
            // The references have no notes of cells.
            const compared = format === "xlsx" ? elements.filter(({ kind }) => kind !== "note") : elements
            return f1(compared.map(({ text }) => text).join("\n"), reference)
          }),
      )
      console.log(`${format}: F1 ${mean(scores).toFixed(4)} over ${scores.length} files`)
      assert.isAtLeast(mean(scores), least)
    })

    it(`refuses every encrypted, damaged or unsafe ${format} with its code`, async () => {
      const bad = refused.filter((sample) => sample.format === format)
      assert.isNotEmpty(bad)
      for (const { file, bytes } of bad) {
        const { code, reason } = await codeOf(read(bytes()))
        assert.match(reason, /\.$/, file)
        if (file.includes("password") || file.includes("passtika")) assert.strictEqual(code, "encrypted", file)
        if (/Entity|xmlbomb|54764/.test(file)) assert.strictEqual(code, "unsafe", file)
        if (file.includes("clusterfuzz")) assert.strictEqual(code, "damaged", file)
        if (file.includes("poc-shared")) assert.strictEqual(code, "too-large", file)
      }
    })
  }
})

describe("DOCX", () => {
  it("finds headings by style, inheritance and outline level, lists by style and number, tables by row, notes last", async () => {
    const style = (id: string, inner: string) => `<w:style w:type="paragraph" w:styleId="${id}">${inner}</w:style>`
    const { elements } = await readDocx(
      docx(
        paragraph("Report", '<w:pStyle w:val="berschrift1"/>') +
          paragraph("Inherited", '<w:pStyle w:val="Mine"/>') +
          paragraph("By outline", '<w:pStyle w:val="Outlined"/>') +
          paragraph("Contents", '<w:pStyle w:val="Toc"/>') +
          paragraph("One", '<w:numPr><w:ilvl w:val="3"/><w:numId w:val="7"/></w:numPr>') +
          paragraph("Two", '<w:pStyle w:val="Bullet"/>') +
          paragraph("Not an item", '<w:pStyle w:val="Bullet"/><w:numPr><w:numId w:val="0"/></w:numPr>') +
          `<w:tbl><w:tr><w:tc>${paragraph("Plan")}</w:tc><w:tc>${paragraph("Price")}${paragraph("a month")}</w:tc></w:tr>` +
          `<w:tr><w:tc>${paragraph("Team")}</w:tc><w:tc><w:tbl><w:tr><w:tc>${paragraph("$40")}</w:tc></w:tr></w:tbl><w:p/></w:tc></w:tr></w:tbl>` +
          paragraph("After"),
        {
          styles: `<w:styles>${style("berschrift1", '<w:name w:val="heading 1"/>')}${style("Mine", '<w:name w:val="Mine"/><w:basedOn w:val="Sub"/>')}${style("Sub", '<w:name w:val="heading 2"/><w:basedOn w:val="Mine"/>')}${style("Outlined", '<w:name w:val="x"/><w:pPr><w:outlineLvl w:val="2"/></w:pPr>')}${style("Toc", '<w:name w:val="TOC Heading"/><w:basedOn w:val="berschrift1"/><w:pPr><w:outlineLvl w:val="9"/></w:pPr>')}${style("Bullet", '<w:name w:val="List Bullet"/><w:pPr><w:numPr><w:numId w:val="2"/></w:numPr></w:pPr>')}</w:styles>`,
          footnotes: `<w:footnotes><w:footnote w:id="1">${paragraph("Sources say so.")}</w:footnote></w:footnotes>`,
          comments: `<w:comments><w:comment w:id="1">${paragraph("Is that so?")}</w:comment></w:comments>`,
        },
      ),
    )
    assert.deepStrictEqual(elements.map(show), [
      "heading1: Report",
      "heading2: Inherited",
      "heading3: By outline",
      "paragraph: Contents",
      "list-item: One",
      "list-item: Two",
      "paragraph: Not an item",
      "table-row: Plan\tPrice a month",
      "table-row: Team\t$40",
      "paragraph: After",
      "note: Sources say so.",
      "note: Is that so?",
    ])
  })

  it("reads text boxes once, after their block; accepts insertions; leaves out deletions and field codes", async () => {
    const box = `<w:txbxContent>${paragraph("In a box")}</w:txbxContent>`
    const { elements } = await readDocx(
      docx(
        `<w:p><w:r><w:t>We </w:t></w:r><w:ins><w:r><w:t>now </w:t></w:r></w:ins><w:del><w:r><w:delText>never </w:delText></w:r></w:del>` +
          `<w:r><w:instrText> PAGE </w:instrText><w:t>win</w:t><w:tab/><w:t>&lt;all&gt;</w:t><w:br/><w:sym w:font="Wingdings" w:char="F0E0"/></w:r>` +
          `<w:r><mc:AlternateContent xmlns:mc="mc"><mc:Choice><w:drawing><wps:t xmlns:wps="w">no</wps:t>${box}</w:drawing></mc:Choice><mc:Fallback>${box}</mc:Fallback></mc:AlternateContent></w:r></w:p>` +
          paragraph("After"),
      ),
    )
    assert.deepStrictEqual(elements.map(show), [
      "paragraph: We now win\t<all>\n🡪",
      "paragraph: In a box",
      "paragraph: After",
    ])
  })

  it("reads a document of many slices completely and in order, and a long table row by row", async () => {
    const many = Array.from({ length: 9_000 }, (_, at) => `Paragraph ${at}`)
    const rows = Array.from({ length: 3_000 }, (_, at) => `Row ${at}\tvalue`)
    const { elements } = await readDocx(
      docx(
        many.map((text) => paragraph(text)).join("") +
          `<w:tbl>${rows
            .map(
              (row) =>
                `<w:tr>${row
                  .split("\t")
                  .map((cell) => `<w:tc>${paragraph(cell)}</w:tc>`)
                  .join("")}</w:tr>`,
            )
            .join("")}</w:tbl>`,
      ),
    )
    assert.deepStrictEqual(
      elements.map(({ text }) => text),
      [...many, ...rows],
    )
  })
})

describe("PPTX", () => {
  it("reads slides in the order of the show: title first, text, tables, charts, diagrams, notes", async () => {
    const chart = `<c:chartSpace xmlns:c="c" xmlns:a="a"><c:title><c:tx><c:rich><a:p><a:r><a:t>Win rate</a:t></a:r></a:p></c:rich></c:tx></c:title><c:ser><c:tx><c:strRef><c:strCache><c:pt><c:v>2026</c:v></c:pt></c:strCache></c:strRef></c:tx><c:cat><c:strCache><c:pt><c:v>Q1</c:v></c:pt><c:pt><c:v>Q2</c:v></c:pt></c:strCache></c:cat><c:val><c:numCache><c:pt><c:v>0.4</c:v></c:pt><c:pt><c:v>0.5</c:v></c:pt></c:numCache></c:val></c:ser></c:chartSpace>`
    const diagram = `<dgm:dataModel xmlns:dgm="d" xmlns:a="a"><dgm:pt><dgm:t><a:p><a:r><a:t>Qualify</a:t></a:r></a:p></dgm:t></dgm:pt></dgm:dataModel>`
    const cell = (text: string) => `<a:tc><a:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></a:txBody></a:tc>`
    const { elements } = await readPptx(
      pptx([
        {
          shapes:
            `${shape("First\nSecond")}${shape("Why we win", "title")}` +
            `<a:tbl><a:tr>${cell("Us")}${cell("Them")}</a:tr></a:tbl><c:chart xmlns:c="c" r:id="c1"/><dgm:relIds xmlns:dgm="d" r:dm="d1"/>`,
          parts: {
            c1: ["chart", "charts/chart1.xml", chart],
            d1: ["diagramData", "diagrams/data1.xml", diagram],
            n1: [
              "notesSlide",
              "notesSlides/notes1.xml",
              `<p:notes xmlns:p="p" xmlns:a="a">${shape("7", "sldNum")}${shape("Say it slowly.", "body")}</p:notes>`,
            ],
          },
        },
        { shapes: shape("Thanks", "ctrTitle") },
      ]),
    )
    assert.deepStrictEqual(
      elements.map((element) => `${element.place.kind === "slide" ? element.place.slide : "?"} ${show(element)}`),
      [
        "1 heading1: Why we win",
        "1 paragraph: First",
        "1 paragraph: Second",
        "1 table-row: Us\tThem",
        "1 paragraph: Win rate",
        "1 table-row: \tQ1\tQ2",
        "1 table-row: 2026\t0.4\t0.5",
        "1 list-item: Qualify",
        "1 note: Say it slowly.",
        "2 heading1: Thanks",
      ],
    )
  })
})

describe("XLSX", () => {
  it("reads strings, numbers, dates, booleans and the values of formulas, each row at its place", async () => {
    const { elements, warnings } = await readXlsx(
      xlsx(
        [
          {
            name: "Pipeline",
            xml: sheetOf(
              '<row r="3"><c r="A3" t="s"><v>0</v></c><c r="D3" t="inlineStr"><is><t>In</t><r><t>line</t></r></is></c></row>' +
                '<row><c s="1"><v>46112</v></c><c s="2"><v>46112.75</v></c><c><f>1+1</f><v>0.30000000000000004</v></c><c t="b"><v>1</v></c><c t="e"><v>#N/A</v></c><c t="str"><f>x</f><v>two\nlines</v></c></row>' +
                '<row r="9"><c r="B9"/></row>',
            ),
          },
          { name: "Old", xml: sheetOf('<x:row xmlns:x="x" r="1"><x:c r="XFD1"><x:v>12</x:v></x:c></x:row>') },
        ],
        {
          strings: "<sst><si><r><t>Ac</t></r><r><t>me</t></r><rPh><t>アクメ</t></rPh></si></sst>",
          styles:
            '<styleSheet><numFmts><numFmt numFmtId="164" formatCode="[$-409]d\\-mmm &quot;h&quot;"/></numFmts><cellStyleXfs><xf numFmtId="0"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="164"/><xf numFmtId="22"/></cellXfs></styleSheet>',
        },
      ),
    )
    assert.deepStrictEqual(elements, [
      { kind: "heading", level: 1, text: "Pipeline", place: { kind: "sheet", sheet: "Pipeline", row: 1 } },
      { kind: "table-row", labels: [], text: "Acme\t\t\tInline", place: { kind: "sheet", sheet: "Pipeline", row: 3 } },
      {
        kind: "table-row",
        text: "31-Mar h [2026-03-31]\t2026-03-31 18:00\t0.3\tTRUE\t#N/A\ttwo lines",
        place: { kind: "sheet", sheet: "Pipeline", row: 4 },
      },
      { kind: "heading", level: 1, text: "Old", place: { kind: "sheet", sheet: "Old", row: 1 } },
      { kind: "table-row", labels: [], text: `${"\t".repeat(64)}12`, place: { kind: "sheet", sheet: "Old", row: 1 } },
    ])
    assert.deepStrictEqual(warnings, [])
  })

  it("leaves cells without a value empty, and keeps columns apart after a shortened gap", async () => {
    const cells =
      '<c r="A1" t="s"/><c r="B1" t="b"/><c r="C1" t="n"><v>1</v></c><c r="CZ1"><v>2</v></c><c r="DB1"><v>3</v></c>'
    const strings = "<sst><si><t>first</t></si></sst>"
    const sheet = xlsx([{ name: "A", xml: sheetOf(`<row r="1">${cells}</row>`) }], { strings })
    const { elements } = await readXlsx(sheet)
    assert.strictEqual(elements[1]!.text, `\t\t1${"\t".repeat(65)}2\t\t3`)
  })

  it("knows a format's kind from its code", () => {
    for (const code of ["General", "0.00%", '0 "days"', "[Red]0.0", "\\d0", "#,##0_);(#,##0)", "0.00E+00"]) {
      assert.strictEqual(kindOfFormat(code), "number", code)
    }
    for (const code of ["yyyy-mm-dd", "[$-F400]h:mm AM/PM", "d/m;@", "mmm"])
      assert.strictEqual(kindOfFormat(code), "moment", code)
    assert.strictEqual(kindOfFormat("[h]:mm:ss"), "duration")
  })

  it("shows numbers as their cells do, with the value that the look hides", () => {
    const shown = (code: string, value: number, from1904 = false) =>
      shownNumber(String(value), formatOfCode(code), from1904)
    const dollars = '_($* #,##0.00_);_($* (#,##0.00);_($* "-"??_);_(@_)'
    for (const [code, value, expected] of [
      ["0%", 0.62, "62%"],
      ["0%", 0.6234, "62% [0.6234]"],
      ["$#,##0.00", 1200, "$1,200.00"],
      [dollars, -1234.5, "$(1,234.50)"],
      ["[$€-407] #,##0", 5, "€ 5"],
      ['#,##0.0,,"M"', 1_234_567, "1.2M [1234567]"],
      ["0.0", 14 / 3, "4.7 [4.66666666666667]"],
      ["0.00", 14 / 3, "4.67"],
      ["00000", 1234, "01234"],
      ['"Yes";;"No"', 1, "Yes"],
      ['[>100]"big";0', 150, "big [150]"],
      ["General", 0.1 + 0.2, "0.3"],
      ["General", 123_456_789_012_345, "123456789012345"],
      ["d mmm yyyy", 46_112, "31 Mar 2026"],
      ["[$-407]d. mmmm yyyy", 46_112, "31. März 2026"],
      ["m/d/yy", 46_085, "3/4/26 [2026-03-04]"],
      ["d-mmm", 46_112, "31-Mar [2026-03-31]"],
      ["mmm-yy", 46_112, "Mar-26"],
      ["yyyy-mm-dd", 46_112, "2026-03-31"],
      ["[$-F800]dddd, mmmm dd, yyyy", 46_112, "2026-03-31"],
      ["h:mm AM/PM", 0.75, "6:00 PM"],
      ["[h]:mm", 1.25, "30:00"],
      [";;;", 5, "5"],
      ['"open', 4, "4"],
      ["yyyy", -1, "-1"],
    ] as const) {
      assert.strictEqual(shown(code, value), expected, `${code} ${value}`)
    }
    assert.strictEqual(shown("d mmm yyyy", 46_112 - 1462, true), "31 Mar 2026")
    assert.strictEqual(shown("d/m/yy", 46_085 - 1462, true), "4/3/26 [2026-03-04]")
  })

  it("names hidden rows and columns that hold values, and reads them", async () => {
    const columns = '<cols><col min="2" max="2" hidden="1"/><col min="9" max="12" hidden="1"/></cols>'
    const row = (n: number, hidden = "") =>
      `<row r="${n}"${hidden}><c r="A${n}"><v>${n}</v></c><c r="B${n}"><v>7</v></c></row>`
    const xml = `<worksheet>${columns}<sheetData>${row(1)}${row(2, ' hidden="1"')}${row(3)}</sheetData></worksheet>`
    const { elements, warnings } = await readXlsx(xlsx([{ name: "Costs", xml }]))
    assert.deepStrictEqual(warnings, [
      { code: "cells_hidden", message: 'The sheet "Costs" hides column B and 1 row; they were read.' },
    ])
    assert.deepStrictEqual(
      elements.slice(1).map(({ text }) => text),
      ["1\t7", "2\t7", "3\t7"],
    )
  })

  it("counts days as Excel does, from 1900, with its 29 February, or from 1904", () => {
    const moment = formatOfCode("yyyy-mm-dd hh:mm")
    const duration = formatOfCode("[h]:mm:ss")
    assert.strictEqual(storedNumber("1", moment, false), "1900-01-01T00:00:00")
    assert.strictEqual(storedNumber("59", moment, false), "1900-02-28T00:00:00")
    assert.strictEqual(storedNumber("61", moment, false), "1900-03-01T00:00:00")
    assert.strictEqual(storedNumber("1", moment, true), "1904-01-02T00:00:00")
    assert.strictEqual(storedNumber("0.5", moment, false), "12:00:00")
    assert.strictEqual(storedNumber("1.25", duration, false), "30:00:00")
    assert.strictEqual(storedNumber("-3", moment, false), "-3")
    assert.strictEqual(storedNumber("1e99", moment, false), "1e+99")
    assert.strictEqual(storedNumber("not a number", GENERAL, false), "not a number")
  })

  it("reports empty workbooks, content of another format, and hidden sheets", async () => {
    assert.strictEqual((await codeOf(readXlsx(xlsx([{ name: "A", xml: sheetOf("") }])))).code, "empty")
    assert.strictEqual((await codeOf(readXlsx(docx(paragraph("x"))))).code, "unsupported")
    assert.strictEqual((await codeOf(readDocx(pptx([{ shapes: shape("x") }])))).code, "unsupported")
    const workbook = office("xl/workbook.xml", {
      "xl/workbook.xml":
        '<workbook xmlns:r="r"><sheets><sheet name="Costs" state="veryHidden" r:id="s"/></sheets></workbook>',
      "xl/_rels/workbook.xml.rels":
        '<Relationships><Relationship Id="s" Type="x/worksheet" Target="worksheets/a.xml"/></Relationships>',
      "xl/worksheets/a.xml": sheetOf("<row><c><v>1</v></c></row>"),
    })
    const [warning] = (await readXlsx(workbook)).warnings
    assert.strictEqual(warning?.code, "sheet_hidden")
    assert.include(warning?.message, '"Costs" is hidden')
  })
})
