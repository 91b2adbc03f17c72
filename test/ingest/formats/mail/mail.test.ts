import { assert, describe, it } from "@effect/vitest"
import type { ReadDocument } from "../../../../src/ingest/document.ts"
import { readEml } from "../../../../src/ingest/formats/mail/readEml.ts"
import { readMsg } from "../../../../src/ingest/formats/mail/readMsg.ts"
import { codeOf } from "../../support/codeOf.ts"
import { writeCompoundFile } from "../../support/compoundWriter.ts"
import { msg } from "../../support/msg.ts"

const utf8 = (text: string) => new TextEncoder().encode(text)
const eml = (text: string) => readEml(utf8(text.replaceAll("\n", "\r\n")))

/** Kind, level, text and speaker of each element. */
const linesOf = ({ elements }: ReadDocument) =>
  elements.map(({ kind, level, text, place }) => {
    const speaker = "speaker" in place ? ` [${place.speaker}]` : ""
    return `${kind}${level ?? ""}: ${text}${speaker}`
  })

const ANN = "Ann Byron <ann@acme.example>"
const BEN = "Ben Smith <ben@harbor.example>"
const HEAD = `From: ${ANN}\nTo: ${BEN}\nSubject: Re: Offer\nDate: Tue, 31 Mar 2026 12:00:00 +0200\nMessage-ID: <1@acme.example>\nMIME-Version: 1.0\n`
const HEAD_LINE = `paragraph: From: ${ANN}\nTo: ${BEN}\nDate: 2026-03-31T10:00:00.000Z`

describe("mails", () => {
  it("have their subject, head and body, each paragraph by its sender", async () => {
    const read = await eml(
      `From: =?utf-8?q?J=C3=B6rg?= <joerg@acme.example>\nTo: "Smith, Ben" <ben@harbor.example>, ops@harbor.example\nCc: zoe@x.example\nSubject: =?iso-8859-1?Q?Gr=FC=DFe?=\nDate: Tue, 31 Mar 2026 12:00:00 +0200\nContent-Type: text/plain; charset=iso-8859-1\nContent-Transfer-Encoding: quoted-printable\n\nWir k=F6nnen 40 EUR.\n\nZweiter Absatz,\nzwei Zeilen.\n`,
    )
    assert.deepStrictEqual(linesOf(read), [
      "heading1: Grüße",
      "paragraph: From: Jörg <joerg@acme.example>\nTo: Smith, Ben <ben@harbor.example>, ops@harbor.example\nCc: zoe@x.example\nDate: 2026-03-31T10:00:00.000Z",
      "paragraph: Wir können 40 EUR. [Jörg <joerg@acme.example>]",
      "paragraph: Zweiter Absatz,\nzwei Zeilen. [Jörg <joerg@acme.example>]",
    ])
  })

  it("keep quoted history apart, under headings that name its sender, and answers between quotations with their own", async () => {
    const read = await eml(
      `${HEAD}\nHi,\n\nOn Mon, Mar 30, 2026 at 9:00 AM Ben Smith <ben@harbor.example>\nwrote:\n\n> What is the price?\n>\n> Am 27.03.2026 um 09:00 schrieb Zoe Zander:\n>> older\n\n40 EUR.\n\n> And the term?\n\nThree years.\n`,
    )
    assert.deepStrictEqual(linesOf(read), [
      "heading1: Re: Offer",
      HEAD_LINE,
      `paragraph: Hi, [${ANN}]`,
      `heading2: On Mon, Mar 30, 2026 at 9:00 AM ${BEN} wrote`,
      `paragraph: What is the price? [${BEN}]`,
      "heading2: Am 27.03.2026 um 09:00 schrieb Zoe Zander",
      "paragraph: older [Zoe Zander]",
      `heading2: ${ANN}`,
      `paragraph: 40 EUR. [${ANN}]`,
      `heading2: On Mon, Mar 30, 2026 at 9:00 AM ${BEN} wrote`,
      `paragraph: And the term? [${BEN}]`,
      `heading2: ${ANN}`,
      `paragraph: Three years. [${ANN}]`,
    ])
  })

  it.each([
    [
      "-----Original Message-----\nFrom: Ben Smith <ben@harbor.example>\nSent: Monday, March 30, 2026 9:00 AM\nTo: Ann\nSubject: Offer",
      "Monday, March 30, 2026 9:00 AM",
    ],
    [
      "________________________________\nVon: Ben Smith <ben@harbor.example>\nGesendet: Montag, 30. März 2026 09:00\nAn: Ann\nBetreff: Angebot",
      "Montag, 30. März 2026 09:00",
    ],
    [
      "---------- Forwarded message ---------\nFrom: Ben Smith <ben@harbor.example>\nDate: Mon, Mar 30, 2026\nSubject: Offer\nTo: Ann",
      "Mon, Mar 30, 2026",
    ],
    [
      "*De :* Ben Smith [mailto:ben@harbor.example]\n*Envoyé :* lundi 30 mars 2026\n*À :* Ann\n*Objet :* Offre",
      "lundi 30 mars 2026",
    ],
  ])("recognise the head of an earlier message, form %#", async (head, date) => {
    const read = await eml(`${HEAD}\nSee below.\n\n${head}\n\nYour price is too high.\n`)
    assert.deepStrictEqual(linesOf(read).slice(2), [
      `paragraph: See below. [${ANN}]`,
      `heading2: Earlier message from ${BEN}, ${date}`,
      `paragraph: Your price is too high. [${BEN}]`,
    ])
  })

  it("take prose with a colon for prose", async () => {
    const text = "From: our side all is fine.\n\nOn Monday we wrote: nothing.\n\n> not by anyone named\n\n-- \nAnn"
    const lines = linesOf(await eml(`${HEAD}\n${text}\n`)).slice(2)
    assert.strictEqual(lines[0], `paragraph: From: our side all is fine. [${ANN}]`)
    assert.strictEqual(lines[1], `paragraph: On Monday we wrote: nothing. [${ANN}]`)
    assert.deepStrictEqual(lines.slice(2, 4), ["heading2: Earlier message", "paragraph: not by anyone named"])
  })

  it("prefer the text, and read pages with quotations and tables where there is none", async () => {
    const html = `<div>Sounds good.<div><br></div><div>Second &amp; line</div></div><div style="display:none">preheader</div><div>On Mon, Mar 30, 2026 Ben Smith &lt;ben@harbor.example&gt; wrote:</div><blockquote><div>Old text</div><table><tr><th>Plan</th><th>Price</th></tr><tr><td>Team</td><td>40</td></tr></table></blockquote>`
    const page = `Content-Type: text/html; charset=utf-8\n\n${html}\n`
    assert.deepStrictEqual(linesOf(await eml(`${HEAD}${page}`)).slice(2), [
      `paragraph: Sounds good. [${ANN}]`,
      `paragraph: Second & line [${ANN}]`,
      `heading2: On Mon, Mar 30, 2026 ${BEN} wrote`,
      `paragraph: Old text [${BEN}]`,
      `table-row: Plan\tPrice [${BEN}]`,
      `table-row: Team\t40 [${BEN}]`,
    ])
    const both = (text: string) =>
      `${HEAD}Content-Type: multipart/alternative; boundary=b\n\n--b\nContent-Type: text/plain\n\n${text}\n--b\n${page}--b--\n`
    assert.deepStrictEqual(linesOf(await eml(both("Sounds good, as text of some length."))).slice(2), [
      `paragraph: Sounds good, as text of some length. [${ANN}]`,
    ])
    assert.lengthOf(linesOf(await eml(both("HTML only"))), 8)
  })

  it("pass on attachments with their names, except the pictures of the layout, and mails inside mails", async () => {
    const part = (type: string, disposition: string, body: string, more = "") =>
      `--b\nContent-Type: ${type}\nContent-Disposition: ${disposition}\n${more}\n${body}\n`
    const read = await eml(
      `${HEAD}Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/plain\n\nSee attached.\n` +
        part("text/markdown", 'attachment; filename="../no tes.md"', "# Notes") +
        part("image/png", "inline", "iVBORw0KGgo=", "Content-Transfer-Encoding: base64\nContent-ID: <logo>\n") +
        part("message/rfc822", "attachment", "From: z@x.example\nSubject: Inner\n\nDeep") +
        "--b--\n",
    )
    assert.include(linesOf(read)[1], "\nAttachments: .. no tes.md, attachment 3.eml")
    assert.deepStrictEqual(
      read.attachments?.map(({ fileName, contentType, bytes }) => [
        fileName,
        contentType,
        new TextDecoder().decode(bytes).trim(),
      ]),
      [
        [".. no tes.md", "text/markdown", "# Notes"],
        ["attachment 3.eml", "message/rfc822", "From: z@x.example\nSubject: Inner\n\nDeep"],
      ],
    )
  })
})

describe("messages of Outlook", () => {
  const message = {
    subject: "Offer für Harbor",
    from: { name: "Ann Byron", address: "ann@acme.example" },
    to: [{ name: "Ben Smith", address: "ben@harbor.example" }],
    cc: [{ name: "Zoe", address: "zoe@x.example" }],
    date: new Date("2026-03-31T10:00:00Z"),
    text: "We can do 40 EUR.\r\n\r\nFrom: Ben Smith <ben@harbor.example>\r\nSent: Monday\r\nTo: Ann\r\n\r\nToo high.",
  }

  it("read like other mails, with attachments and messages inside as mails of their own", async () => {
    const large = new Uint8Array(10_000).fill(65)
    const inner = { subject: "Inner", text: "Deep", from: { name: "Zoe", address: "zoe@x.example" } }
    const file = { name: "a.md", type: "text/markdown", bytes: utf8("# A") }
    const read = await readMsg(
      msg({
        ...message,
        attachments: [
          { name: "large.txt", type: "text/plain", bytes: large },
          { ...inner, attachments: [file] },
          { name: "logo.png", type: "image/png", bytes: utf8("x"), contentId: "logo" },
        ],
      }),
    )
    assert.deepStrictEqual(linesOf(read), [
      "heading1: Offer für Harbor",
      `paragraph: From: ${ANN}\nTo: ${BEN}\nCc: Zoe <zoe@x.example>\nDate: 2026-03-31T10:00:00.000Z\nAttachments: large.txt, Inner.eml`,
      `paragraph: We can do 40 EUR. [${ANN}]`,
      `heading2: Earlier message from ${BEN}, Monday`,
      `paragraph: Too high. [${BEN}]`,
    ])
    assert.deepStrictEqual(read.attachments?.[0]?.bytes, large)
    const nested = await readEml(read.attachments![1]!.bytes)
    assert.deepStrictEqual(linesOf(nested), [
      "heading1: Inner",
      "paragraph: From: Zoe <zoe@x.example>\nAttachments: a.md",
      "paragraph: Deep [Zoe <zoe@x.example>]",
    ])
    assert.deepStrictEqual(
      nested.attachments?.map(({ fileName, bytes }) => [fileName, [...bytes]]),
      [["a.md", [...file.bytes]]],
    )
  })

  it("decode 8-bit texts by their code page, and pages by theirs", async () => {
    const ansi = Uint8Array.of(0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2)
    assert.include(linesOf(await readMsg(msg({ subject: "x", page: 1251, ansi }))), "paragraph: Привет")
    const html = Uint8Array.from([...utf8("<p>"), ...ansi, ...utf8("</p>")])
    assert.include(linesOf(await readMsg(msg({ subject: "x", page: 1251, html }))), "paragraph: Привет")
  })

  it("are told from other compound files", async () => {
    assert.strictEqual((await codeOf(readMsg(writeCompoundFile({ WordDocument: utf8("x") })))).code, "unsupported")
  })
})
