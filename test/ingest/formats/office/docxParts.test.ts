import { assert, describe, it } from "@effect/vitest"
import { strToU8 } from "fflate"
import { readDocx } from "../../../../src/ingest/formats/office/readDocx.ts"
import { docx, office, paragraph, relationships } from "../../support/office.ts"

const WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
const part = (root: string, text: string) => `<w:${root} xmlns:w="${WORD}">${paragraph(text)}</w:${root}>`
const textsOf = async (bytes: Uint8Array) =>
  (await readDocx(bytes)).elements.map(({ kind, text, hidden }) => `${hidden ? "hidden" : kind}: ${text}`)

const field = (data: string, result = "") =>
  `<w:r><w:fldChar w:fldCharType="begin"><w:ffData><w:name w:val="F"/>${data}</w:ffData></w:fldChar></w:r>` +
  `<w:r><w:instrText>FORM</w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r>${result}<w:r><w:fldChar w:fldCharType="end"/></w:r>`
const run = (text: string, properties = "") =>
  `<w:r><w:rPr>${properties}</w:rPr><w:t xml:space="preserve">${text}</w:t></w:r>`

/** A document whose body ends with files, by name. */
const withFiles = (body: string, files: Readonly<Record<string, string | Uint8Array>>) =>
  office("word/document.xml", {
    "word/document.xml": `<w:document xmlns:w="${WORD}" xmlns:r="r"><w:body>${body}</w:body></w:document>`,
    "word/_rels/document.xml.rels": relationships(Object.keys(files).map((name) => [name, "aFChunk", name])),
    ...Object.fromEntries(Object.entries(files).map(([name, content]) => [`word/${name}`, content])),
  })
const file = (name: string) => `<w:altChunk r:id="${name}"/>`

describe("forms of Word", () => {
  it("has ticks and choices as text, whether the document repeats them or not", async () => {
    const box = (more: string) => field(`<w:checkBox><w:sizeAuto/>${more}</w:checkBox>`)
    const list = (chosen: string, result = "") =>
      field(`<w:ddList>${chosen}<w:listEntry w:val="Gold"/><w:listEntry w:val="Silver"/></w:ddList>`, result)
    const control =
      '<w:sdt><w:sdtPr><w14:checkbox xmlns:w14="w14"><w14:checked w14:val="1"/></w14:checkbox></w:sdtPr><w:sdtContent><w:r><w:t>☒</w:t></w:r></w:sdtContent></w:sdt>'
    const choice =
      '<w:sdt><w:sdtPr><w:dropDownList><w:listItem w:displayText="Net 30" w:value="30"/></w:dropDownList></w:sdtPr><w:sdtContent><w:r><w:t>Net 30</w:t></w:r></w:sdtContent></w:sdt>'
    const lines = [
      box('<w:default w:val="0"/><w:checked/>') + run(" Renewal"),
      box('<w:default w:val="1"/><w:checked w:val="0"/>') + run(" New"),
      box('<w:default w:val="1"/>') + run(" Auto"),
      run("Plan: ") + list('<w:result w:val="1"/>'),
      run("Plan: ") + list(""),
      run("Plan: ") + list('<w:result w:val="1"/>', run("Silver")),
      run("Name: ") + field("<w:textInput/>", run("Acme")),
      control + run(" Agreed, ") + choice,
    ]
    assert.deepStrictEqual(await textsOf(docx(lines.map((line) => `<w:p>${line}</w:p>`).join(""))), [
      "paragraph: ☒ Renewal",
      "paragraph: ☐ New",
      "paragraph: ☒ Auto",
      "paragraph: Plan: Silver",
      "paragraph: Plan: Gold",
      "paragraph: Plan: Silver",
      "paragraph: Name: Acme",
      "paragraph: ☒ Agreed, Net 30",
    ])
  })
})

describe("styles of Word that hide text", () => {
  it("hide runs and paragraphs, also by inheritance, unless a run says otherwise", async () => {
    const styles = `<w:styles xmlns:w="${WORD}">
      <w:style w:type="character" w:styleId="Secret"><w:rPr><w:vanish/></w:rPr></w:style>
      <w:style w:type="paragraph" w:styleId="Draft"><w:rPr><w:vanish/></w:rPr></w:style>
      <w:style w:type="paragraph" w:styleId="Inner"><w:basedOn w:val="Draft"/></w:style>
      <w:style w:type="paragraph" w:styleId="Shown"><w:basedOn w:val="Draft"/><w:rPr><w:vanish w:val="0"/></w:rPr></w:style></w:styles>`
    const styled = (style: string, runs: string) => `<w:p><w:pPr><w:pStyle w:val="${style}"/></w:pPr>${runs}</w:p>`
    const body =
      `<w:p>${run("A ", "")}${run("b", '<w:rStyle w:val="Secret"/>')}${run("c", '<w:rStyle w:val="Secret"/><w:vanish w:val="0"/>')}</w:p>` +
      styled("Inner", run("d")) +
      styled("Shown", run("e")) +
      `<w:p>${run("f")}</w:p>`
    assert.deepStrictEqual(await textsOf(docx(body, { styles })), [
      "paragraph: A c",
      "paragraph: e",
      "paragraph: f",
      "hidden: b",
      "hidden: d",
    ])
  })
})

describe("pages of Word", () => {
  it("have each header and footer once as a note, without page numbers, and text boxes where they stand", async () => {
    const box = `<w:p><w:r><w:pict><v:textbox xmlns:v="v"><w:txbxContent>${paragraph("Valid until May.")}</w:txbxContent></v:textbox></w:pict></w:r>${run("Price: 4.")}</w:p>`
    const parts = {
      header: part("hdr", "Offer 4711, confidential"),
      footer: part("ftr", "7 / 9"),
    }
    const twice = office("word/document.xml", {
      "word/document.xml": `<w:document xmlns:w="${WORD}"><w:body>${box}</w:body></w:document>`,
      "word/_rels/document.xml.rels": relationships([
        ["h1", "header", "header.xml"],
        ["h2", "header", "other.xml"],
        ["f", "footer", "footer.xml"],
      ]),
      "word/header.xml": parts.header,
      "word/other.xml": parts.header,
      "word/footer.xml": parts.footer,
    })
    assert.deepStrictEqual(await textsOf(twice), [
      "paragraph: Price: 4.",
      "paragraph: Valid until May.",
      "note: Offer 4711, confidential",
    ])
  })

  it("leave a transcript with a header a transcript", async () => {
    const turns = ["Ada Byron", "Ben Smith", "Ada Byron"].map(
      (name, at) => paragraph(`${name}  0:0${at}`) + paragraph(`Words ${at}.`),
    )
    const { elements } = await readDocx(docx(turns.join(""), { header: part("hdr", "Weekly call") }))
    assert.deepStrictEqual(
      elements.map(({ kind }) => kind),
      ["speech", "speech", "speech", "note"],
    )
  })
})

describe("files inside a Word document", () => {
  const page =
    "<html><body><h2>Terms</h2><p>Caf&eacute; &amp;amp; bar</p><table><tr><th>Plan</th><th>Price</th></tr><tr><td>Gold</td><td>40</td></tr></table></body></html>"
  const archive = `MIME-Version: 1.0\r\nContent-Type: multipart/related; boundary=b\r\n\r\n--b\r\nContent-Type: text/html; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n<p class=3D"x">Net =E2=82=AC 30</p>\r\n--b--\r\n`

  it("are read where they stand, whatever they are", async () => {
    const inner = docx(paragraph("From a document."))
    const body = `${paragraph("Before.")}${file("a.htm")}${paragraph("Between.")}${file("b.rtf")}${file("c.docx")}${file("d.mht")}${file("e.txt")}${paragraph("After.")}`
    const files = {
      "a.htm": page,
      "b.rtf": "{\\rtf1\\ansi From RTF.\\par}",
      "c.docx": inner,
      "d.mht": archive,
      "e.txt": "Plain words.",
    }
    assert.deepStrictEqual(await textsOf(withFiles(body, files)), [
      "paragraph: Before.",
      "heading: Terms",
      "paragraph: Café &amp; bar",
      "table-row: Plan\tPrice",
      "table-row: Gold\t40",
      "paragraph: Between.",
      "paragraph: From RTF.",
      "paragraph: From a document.",
      "paragraph: Net € 30",
      "paragraph: Plain words.",
      "paragraph: After.",
    ])
  })

  it("are named in a warning if they are missing, binary or nested too deeply", async () => {
    let nested: Uint8Array = docx(paragraph("Deep."))
    for (let depth = 0; depth < 4; depth++)
      nested = withFiles(paragraph(`At ${depth}.`) + file("n.docx"), { "n.docx": nested })
    const { elements, warnings } = await readDocx(
      withFiles(file("n.docx") + file("x.bin") + file("none"), {
        "n.docx": nested,
        "x.bin": strToU8("\0\u0001\u0002"),
      }),
    )
    assert.deepStrictEqual(
      elements.map(({ text }) => text),
      ["At 3.", "At 2."],
    )
    assert.deepStrictEqual(
      warnings.map(({ code, message }) => [code, message.slice(0, 63)]),
      [
        ["parts_unread", "Files inside the document were not read: n.docx. Open the docum"],
        ["parts_unread", "Files inside the document were not read: x.bin, none. Open the "],
      ],
    )
  })
})
