import { assert, describe, it } from "@effect/vitest"
import { strToU8, zipSync } from "fflate"
import { LIMITS } from "../../../../src/ingest/document.ts"
import { readDocx } from "../../../../src/ingest/formats/office/readDocx.ts"
import { readPptx } from "../../../../src/ingest/formats/office/readPptx.ts"
import { UnreadableError } from "../../../../src/ingest/UnreadableError.ts"
import { readXlsx } from "../../../../src/ingest/formats/office/readXlsx.ts"
import { openZip } from "../../../../src/ingest/safety/zip.ts"
import { makeRandom, seedOfRun } from "../../../support/random.ts"
import { codeOf } from "../../support/codeOf.ts"
import { brokenNumberFormats, refused, sheet, stopsAtCells, stored, withLimits } from "../../support/officeHostile.ts"
import { docx, office, paragraph, pptx, relationships, shape, sheetOf, xlsx } from "../../support/office.ts"

const patched = (bytes: Uint8Array, signature: number, offset: number, value: number): Uint8Array => {
  const copy = bytes.slice()
  const view = new DataView(copy.buffer)
  for (let at = 0; at + 46 <= copy.length; at++) {
    if (view.getUint32(at, true) === signature) view.setUint32(at + offset, value, true)
  }
  return copy
}
const CENTRAL = 0x02014b50

const withStrings = (rows: string) =>
  xlsx([{ name: "S", xml: sheetOf(rows) }], { strings: "<sst><si><t>Acme</t></si></sst>" })

const SAMPLES = {
  docx: { bytes: docx(paragraph("Hello").repeat(300)), read: readDocx },
  pptx: { bytes: pptx(Array.from({ length: 20 }, (_, at) => ({ shapes: shape(`Slide ${at}`) }))), read: readPptx },
  xlsx: { bytes: withStrings("<row><c><v>1.5</v></c><c t='s'><v>0</v></c></row>".repeat(500)), read: readXlsx },
}

describe("zips", () => {
  it("refuses a bomb while it unpacks: by ratio, by its stated size, and by the sum of all parts", async () => {
    await refused("unsafe", readXlsx(sheet(" ".repeat(20_000_000))))
    await refused("unsafe", readDocx(docx(paragraph("a".repeat(20_000_000)))))
    await refused("too-large", readXlsx(patched(SAMPLES.xlsx.bytes, CENTRAL, 24, LIMITS.entryBytes + 1)))
    const random = makeRandom(1)
    const noise = new Uint8Array(3_000_000).map(() => random.below(256))
    const zip = openZip(zipSync({ noise }, { level: 0 }))
    const drain = () => {
      for (let times = 0; times < 150; times++) zip.pieces("noise", () => undefined)
    }
    assert.strictEqual((await codeOf(drain)).code, "too-large")
  })

  it("refuses too many parts, two parts with one name, and names that lead out of the file", async () => {
    const nothing = new Uint8Array()
    const many = Object.fromEntries(Array.from({ length: LIMITS.zipEntries }, (_, at) => [`xl/${at}`, nothing]))
    await refused("unsafe", readXlsx(office("xl/workbook.xml", many)))
    await refused("unsafe", readXlsx(office("a.xml", { "xl/A.xml": "1", "xl/a.xml": "2" })))
    await refused("unsafe", readXlsx(office("a.xml", { "../../etc/passwd": "1" })))
    await refused("unsafe", readXlsx(office("a.xml", { "xl\\..\\..\\x": "1" })))
  })

  it("refuses encrypted zips, other compression methods, and zips without a document", async () => {
    await refused("encrypted", readXlsx(patched(SAMPLES.xlsx.bytes, CENTRAL, 8, 1 | (8 << 16))))
    await refused("unsupported", readXlsx(patched(SAMPLES.xlsx.bytes, CENTRAL, 10, 14)))
    const compound = Uint8Array.from([0xd0, 0xcf, 0x11, 0xe0, ...new Uint8Array(600)])
    await refused("unsupported", readDocx(compound))
    const name = new Uint8Array(new Uint16Array([..."EncryptedPackage"].map((letter) => letter.charCodeAt(0))).buffer)
    await refused("encrypted", readDocx(Uint8Array.from([...compound, ...name])))
    await refused("empty", readDocx(new Uint8Array()))
    await refused("damaged", readDocx(strToU8("a text file that was renamed")))
    await refused("damaged", readDocx(zipSync({ "readme.txt": strToU8("hi") })))
  })

  it("does not open a zip inside a zip, and finds the end before a comment", async () => {
    const nested = office("xl/workbook.xml", { "xl/embeddings/bomb.zip": sheet(" ".repeat(5_000_000)) })
    await refused("damaged", readXlsx(nested))
    const { bytes } = SAMPLES.docx
    const commented = Uint8Array.from([...bytes, ...strToU8("written by a tool")])
    new DataView(commented.buffer).setUint16(bytes.length - 2, 17, true)
    assert.lengthOf((await readDocx(commented)).elements, 300)
  })
})

describe("XML", () => {
  it("refuses every document type: a billion laughs, an external entity, and one outside the main part", async () => {
    const laughs = `<!DOCTYPE l [<!ENTITY a "lol">${["b", "c", "d"].map((name, at) => `<!ENTITY ${name} "${`&${"abc"[at]};`.repeat(10)}">`).join("")}]>`
    await refused("unsafe", readDocx(office("d.xml", { "d.xml": `${laughs}<document><p>&d;</p></document>` })))
    const outside = '<!DOCTYPE x [<!ENTITY x SYSTEM "file:///etc/passwd">]><workbook>&x;</workbook>'
    await refused("unsafe", readXlsx(office("b.xml", { "b.xml": outside })))
    await refused("unsafe", readXlsx(xlsx([], { strings: `<!DOCTYPE sst SYSTEM "http://127.0.0.1/">${"<sst/>"}` })))
    await refused("damaged", readDocx(docx(paragraph("&undeclared;"))))
  })

  it("refuses nesting beyond the limit in each format, and reads nested tables within it", async () => {
    const deep = (name: string, inner: string, times: number) =>
      `<${name}>`.repeat(times) + inner + `</${name}>`.repeat(times)
    await refused("unsafe", readDocx(docx(deep("w:sdt", paragraph("x"), 10_000))))
    await refused("unsafe", readPptx(pptx([{ shapes: deep("p:grpSp", shape("x"), 10_000) }])))
    await refused("unsafe", readXlsx(sheet(deep("row", "<c/>", 10_000))))
    const tables = "<w:tbl><w:tr><w:tc>".repeat(320) + paragraph("Innermost") + "</w:tc></w:tr></w:tbl>".repeat(320)
    assert.deepStrictEqual(
      (await readDocx(docx(tables))).elements.map(({ text }) => text),
      ["Innermost"],
    )
    const paragraphs = deep("w:p", "<w:r><w:t>Innermost</w:t></w:r>", 900)
    assert.include((await readDocx(docx(paragraphs))).elements[0]!.text, "Innermost")
  })
})

describe("endless content", () => {
  it("stops at the limits of cells, of rows, and of text from shared strings", () =>
    withLimits(50, () => stopsAtCells(50)))

  it("refuses markup that is one endless token", () =>
    refused("too-large", readDocx(stored(docx(`<!--${"endless ".repeat(4_300_000)}-->`)))))

  it("reads cells whose number formats are broken, endless, or very many", async () => {
    assert.lengthOf((await readXlsx(brokenNumberFormats(1_000))).elements, 6)
  })

  it("stops at a block too large for mammoth, and at a presentation of too many slides", async () => {
    await refused("too-large", readDocx(stored(docx(`<w:p><w:r>${"<w:br/>".repeat(100_001)}</w:r></w:p>`))))
    const ids = Array.from({ length: LIMITS.pages + 1 }, (_, at) => `<sldId xmlns:r="r" r:id="${at}"/>`).join("")
    await refused("too-large", readPptx(office("p.xml", { "p.xml": `<presentation>${ids}</presentation>` })))
  })

  it("stops at slides and styles that refer to themselves", async () => {
    const loop = office("ppt/p.xml", {
      "ppt/p.xml": `<presentation xmlns:r="r">${'<sldId r:id="s"/>'.repeat(50)}</presentation>`,
      "ppt/_rels/p.xml.rels": relationships([["s", "slide", "p.xml"]]),
    })
    await refused("empty", readPptx(loop))
    const styles = '<w:styles><w:style w:styleId="A"><w:basedOn w:val="A"/></w:style></w:styles>'
    assert.lengthOf((await readDocx(docx(paragraph("x", '<w:pStyle w:val="A"/>'), { styles }))).elements, 1)
  })
})

describe("broken files", () => {
  for (const [format, { bytes, read }] of Object.entries(SAMPLES)) {
    it(`reports a ${format} that is truncated anywhere as damaged`, async () => {
      for (let part = 0; part < 20; part++) {
        const cut = bytes.slice(0, Math.floor((bytes.length * part) / 20))
        await refused(part === 0 ? "empty" : "damaged", read(cut))
      }
      await refused("damaged", read(bytes.slice(0, -1)))
    })

    it(`reads a ${format} with flipped bits or fails with a typed error`, async () => {
      const random = makeRandom(seedOfRun(`bit flips in ${format}`))
      const whole = JSON.stringify(await read(bytes.slice()))
      for (let flip = 0; flip < 200; flip++) {
        const copy = bytes.slice()
        const at = random.below(copy.length)
        copy[at]! ^= 1 << random.below(8)
        // The CRC ensures that a part reads as it was written or not at all.
        try {
          assert.strictEqual(JSON.stringify(await read(copy)), whole)
        } catch (error) {
          if (!(error instanceof UnreadableError)) throw error
        }
      }
    })
  }
})
