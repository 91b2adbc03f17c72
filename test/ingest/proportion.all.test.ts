import { describe, it } from "@effect/vitest"
import { splitHistory } from "../../src/ingest/formats/mail/history.ts"
import { readMailbox } from "../../src/ingest/formats/mail/mailbox.ts"
import { makeFrames } from "../../src/ingest/formats/office/xlsxFrames.ts"
import { kindOfFormat } from "../../src/ingest/formats/office/xlsxStyles.ts"
import { readRtf } from "../../src/ingest/formats/rtf/readRtf.ts"
import { readText } from "../../src/ingest/formats/text/readText.ts"
import { assertInProportion } from "../support/cpu.ts"

const utf8 = (text: string) => new TextEncoder().encode(text)

describe("the CPU time of hostile content grows in proportion to its size", () => {
  it("in Markdown", () => {
    const nasty = [
      (size: number) => "**".repeat(size),
      (size: number) => "[".repeat(size),
      (size: number) => `a${" ".repeat(size)}b`,
      (size: number) => "| ".repeat(size),
      (size: number) => "# ".repeat(size),
      (size: number) => "`".repeat(size),
      (size: number) => `|\n${" ".repeat(size)}|x`,
      (size: number) => "a*b".repeat(size),
      (size: number) => "- a\n".repeat(size),
      (size: number) => "<!--".repeat(size),
    ]
    for (const make of nasty) assertInProportion(make(2), 30_000, (size) => readText(utf8(`x ${make(size)}`), "md"))
  })

  it("in transcripts", () => {
    const txt = (text: string) => void readText(utf8(text), "txt")
    for (const line of ["Ada  0:05", `A${"a ".repeat(34)}`, "0:05 ", "1:1:1 --> 1:1:1", "A: b"])
      assertInProportion(line, 200_000, (size) => txt(`${line}\n`.repeat(size / (line.length + 1))))
    assertInProportion("one line", 300_000, (size) => txt(`A${" a".repeat(size / 2)} 0:0`))
  })

  it("in mails whose bodies are made to be quoted badly", () => {
    const split = (line: string) => (size: number) =>
      splitHistory(
        Array.from({ length: size / 10 }, (_, n) => ({
          depth: line.includes(">") ? n % 20 : 0,
          line: line.replace(">", ""),
        })),
      )
    for (const line of [
      "On Monday, Ben Smith wrote:",
      "> On Monday, Ben Smith wrote:",
      "From: a",
      "",
      "> ",
      "____________",
    ])
      assertInProportion(line, 200_000, split(line))
    assertInProportion("a long attribution", 300_000, (size) =>
      splitHistory([{ depth: 0, line: `On ${"a ".repeat(size / 2)}wrote:` }]),
    )
    assertInProportion("names", 20_000, (size) => {
      for (let n = 0; n < size / 300; n++)
        splitHistory([
          { depth: 0, line: `On ${"a".repeat(280)}1 wrote:` },
          { depth: 1, line: "x" },
        ])
    })
  })

  it("in the senders of mails", () => {
    for (const part of [" ", "a@", '"', "<a@", "*"])
      for (const start of ["x", "<"])
        assertInProportion(`${start}${part}`, 40_000, (size) =>
          readMailbox(`${start}${part.repeat(size / part.length)} x`),
        )
  })

  it("in the headers of sheets", () => {
    for (const part of ["a", "a ", " ", "&P", "&L"])
      assertInProportion(part, 40_000, (size) => {
        const frames = makeFrames()
        frames.open("oddHeader", {})
        frames.text(`${part.repeat(size / part.length)}x`)
        frames.close("oddHeader")
      })
  })

  it("in RTF of groups, notes, cells, fonts and characters", () => {
    for (const piece of [
      "{}",
      "{\\footnote x}",
      "\\cell ",
      "x\\cell\\row ",
      "\\'e4",
      "\\u228?",
      "{\\f1 \\'e4}",
      "{\\fonttbl{\\f1\\fcharset128 x;}}",
      "{\\stylesheet{\\s1 heading 1;}}",
      "\\par ",
    ])
      assertInProportion(piece, 60_000, (size) => readRtf(utf8(`{\\rtf1 x${piece.repeat(size / piece.length)}}`)))
  })

  it("in the codes of number formats", () =>
    assertInProportion("brackets", 100_000, (size) => kindOfFormat("[".repeat(size))))
})
