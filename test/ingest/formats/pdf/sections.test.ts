import { assert, describe, it } from "@effect/vitest"
import { readPdf } from "../../../../src/ingest/formats/pdf/readPdf.ts"
import { pagesOf, type Written } from "../../support/pdf.ts"

const XS = [72, 200, 300]

const read = async (page: ReadonlyArray<Written> | string) =>
  (await readPdf(pagesOf([page]))).elements.map(({ kind, text, header, labels }) => {
    const marks = `${header === true ? "H " : ""}${labels === undefined ? "" : `[${labels.join("|")}] `}`
    return kind === "table-row" ? marks + text.split("\t").join(" | ") : `${kind}: ${text}`
  })

const rowAt = (y: number, row: ReadonlyArray<string>, how: Partial<Written> = {}): Array<Written> =>
  row.map((text, column) => ({ text, x: XS[column]!, y, ...how }))

/** A header and two groups of rows, `pitch` apart. */
const groups = (pitch: number, { gap = 0, ...header }: Partial<Written> & { readonly gap?: number }) => [
  ...rowAt(700 + gap, ["Account", "Stage", "Amount"], header),
  ...["North", "South"].flatMap((name, group) => {
    const top = 700 - pitch * (1 + 3 * group)
    return [
      { text: name, y: top, bold: true },
      ...rowAt(top - pitch, ["Acme", "Lead", "12"]),
      ...rowAt(top - 2 * pitch, ["Globex", "Won", "40"]),
    ]
  }),
]

const READ = [
  "H Account | Stage | Amount",
  "[Account|Stage|Amount] North",
  "Acme | Lead | 12",
  "Globex | Won | 40",
  "South",
  "Acme | Lead | 12",
  "Globex | Won | 40",
]

describe("titles of groups of rows", () => {
  it.each([
    ["below a bold header", 16, { bold: true }],
    ["in roomy rows", 33, { bold: true }],
    ["below a header in smaller letters", 33, { size: 9 }],
    ["in rows as close as lines", 11.4, { gap: 4 }],
  ] as const)("are rows of the table %s", async (_, pitch, header) => {
    assert.deepStrictEqual(await read(groups(pitch, header)), READ)
  })

  it("do not divide a ruled table whose vertical lines they interrupt", async () => {
    const rows = [["Account", "Stage", "Amount"], ["North"], ["Acme", "Lead", "12"], ["Globex", "Won", "40"], ["South"]]
    const all = [...rows, ["Acme", "Lead", "12"], ["Globex", "Won", "40"]]
    const content = all.flatMap((row, down) => {
      const bottom = 700 - 15 * down
      const sides = row.length === 1 ? [] : [60, 190, 290, 360].map((x) => `${x} ${bottom} m ${x} ${bottom + 15} l S`)
      const texts = row.map((text, column) => `BT /F1 10 Tf ${XS[column]} ${bottom + 4} Td (${text}) Tj ET`)
      return [`60 ${bottom + 15} m 360 ${bottom + 15} l S 60 ${bottom} m 360 ${bottom} l S`, ...sides, ...texts]
    })
    assert.deepStrictEqual(await read(content.join("\n")), READ)
  })
})
