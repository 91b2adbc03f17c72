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

describe("two boxes of names and values beside each other", () => {
  it("are apart, though prose below is as far from one's last row as the other's first row is", async () => {
    const box = (x: number, rows: ReadonlyArray<readonly [string, string]>) =>
      rows.flatMap(([name, value], down) => [
        { text: name, x, y: 700 - 28 * down },
        { text: value, x: x + 90, y: 700 - 28 * down },
      ])
    const left = [
      ["Customer", "Acme"],
      ["Phone", "555 0182"],
      ["Currency", "USD"],
    ] as const
    const right = [
      ["Order no.", "SO-20417"],
      ["Term", "36 months"],
      ["Value", "12"],
    ] as const
    const prose = [600, 588].map((y) => ({
      text: "All amounts are without taxes and are due on the date of the order",
      y,
    }))
    const rows = await read([...box(72, left), ...box(320, right), ...prose])
    assert.deepStrictEqual(
      rows.slice(0, 6).map((row) => row.replace("[] ", "")),
      [...left, ...right].map((row) => row.join(" | ")),
    )
  })
})
