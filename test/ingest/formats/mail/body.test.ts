import { assert, describe, it } from "@effect/vitest"
import { readEml } from "../../../../src/ingest/formats/mail/readEml.ts"

const ANN = "Ann Byron <ann@acme.example>"
const HEAD = `From: ${ANN}\nTo: b@harbor.example\nSubject: Offer\nMIME-Version: 1.0\n`

const read = async (text: string) => {
  const { elements } = await readEml(new TextEncoder().encode(`${HEAD}${text}`.replaceAll("\n", "\r\n")))
  return elements.slice(2)
}

const both = (text: string, html: string) =>
  `Content-Type: multipart/alternative; boundary=x\n\n--x\nContent-Type: text/plain\n\n${text}\n--x\nContent-Type: text/html\n\n${html}\n--x--\n`

describe("the body of a mail", () => {
  it("is its page if the text beside it loses what is struck out", async () => {
    const elements = await read(both("The price is 100 80 EUR.", "<p>The price is <s>100</s> 80 EUR.</p>"))
    assert.deepStrictEqual(
      elements.map(({ text, hidden }) => [text, hidden ?? false]),
      [
        ["100", true],
        ["The price is 80 EUR.", false],
      ],
    )
  })

  it("is its page if the text beside it loses the columns of a table", async () => {
    const row = (tag: string, ...cells: ReadonlyArray<string>) =>
      `<tr>${cells.map((cell) => `<${tag}>${cell}</${tag}>`).join("")}</tr>`
    const page = `<p>Prices:</p><table>${row("th", "Plan", "Price")}${row("td", "Pro", "20")}${row("td", "Max", "40")}</table>`
    const elements = await read(both("Prices:\n\nPlan\n\nPrice\n\nPro\n\n20\n\nMax\n\n40", page))
    assert.deepStrictEqual(elements.find(({ labels }) => labels !== undefined)?.labels, ["Plan", "Price"])
    const layout = await read(both("Hello *you*.", `<table>${row("td", "Hello", "you.")}</table>`))
    assert.deepStrictEqual(layout[0]?.text, "Hello *you*.")
  })

  it.each([
    ["De: Kim <k@us.example>\nEnviado el: lunes, 5 de enero de 2026 9:00\nPara: Ann\nAsunto: Oferta\n\nOferta: 80 EUR"],
    ["De : Kim <k@us.example>\nEnvoyé le : lundi 5 janvier 2026 09:00\nÀ : Ann\nObjet : Offre\n\nOferta: 80 EUR"],
    ["Op ma 5 jan 2026 om 09:00 schreef Kim <k@us.example>:\n\n> Oferta: 80 EUR"],
  ])("has earlier messages of their senders: %j", async (history) => {
    const elements = await read(`Content-Type: text/plain; charset=utf-8\n\nNo.\n\n${history}\n`)
    assert.deepStrictEqual(elements.at(-1)?.place, { kind: "text", speaker: "Kim <k@us.example>" })
  })
})
