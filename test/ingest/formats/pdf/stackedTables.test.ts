import { assert, describe, it } from "@effect/vitest"
import { readPdf } from "../../../../src/ingest/formats/pdf/readPdf.ts"
import { pagesOf, type Written } from "../../support/pdf.ts"

type Rows = ReadonlyArray<ReadonlyArray<string>>

/** A table from `top` on, its columns at `xs`, its rows `pitch` points apart; a first row of labels that is bold, or not. */
const table = (top: number, xs: ReadonlyArray<number>, rows: Rows, { bold = false, pitch = 18 } = {}) =>
  rows.flatMap((cells, row) =>
    cells.map((text, at): Written => ({ text, x: xs[at]!, y: top - row * pitch, bold: bold && row === 0 })),
  )

const read = async (lines: ReadonlyArray<Written>) =>
  (await readPdf(pagesOf([lines]))).elements.map(({ text, labels }) => {
    const marks = labels === undefined || labels.length === 0 ? "" : `[${labels.join("|")}] `
    return marks + text.split("\t").join(" | ")
  })

const FEATURES = [
  ["Feature", "Acme", "Globex"],
  ["Audit log", "Yes", "No"],
  ["Limits", "10,000", "2,000"],
]
const PLANS = [
  ["Plan", "Seats", "Price", "Support"],
  ["Starter", "5", "$49", "Email"],
  ["Team", "25", "$199", "Chat"],
]
const FEATURES_READ = [
  "Feature | Acme | Globex",
  "[Feature|Acme|Globex] Audit log | Yes | No",
  "Limits | 10,000 | 2,000",
]
const PLANS_READ = [
  "Plan | Seats | Price | Support",
  "[Plan|Seats|Price|Support] Starter | 5 | $49 | Email",
  "Team | 25 | $199 | Chat",
]

describe("tables below each other", () => {
  for (const bold of [true, false]) {
    it(`are two if the lower has columns of its own and is further below, its labels ${bold ? "bold" : "plain"}`, async () => {
      const upper = table(700, [72, 160, 220], FEATURES, { bold })
      assert.deepStrictEqual(await read([...upper, ...table(640, [72, 125, 175, 230], PLANS, { bold })]), [
        ...FEATURES_READ,
        ...PLANS_READ,
      ])
    })
  }

  it("are two if a row of labels among values is further below", async () => {
    const months = (name: string) => [
      [name, "Jan", "Feb"],
      ["North", "120", "130"],
      ["South", "80", "85"],
    ]
    const lines = [...table(700, [72, 160, 220], months("Region")), ...table(640, [72, 160, 220], months("Country"))]
    assert.deepStrictEqual(await read(lines), [
      "Region | Jan | Feb",
      "[Region|Jan|Feb] North | 120 | 130",
      "South | 80 | 85",
      "Country | Jan | Feb",
      "[Country|Jan|Feb] North | 120 | 130",
      "South | 80 | 85",
    ])
  })

  it("are two, as close as rows, if a label among values returns in its column", async () => {
    const rows = [...PLANS, ["Add-on", "Unit", "Price", "Support"], ["Storage", "7", "$20", "Chat"]]
    assert.deepStrictEqual(await read(table(700, [72, 145, 195, 250], rows)), [
      ...PLANS_READ,
      "Add-on | Unit | Price | Support",
      "[Add-on|Unit|Price|Support] Storage | 7 | $20 | Chat",
    ])
  })

  it("are one if a row has words among values, or groups of rows are further apart", async () => {
    const custom = [...PLANS, ["Enterprise", "Custom", "On request", "Phone"], ["Campus", "900", "$999", "Phone"]]
    assert.deepStrictEqual(await read(table(700, [72, 145, 195, 260], custom)), [
      ...PLANS_READ,
      "Enterprise | Custom | On request | Phone",
      "Campus | 900 | $999 | Phone",
    ])
    const groups = table(
      646,
      [72, 145, 195, 250],
      [
        ["Campus", "900", "$999", "Phone"],
        ["School", "90", "$399", "Phone"],
      ],
    )
    assert.deepStrictEqual(
      await read([...table(700, [72, 145, 195, 250], PLANS), ...groups.map((text) => ({ ...text, y: text.y - 12 }))]),
      [...PLANS_READ, "Campus | 900 | $999 | Phone", "School | 90 | $399 | Phone"],
    )
  })
})
