import { assert, describe, it } from "@effect/vitest"
import { readEml } from "../../../src/ingest/formats/mail/readEml.ts"
import { readXlsx } from "../../../src/ingest/formats/office/readXlsx.ts"
import { readCsv } from "../../../src/ingest/formats/text/readCsv.ts"
import { readHtmlPage } from "../../../src/ingest/formats/text/readHtml.ts"
import { sheetOf, xlsx } from "../support/office.ts"

const utf8 = (text: string) => new TextEncoder().encode(text)
const cells = (...texts: ReadonlyArray<string>) =>
  `<row>${texts.map((text) => `<c t="inlineStr"><is><t>${text}</t></is></c>`).join("")}</row>`

describe("entities of HTML in names", () => {
  it("of a sheet and its columns are decoded once, and those of its values are not", async () => {
    const xml = sheetOf(
      cells("Gr&amp;ouml;&amp;szlig;e", "A &amp;amp;amp; B") +
        cells("&amp;auml;", "1") +
        '<row><c t="inlineStr"><is><t>b</t></is></c><c><v>2</v></c></row>',
    )
    const { elements } = await readXlsx(xlsx([{ name: "Ums&amp;auml;tze R&amp;amp;D", xml }]))
    assert.deepStrictEqual(
      elements.map(({ text }) => text),
      ["Umsätze R&D", "Größe\tA &amp; B", "&auml;\t1", "b\t2"],
    )
    assert.deepStrictEqual(elements.find(({ labels }) => labels !== undefined)?.labels, ["Größe", "A &amp; B"])
  })

  it("of the columns of a CSV file are decoded once", async () => {
    const { elements } = readCsv(utf8("Name,Gr&ouml;&szlig;e\nA,1\nB,2\n"), "")
    assert.strictEqual(elements[0]?.text, "Name\tGröße")
  })

  it("of a mail's subject and attachments are decoded once", async () => {
    const mail = `From: a@b.example\r\nSubject: R&amp;D f&uuml;r Sie\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\nHi.\r\n--b\r\nContent-Type: text/plain\r\nContent-Disposition: attachment; filename="Preise &Uuml;bersicht.txt"\r\n\r\nHello\r\n--b--\r\n`
    const { elements, attachments } = await readEml(utf8(mail))
    assert.strictEqual(elements[0]?.text, "R&D für Sie")
    assert.strictEqual(attachments?.[0]?.fileName, "Preise Übersicht.txt")
  })

  it("of a web page are decoded once", async () => {
    const { elements } = await readHtmlPage(utf8("<h1>R&amp;amp;D &auml;</h1>"))
    assert.strictEqual(elements[0]?.text, "R&amp;D ä")
  })
})
