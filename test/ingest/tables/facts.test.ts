import { assert, describe, it } from "@effect/vitest"
import { elementList } from "../../../src/ingest/elements.ts"
import { TableWriter } from "../../../src/ingest/tables/TableWriter.ts"

const labelsOf = (rows: ReadonlyArray<ReadonlyArray<string>>) => {
  const elements = elementList()
  const table = new TableWriter(elements)
  for (const row of rows) table.row({ cells: row.map((text, column) => ({ text, column })), place: { kind: "text" } })
  table.end()
  return elements.list.findLast(({ labels }) => labels !== undefined)?.labels
}

const HEADER = ["Region", "Product", "Units"]
const TABLE = [HEADER, ["North", "A", "10"], ["South", "B", "20"]]

describe("facts about a table", () => {
  it.each([
    ["a total", [["Total", "", "30"]]],
    ["a name and its value", [["Report", "Lost deals"]]],
    [
      "several of them",
      [
        ["Report", "Lost deals"],
        ["Date", "2026-01-05"],
      ],
    ],
  ])("above its header are not among its labels: %s", (_, facts) => {
    assert.deepStrictEqual(labelsOf([...facts, ...TABLE]), HEADER)
  })

  it("are not years above labels", () => {
    assert.deepStrictEqual(
      labelsOf([
        ["", "2024", "2025"],
        ["Region", "Wins", "Wins"],
        ["North", "1", "2"],
      ]),
      ["Region", "2024 Wins", "2025 Wins"],
    )
  })

  it("beside each other are no table", () => {
    const form = [
      ["Name:", "Harbor", "", "Owner:", "Kim"],
      ["Stage:", "Lost", "", "Amount:", "1200"],
      ["Date:", "May", "", "Reason:", "Price"],
    ]
    assert.deepStrictEqual(labelsOf(form), [])
    assert.deepStrictEqual(
      labelsOf([
        ["", "2024", "2025"],
        ["Revenue:", "1", "2"],
        ["Cost:", "3", "4"],
      ])?.length,
      3,
    )
  })
})
