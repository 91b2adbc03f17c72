import { assert, describe, it } from "@effect/vitest"
import { FORMATS } from "../../../src/ingest/document.ts"
import { agrees, CONTENT_TYPES, formatOf, sniff } from "../../../src/ingest/safety/sniff.ts"
import { corpus } from "../support/corpus.ts"
import { zipSync } from "fflate"
import { pagesOf } from "../support/pdf.ts"
import { needs } from "../../support/needs.ts"

const bytes = (...parts: ReadonlyArray<string | ReadonlyArray<number>>) =>
  Uint8Array.from(parts.flatMap((part) => (typeof part === "string" ? [...part].map((c) => c.charCodeAt(0)) : part)))

/** A local header of a stored, empty entry. */
const entry = (name: string) =>
  bytes(
    "PK\u0003\u0004",
    [20, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
    [name.length, 0, 0, 0],
    name,
  )
const join = (...parts: ReadonlyArray<Uint8Array>) => Uint8Array.from(parts.flatMap((part) => [...part]))
const types = entry("[Content_Types].xml")
/** MPEG 1, layer III, 128 kbit/s, 44.1 kHz: 417 bytes a frame. */
const frame = bytes(
  [0xff, 0xfb, 0x90, 0x00],
  Array.from({ length: 413 }, () => 0),
)

describe("sniff", () => {
  it("detects each format by its bytes, not by its name", () => {
    assert.strictEqual(sniff(pagesOf([[]])), "pdf")
    assert.strictEqual(sniff(join(types, entry("word/document.xml"))), "docx")
    assert.strictEqual(sniff(join(types, entry("ppt/presentation.xml"))), "pptx")
    assert.strictEqual(sniff(join(types, entry("_rels/.rels")), entry("xl/workbook.xml")), "xlsx")
    assert.strictEqual(sniff(bytes("ID3", [4, 0, 0])), "mp3")
    assert.strictEqual(sniff(join(frame, frame)), "mp3")
    assert.strictEqual(sniff(bytes("RIFF", [36, 0, 0, 0], "WAVEfmt ")), "wav")
    assert.strictEqual(sniff(bytes([0, 0, 0, 32], "ftypM4A ", [0, 0, 0, 0])), "m4a")
    assert.strictEqual(sniff(bytes([0, 0, 0, 32], "ftypisom", [0, 0, 2, 0])), "mp4")
    assert.strictEqual(sniff(bytes("# Notes\n\nWe won.")), "text")
    assert.strictEqual(sniff(bytes([0xff, 0xfe], "H\0i\0")), "text")
    assert.strictEqual(sniff(bytes("H\0e\0l\0l\0o\0")), "text")
    assert.strictEqual(sniff(bytes([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1])), "ole")
  })

  it("is not fooled by polyglots and similar bytes", () => {
    assert.strictEqual(sniff(join(types, entry("word/document.xml"), entry("xl/workbook.xml"))), "zip")
    assert.strictEqual(sniff(join(entry("word/document.xml"), entry("evil.exe"))), "zip")
    assert.strictEqual(sniff(join(types, entry("word/document.xml"), bytes("%PDF-1.7"))), "docx")
    assert.strictEqual(sniff(join(pagesOf([[]]), types, entry("word/document.xml"))), "pdf")
    assert.strictEqual(sniff(bytes("A file that begins with %PDF-1.7 is a PDF; this is not.")), "text")
    assert.strictEqual(sniff(bytes("<html><script>alert(1)</script>")), "text")
    assert.strictEqual(sniff(bytes("RIFF", [36, 0, 0, 0], "AVI LIST")), undefined)
    assert.strictEqual(sniff(bytes([0, 0, 0, 32], "ftypheic")), undefined)
    assert.strictEqual(sniff(bytes([0x7f], "ELF", [2, 1, 1, 0, 0, 0, 0])), undefined)
    assert.strictEqual(sniff(join(frame.slice(0, 417), bytes("and then no other frame"))), undefined)
    assert.strictEqual(sniff(new Uint8Array()), undefined)
  })

  it("detects a presentation that contains an unpacked workbook by its own entry names", () => {
    const empty = new Uint8Array()
    const workbook = zipSync({ "[Content_Types].xml": empty, "xl/workbook.xml": empty }, { level: 0 })
    const parts = { "[Content_Types].xml": empty, "ppt/presentation.xml": empty, "ppt/embeddings/sheet.xlsx": workbook }
    const all = zipSync(parts, { level: 0 })
    assert.strictEqual(sniff(all, all), "pptx")
  })

  it("accepts a content type only if the bytes agree", () => {
    for (const format of FORMATS) {
      for (const type of CONTENT_TYPES[format]) assert.strictEqual(formatOf(`${type.toUpperCase()}; charset=x`), format)
    }
    assert.isTrue(agrees("application/pdf", "pdf"))
    assert.isTrue(agrees("text/markdown; charset=utf-8", "text"))
    assert.isTrue(agrees("audio/mp4", "mp4"))
    assert.isTrue(agrees("video/mp4", "m4a"))
    assert.isFalse(agrees("application/pdf", "docx"))
    assert.isFalse(agrees("application/pdf", "text"))
    assert.isFalse(agrees("text/plain", "pdf"))
    assert.isFalse(agrees("text/html", "pdf"))
    assert.isFalse(agrees(CONTENT_TYPES.docx[0], "zip"))
    assert.isFalse(agrees(CONTENT_TYPES.docx[0], "ole"))
    assert.isFalse(agrees("audio/mpeg", undefined))
  })

  it("detects every readable file of the corpus", needs("shared/data/documents", corpus.length > 0), () => {
    for (const { file, format, reference, bytes } of corpus) {
      const all = bytes()
      if (reference !== "") assert.strictEqual(sniff(all.subarray(0, 4096), all.subarray(-65_536)), format, file)
    }
  })
})
