import { assert, describe, it } from "@effect/vitest"
import { readPdf } from "../../../../src/ingest/formats/pdf/readPdf.ts"
import { pagesOf, type Written } from "../../support/pdf.ts"

const XS = [72, 200, 300]

const read = async (page: ReadonlyArray<Written>) =>
  (await readPdf(pagesOf([page]))).elements.map(({ kind, text, header, labels }) => {
    const marks = `${header === true ? "H " : ""}${labels === undefined ? "" : `[${labels.join("|")}] `}`
    return kind === "table-row" ? marks + text.split("\t").join(" | ") : `${kind}: ${text}`
  })

/** Draws columns one after another, `pitch` between their lines; an empty text is not drawn. */
const byColumn = (columns: ReadonlyArray<ReadonlyArray<string>>, pitch: number): ReadonlyArray<Written> =>
  columns.flatMap((texts, column) =>
    texts.flatMap((text, down) => (text === "" ? [] : [{ text, x: XS[column]!, y: 700 - pitch * down }])),
  )

const ABOVE = { text: "All amounts are without taxes and are due on the date of the order", y: 730 }
const BELOW = { text: "Please review the numbers with your lead before the call on Thursday", y: 600 }

describe("tables that are not drawn row by row", () => {
  it("are read by rows where they are drawn column by column, near or far apart", async () => {
    const columns = [
      ["Plan", "Team", "Firm", "Data"],
      ["Users", "5", "", "40"],
      ["Support", "Phone", "Letter", "Phone"],
    ]
    const rows = [
      "H Plan | Users | Support",
      "[Plan|Users|Support] Team | 5 | Phone",
      "Firm |  | Letter",
      "Data | 40 | Phone",
    ]
    for (const pitch of [12, 20])
      assert.deepStrictEqual(await read([ABOVE, ...byColumn(columns, pitch), BELOW]), [
        `paragraph: ${ABOVE.text}`,
        ...rows,
        `paragraph: ${BELOW.text}`,
      ])
  })

  it("are not addresses beside each other", async () => {
    const addresses = [
      ["Ship to", "Mary Sales", "Acme Works", "Old Harbour"],
      ["Bill to", "Tom Rival", "Globex House", "New Square"],
      ["From", "Priya Lead", "Initech Mill", "High Street"],
    ]
    const texts = await read([ABOVE, ...byColumn(addresses, 12), BELOW])
    assert.isTrue(texts.some((text) => text.startsWith("paragraph: Bill to") && text.includes("Globex House")))
  })

  it("have a label of several rows in the first of them, though it is drawn after them", async () => {
    const groups = ["North", "South"].flatMap((name, group): ReadonlyArray<Written> => {
      const rows = [0, 1, 2].flatMap((row) => {
        const y = 680 - 20 * (3 * group + row)
        return [
          { text: `${row} to 9`, x: 200, y },
          { text: `${row + 5}%`, x: 300, y },
        ]
      })
      return [...rows.slice(0, 4), { text: name, x: 72, y: 680 - 60 * group }, ...rows.slice(4)]
    })
    const header = ["Region", "Volume", "Discount"].map((text, column) => ({ text, x: XS[column]!, y: 700 }))
    assert.deepStrictEqual(await read([...header, ...groups]), [
      "H Region | Volume | Discount",
      "[Region|Volume|Discount] North | 0 to 9 | 5%",
      " | 1 to 9 | 6%",
      " | 2 to 9 | 7%",
      "South | 0 to 9 | 5%",
      " | 1 to 9 | 6%",
      " | 2 to 9 | 7%",
    ])
  })

  it("are read in bounded time on a page of 3,000 texts", async () => {
    const page = Array.from({ length: 3_000 }, (_, at) => ({ text: "12", x: 72 + (at % 7), y: 700 - (at % 600) }))
    assert.isNotEmpty(await read(page))
  })
})
