import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { unzipSync, zipSync } from "fflate"
import { CONTENT_TYPES } from "../../../src/ingest/safety/sniff.ts"
import { findRefusal } from "../../../src/ingest/safety/refusal.ts"
import { readXlsx } from "../../../src/ingest/formats/office/readXlsx.ts"
import { compoundFile } from "../support/compound.ts"
import { docx, paragraph, sheetOf, xlsx } from "../support/office.ts"

const utf8 = (text: string) => new TextEncoder().encode(text)
const refusal = (bytes: Uint8Array, type: string) =>
  findRefusal(type, bytes.subarray(0, 65_536), bytes.subarray(-65_536))

/** The types under which they are read. */
const READ_AS: Readonly<Record<string, ReadonlyArray<string>>> = {
  CSV: ["text/csv", "text/tab-separated-values"],
  HTML: ["text/html"],
  VTT: ["text/vtt", "application/x-subrip"],
  SRT: ["application/x-subrip", "text/vtt"],
  "e-mail": ["message/rfc822"],
  RTF: ["application/rtf", "text/rtf"],
}

/** Texts with markup, by the name in their refusal. */
const MARKUP: Readonly<Record<string, ReadonlyArray<string>>> = {
  CSV: [
    "name,amount,stage\r\nAcme,1000,Won\r\nInitech,2000,Lost\r\n",
    'name;note\nAcme;"They said: yes; ""maybe"""\nA;b\nC;d\nE;f\nG;h\n',
    `id\tname\tamount\n${"1\tAcme\t40\n".repeat(5)}`,
    `a,b,c\n${'1,"two, quoted and\nbroken",3\n'.repeat(5000)}`,
  ],
  HTML: [
    "<!DOCTYPE html>\n<html><body><p>We won.</p></body></html>",
    '<?xml version="1.0"?>\n<!-- saved -->\n<html lang="en"><head></head></html>',
    "<div><h1>Notes</h1><p>We <b>won</b>.</p><ul><li>One</li></ul></div>",
  ],
  "e-mail": [
    "Return-Path: <a@example.com>\r\nFrom: Ann <a@example.com>\r\nTo: b@example.com\r\nSubject: Offer\r\nMIME-Version: 1.0\r\nContent-Type: text/plain;\r\n charset=utf-8\r\n\r\nHello",
    "Date: Fri, 6 Nov 2026 10:00:00 +0000\r\nSubject: Exported From Confluence\r\nMIME-Version: 1.0\r\nContent-Type: multipart/related;\r\n boundary=b\r\n\r\n--b\r\nContent-Type: text/html\r\n\r\n<p class=3D",
    "From a@example.com Mon Jan  1 10:00:00 2026\nReceived: by mx\nFrom: a@example.com\n\nHello",
  ],
  RTF: ["{\\rtf1\\ansi{\\fonttbl}We won.}"],
  VTT: ["WEBVTT\n\n00:01.000 --> 00:02.000\n<v Ann>Hello"],
  SRT: ["1\r\n00:00:01,000 --> 00:00:02,500\r\nHello\r\n"],
}

const PASSES = [
  "Dear Bob,\nthank you, we met today.\nYours,\nAnn",
  "From: Ann\nTo: Bob\nSubject: Offer\nDate: Monday\n\nWe can do 40 EUR.",
  "We use `<div>` in the page:\n\n<div>\n<p>Hello</p>\n</div>\n\nand commas, too.",
  '<p align="center">\n  <img src="logo.png"> <a href="#">Docs</a> <b>x</b> <i>y</i>\n</p>\n\n# Sightline\n\n<p>End</p>',
  "12 Main St, Springfield, IL\n4 Elm St, Dallas, TX\n9 Oak St, Austin, TX\n1 Bay Rd, Boston, MA",
  "Name:\tAcme\nStage:\tWon\nOwner:\tAnn\nAmount:\t40",
  "# Prices\n\n```csv\nname,amount\nAcme,40\nInitech,50\n```",
  "1. One\n2. Two",
  "apples,pears\nbread,butter\n",
]

describe("refusals of uploads", () => {
  for (const [name, texts] of Object.entries(MARKUP)) {
    it(`refuses ${name} as text, and says what to send instead`, () => {
      for (const text of texts) {
        const [own, ...others] = READ_AS[name] ?? []
        for (const type of ["text/plain", "text/markdown; charset=utf-8", "text/csv", "text/html", "text/vtt"]) {
          if (type === own || others.includes(type)) continue
          const reason = refusal(utf8(text), type) ?? ""
          assert.include(reason, name, text.slice(0, 40))
          assert.include(reason, `Send ${own}.`)
        }
        for (const type of READ_AS[name] ?? []) assert.isUndefined(refusal(utf8(text), type), text.slice(0, 40))
      }
    })
  }

  it("knows a web page that is saved as Word by its bytes", () => {
    const [page = ""] = MARKUP["HTML"]!
    const [, saved = ""] = MARKUP["e-mail"]!
    assert.include(refusal(utf8(page), CONTENT_TYPES.docx[0]), "Send text/html.")
    assert.include(refusal(utf8(saved), CONTENT_TYPES.docx[0]), "Send message/rfc822.")
    for (const text of [page, saved]) assert.isUndefined(refusal(utf8(text), "application/msword"))
    assert.match(
      refusal(utf8("Only words."), "application/msword") ?? "",
      /is text, but content_type is application\/msword/,
    )
    assert.match(refusal(utf8("{\\rtf1 x}"), "application/msword") ?? "", /Send application\/rtf/)
    assert.match(refusal(docx(paragraph("x")), "application/msword") ?? "", /is DOCX, but/)
  })

  it("accepts prose, notes and Markdown with commas, headers or HTML", () => {
    for (const text of PASSES) assert.isUndefined(refusal(utf8(text), "text/plain"), text)
  })

  it("accepts every licence, readme and change log of the installed packages", () => {
    const root = fileURLToPath(new URL("../../../node_modules", import.meta.url))
    const names = (folder: string) => readdirSync(folder).filter((name) => !name.startsWith("."))
    const packages = names(root).flatMap((name) =>
      name.startsWith("@") ? names(join(root, name)).map((own) => join(root, name, own)) : [join(root, name)],
    )
    let taken = 0
    for (const folder of packages) {
      for (const entry of readdirSync(folder, { withFileTypes: true })) {
        if (!entry.isFile() || !/^(?:licen[cs]e|readme|change|notice|authors)|\.(?:md|txt|ts|js)$/i.test(entry.name))
          continue
        const bytes = new Uint8Array(readFileSync(join(folder, entry.name)))
        if (bytes.length === 0) continue
        assert.isUndefined(refusal(bytes, "text/plain"), join(folder, entry.name))
        taken++
      }
    }
    assert.isAbove(taken, 300)
  })

  it("accepts Outlook messages under their own type, and names it under others", () => {
    const [type] = CONTENT_TYPES.msg
    const message = compoundFile("__nameid_version1.0")
    assert.isUndefined(refusal(message, type))
    assert.isUndefined(refusal(compoundFile("Other"), type), "the names may be in the middle of the file")
    assert.match(refusal(compoundFile("EncryptedPackage"), type) ?? "", /protected by a password/)
    assert.match(refusal(message, "text/plain") ?? "", /is an Outlook message.*Send application\/vnd\.ms-outlook/)
  })

  it("leaves encrypted workbooks to their reader, which tries the password of Excel itself", () => {
    for (const stream of ["EncryptedPackage", "Other"])
      assert.isUndefined(refusal(compoundFile(stream), CONTENT_TYPES.xlsx[0]), stream)
    assert.match(refusal(compoundFile("Workbook"), CONTENT_TYPES.xlsx[0]) ?? "", /format of before 2007/)
  })

  it("distinguishes encrypted files and files from before 2007", () => {
    const reasons = {
      EncryptedPackage: /protected by a password\. Save it without one/,
      WordDocument: /format of before 2007.*save it as DOCX, XLSX or PPTX/,
      Workbook: /format of before 2007/,
      "PowerPoint Document": /format of before 2007/,
      Other: /protected by a password or in the Office format of before 2007/,
    }
    for (const [stream, reason] of Object.entries(reasons)) {
      for (const type of [CONTENT_TYPES.docx[0], "application/msword", "text/plain"]) {
        assert.match(refusal(compoundFile(stream), type) ?? "", reason, `${stream} as ${type}`)
      }
    }
  })

  it("names the actual format of a file with a wrong content type", () => {
    const workbook = xlsx([{ name: "A", xml: sheetOf("<row><c><v>1</v></c></row>") }])
    assert.strictEqual(
      refusal(workbook, "application/pdf"),
      `The file is XLSX, but content_type is application/pdf. Send ${CONTENT_TYPES.xlsx[0]}.`,
    )
    assert.match(refusal(utf8("notes"), "application/pdf") ?? "", /The file is text.*Send text\/plain, or/)
    const zip = zipSync({ "a.txt": utf8("x") })
    assert.match(refusal(zip, CONTENT_TYPES.docx[0]) ?? "", /is a zip .* Unpack it/)
    assert.match(refusal(zip.subarray(0, zip.length - 30), CONTENT_TYPES.docx[0]) ?? "", /is damaged: it was cut short/)
    assert.match(
      refusal(Uint8Array.of(0x7f, 69, 76, 70, 2, 1, 1, 0), CONTENT_TYPES.docx[0]) ?? "",
      /The file is not DOCX/,
    )
    assert.match(findRefusal("image/png") ?? "", /content_type must be one of application\/pdf, /)
    assert.isUndefined(findRefusal("text/plain"))
    assert.isUndefined(refusal(workbook, CONTENT_TYPES.xlsx[0]))
  })

  it("accepts Office files with backslashes or capitals in entry names, as the reader does", async () => {
    const workbook = xlsx([{ name: "Prices", xml: sheetOf("<row><c><v>42</v></c></row>") }])
    const parts = Object.entries(unzipSync(workbook))
    const renamed = (rename: (name: string) => string) =>
      zipSync(Object.fromEntries(parts.map(([name, bytes]) => [rename(name), bytes])))
    for (const bytes of [renamed((name) => name.replaceAll("/", "\\")), renamed((name) => name.toUpperCase())]) {
      assert.isUndefined(refusal(bytes, CONTENT_TYPES.xlsx[0]))
      assert.include(
        (await readXlsx(bytes)).elements.map(({ text }) => text),
        "42",
      )
    }
  })
})
