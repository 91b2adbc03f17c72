import { assert, describe, it } from "@effect/vitest"
import { readPdf } from "../../../../src/ingest/formats/pdf/readPdf.ts"
import { pagesOf } from "../../support/pdf.ts"

const text = (x: number, y: number, words: string, font = "F1") => `BT /${font} 10 Tf ${x} ${y} Td (${words}) Tj ET`
const bold = (x: number, y: number, words: string) => text(x, y, words, "F2")

const XS = [100, 200, 300, 400]
const BODY = [
  ["Acme", "Phone", "12"],
  ["Globex", "Letter", "Phone"],
  ["Initech", "E-mail", "Letter"],
]

/** A grid from 700 down in rows of 20 points. */
const GRID = [
  ...[700, 680, 660, 640].map((y) => `100 ${y} m 400 ${y} l S`),
  ...XS.map((x) => `${x} 640 m ${x} 700 l S`),
  ...BODY.flatMap((row, down) => row.map((words, column) => text(XS[column]! + 5, 686 - 20 * down, words))),
]

const read = async (...content: ReadonlyArray<string>) =>
  (await readPdf(pagesOf([[...content, ...GRID].join("\n")]))).elements.map(({ kind, text, header, labels }) => {
    const marks = `${header === true ? "H " : ""}${labels === undefined ? "" : `[${labels.join("|")}] `}`
    return kind === "table-row" ? marks + text.split("\t").join(" | ") : `${kind}: ${text}`
  })

const TITLE = text(100, 760, "Contacts of all customers in the first quarter of the year")

describe("a header above a ruled grid", () => {
  it("labels the columns of the grid if the header is as near as the grid's rows are", async () => {
    assert.deepStrictEqual(await read(TITLE, bold(105, 706, "Deal"), bold(205, 706, "First"), bold(305, 706, "Last")), [
      "paragraph: Contacts of all customers in the first quarter of the year",
      "H Deal | First | Last",
      "[Deal|First|Last] Acme | Phone | 12",
      "Globex | Letter | Phone",
      "Initech | E-mail | Letter",
    ])
  })

  it("joins the lines of a label, and puts labels of several columns before those below them", async () => {
    const cells = [
      bold(105, 730, "Deal"),
      bold(205, 730, "Contact"),
      bold(205, 706, "First of"),
      bold(305, 706, "Last of"),
      bold(205, 718, "all of"),
    ]
    const wrapped = await read(TITLE, ...cells.slice(0, 1), bold(105, 718, "name"), ...cells.slice(1))
    assert.include(wrapped, "[Deal name|Contact all of First of|Last of] Acme | Phone | 12")
    const levels = await read(TITLE, bold(105, 726, "Deal"), bold(205, 726, "Contact"), ...cells.slice(2, 4))
    assert.deepStrictEqual(levels.slice(1, 4), [
      "H Deal | Contact",
      "H  | First of | Last of",
      "[Deal|Contact First of|Contact Last of] Acme | Phone | 12",
    ])
  })

  it("is not a title, prose, or texts that cross the columns or are far above", async () => {
    const start = "[] Acme | Phone | 12"
    assert.include(await read(bold(105, 706, "Contacts")), start)
    assert.include(await read(bold(105, 706, "Contacts of the deal"), bold(260, 706, "and the year 2026")), start)
    assert.include(await read(bold(105, 742, "Deal"), bold(205, 742, "First"), bold(305, 742, "Last")), start)
  })
})
