import { assert, describe, it } from "@effect/vitest"
import { readText } from "../../../../src/ingest/formats/text/readText.ts"

const read = (text: string) =>
  readText(new TextEncoder().encode(text), "txt").elements.map(({ kind, text, labels }) => [
    kind === "table-row" ? text.split("\t") : text,
    ...(labels === undefined ? [] : [labels]),
  ])

const PLANS = [
  [["Plan", "Seats", "Price"]],
  [
    ["Pro", "5", "$20"],
    ["Plan", "Seats", "Price"],
  ],
  [["Max", "100", "$1,499"]],
]

describe("tables in plain text", () => {
  it.each([
    ["spaces", "Plan    Seats   Price\nPro     5       $20\nMax     100     $1,499"],
    [
      "spaces and a rule",
      "Plan    Seats     Price\n-----------------------\nPro         5       $20\nMax       100    $1,499",
    ],
    ["tabs", "Plan\tSeats\tPrice\nPro\t5\t$20\nMax\t100\t$1,499"],
    ["bars", "| Plan | Seats | Price |\n|------|------:|-------|\n| Pro | 5 | $20 |\n| Max | 100 | $1,499 |"],
    [
      "a drawn frame",
      "+------+-------+--------+\n| Plan | Seats | Price  |\n+------+-------+--------+\n| Pro  | 5     | $20    |\n| Max  | 100   | $1,499 |\n+------+-------+--------+",
    ],
    ["a frame of lines", "┌─────┬───┐\n│Plan │Seats│Price│\n├─────┼───┤\n│Pro│5│$20│\n│Max│100│$1,499│\n└─────┴───┘"],
  ])("have cells in columns that are made by %s", (_, table) => {
    assert.deepStrictEqual(read(`List of 2026:\n${table}\nPer month.`), [["List of 2026:"], ...PLANS, ["Per month."]])
  })

  it("keep the columns of empty cells, also in the first line of the file", () => {
    const text =
      "                 2024    2025\nRevenue (EUR m)  12.5    14.0\nCost (EUR m)              9.1\nMargin           27 %    27 %\n"
    assert.deepStrictEqual(read(text).slice(1), [
      [
        ["Revenue (EUR m)", "12.5", "14.0"],
        ["", "2024", "2025"],
      ],
      [["Cost (EUR m)", "", "9.1"]],
      [["Margin", "27 %", "27 %"]],
    ])
  })

  it("may be as long as a file may", () => {
    for (const line of ["a   b   c\n", "|a|b|\n", "a\tb\n"])
      assert.strictEqual(read(line.repeat(150_000)).length, 150_000)
    assert.strictEqual(read("-----\n".repeat(150_000)).length, 1)
  })

  it("are not lines with two spaces between some words, nor text in two columns", () => {
    const prose = "We met  the CFO.  He said  no.\nThe next  step is  open.  We wait.\nThen we  decide on  the price."
    assert.deepStrictEqual(read(prose), [[prose]])
    const side = (at: number) =>
      `${`Left words of line ${at} that go on and on and on`.padEnd(52)}Right words of line ${at} that go on and on and on`
    assert.strictEqual(read([1, 2, 3, 4].map(side).join("\n")).length, 1)
  })
})
