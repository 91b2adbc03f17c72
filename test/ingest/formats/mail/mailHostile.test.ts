import { assert, describe, it } from "@effect/vitest"
import { LIMITS } from "../../../../src/ingest/document.ts"
import { readEml } from "../../../../src/ingest/formats/mail/readEml.ts"
import { readMsg } from "../../../../src/ingest/formats/mail/readMsg.ts"
import { UnreadableError } from "../../../../src/ingest/UnreadableError.ts"
import { makeRandom, seedOfRun } from "../../../support/random.ts"
import { codeOf } from "../../support/codeOf.ts"
import { type Msg, msg } from "../../support/msg.ts"

const utf8 = (text: string) => new TextEncoder().encode(text)
const HEAD = "From: a@b.example\r\nSubject: x\r\nMIME-Version: 1.0\r\n"
const refused = async (code: string, reading: Promise<unknown>) =>
  assert.strictEqual((await codeOf(reading)).code, code)

describe("hostile mails", () => {
  it("refuses parts nested without end and heads without end", async () => {
    const nested = Array.from(
      { length: 2000 },
      (_, n) => `Content-Type: multipart/mixed; boundary=b${n}\r\n\r\n--b${n}\r\n`,
    )
    await refused("unsafe", readEml(utf8(`${HEAD}${nested.join("")}\r\nhi`)))
    await refused("unsafe", readEml(utf8(`${HEAD}${"X-A: b\r\n".repeat(500_000)}\r\nhi`)))
    await refused("unsafe", readEml(utf8(`${HEAD}X-A: ${"a".repeat(5_000_000)}\r\n\r\nhi`)))
  })

  it("refuses files without a head, empty and encrypted ones", async () => {
    await refused("empty", readEml(new Uint8Array()))
    await refused("unsupported", readEml(utf8("just a text\r\n\r\nwith lines")))
    const encrypted = `${HEAD}Content-Type: application/pkcs7-mime; smime-type=enveloped-data; name=smime.p7m\r\nContent-Disposition: attachment; filename=smime.p7m\r\nContent-Transfer-Encoding: base64\r\n\r\nMIAGCSqGSIb3DQEHA6CA\r\n`
    await refused("encrypted", readEml(utf8(encrypted)))
  })

  it("reads a part of a thousand attachments, and names the others", async () => {
    const parts = Array.from(
      { length: 1000 },
      (_, n) =>
        `--b\r\nContent-Type: text/plain\r\nContent-Disposition: attachment; filename=f${n}.txt\r\n\r\n${n}\r\n`,
    )
    const { attachments, warnings } = await readEml(
      utf8(`${HEAD}Content-Type: multipart/mixed; boundary=b\r\n\r\n${parts.join("")}--b--`),
    )
    assert.lengthOf(attachments ?? [], LIMITS.attachments)
    assert.strictEqual(warnings[0]?.code, "attachments_unread")
    assert.match(warnings[0]?.message ?? "", /^f50\.txt, .*f69\.txt and 930 more: a mail's first 50/)
  })

  it("refuses more text than fits, and ends with elements or a typed error, whatever the bytes", async () => {
    await refused("too-large", readEml(utf8(`${HEAD}\r\n${"word ".repeat(LIMITS.characters / 5 + 1)}`)))
    const random = makeRandom(seedOfRun("broken mails"))
    const pieces = [
      "From: ",
      "=?utf-8?b?",
      "?=",
      "\r\n",
      "\r\n\r\n",
      "--b",
      "--b--",
      "Content-Type: ",
      "multipart/mixed; boundary=b",
      "message/rfc822",
      "Content-Transfer-Encoding: base64",
      "> ",
      "On x wrote:",
      "\0",
      "<blockquote>",
      "text/html",
      ";",
      '"',
      "é",
      "a@b",
    ]
    for (let round = 0; round < 300; round++) {
      const text = Array.from({ length: random.below(80) }, () => random.pick(pieces)).join("")
      try {
        for (const { text: found } of (await readEml(utf8(text))).elements) assert.isFalse(found.includes("\0"))
      } catch (cause) {
        if (!(cause instanceof UnreadableError)) throw new Error(JSON.stringify(text), { cause })
      }
    }
  })
})

describe("hostile messages of Outlook", () => {
  const message: Msg = {
    subject: "Offer",
    text: "Hello. ".repeat(1000),
    attachments: [{ name: "a.txt", type: "text/plain", bytes: new Uint8Array(9000) }],
  }

  it("end with elements or a typed error, whatever bits are flipped", async () => {
    const bytes = msg(message)
    const random = makeRandom(seedOfRun("bit flips in msg"))
    for (let flip = 0; flip < 600; flip++) {
      const copy = bytes.slice()
      for (let more = 0; more < 3; more++) copy[random.below(copy.length)]! ^= 1 << random.below(8)
      try {
        await readMsg(copy)
      } catch (cause) {
        if (!(cause instanceof UnreadableError)) throw new Error(`flip ${flip}`, { cause })
      }
    }
  })

  it("are damaged if they end anywhere", async () => {
    const bytes = msg(message)
    for (let part = 0; part < 20; part++) {
      await refused(part === 0 ? "empty" : "damaged", readMsg(bytes.slice(0, Math.floor((bytes.length * part) / 20))))
    }
  })

  it("are damaged if a chain, the tree or a size has no end", async () => {
    const bytes = msg(message)
    const patch = (at: number, value: number) => {
      const copy = bytes.slice()
      new DataView(copy.buffer).setUint32(at, value, true)
      return copy
    }
    const view = new DataView(bytes.buffer)
    const fat = 512 * (view.getUint32(76, true) + 1)
    const directory = view.getUint32(48, true)
    const entry = (index: number) => 512 * (directory + 1) + 128 * index
    // The directory's chain leads to itself, a sibling to its parent's first child, a stream is 2 GB long.
    await refused("damaged", readMsg(patch(fat + 4 * directory, directory)))
    await refused("damaged", readMsg(patch(entry(1) + 72, 1)))
    await refused("damaged", readMsg(patch(entry(2) + 120, 0x7fffffff)))
    await refused("damaged", readMsg(patch(68, 1)))
    await refused("damaged", readMsg(patch(48, 0x00ffffff)))
  })

  it("read messages inside messages to a depth", async () => {
    let inner: Msg = { subject: "innermost", text: "x" }
    for (let depth = 0; depth < 12; depth++) inner = { subject: `at ${depth}`, text: "y", attachments: [inner] }
    let depth = 0
    for (let { attachments } = await readMsg(msg(inner)); attachments?.[0] !== undefined; depth++) {
      attachments = (await readEml(attachments[0].bytes)).attachments
    }
    assert.strictEqual(depth, 3)
  })
})
