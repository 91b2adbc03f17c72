import { describe, expect, it } from "vitest"
import { HALVES, pdfTruth } from "../../../bench/support/tables/pdfTruth.ts"
import { readRows, scoreTables } from "../../../bench/support/tables/score.ts"
import { FROM_FIRST, joinLabels, type TruthTable, textCell } from "../../../bench/support/tables/truth.ts"
import type { Element, Place } from "../../../src/ingest/document.ts"

const PAGE: Place = { kind: "page", page: 1 }

const truthOf = (header: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>): TruthTable => ({
  kind: "pdf, ruled",
  name: "a table",
  labels: joinLabels([header]),
  rows: rows.map((row) => ({ cells: row.map((text) => textCell(text)) })),
  countings: FROM_FIRST,
  isOrdered: false,
  place: 1,
})

const STOCK = truthOf(
  ["Product", "Location", "Expected"],
  [
    ["SKU-1", "A-12", "450"],
    ["", "A-13", "20"],
  ],
)

const row = (text: string, labels?: ReadonlyArray<string>): Element =>
  Object.assign({ kind: "table-row" as const, text, place: PAGE }, labels === undefined ? {} : { labels })

const LABELS = ["Product", "Location", "Expected"]

const score = (table: TruthTable, elements: ReadonlyArray<Element>) => {
  const [only] = scoreTables([table], readRows(elements))
  return [only!.cells, only!.inColumn, only!.underLabel]
}

describe("the score of a table", () => {
  it("is full for a reading that has every cell under its header", () => {
    expect(score(STOCK, [row("SKU-1\tA-12\t450", LABELS), row("\tA-13\t20")])).toEqual([5, 5, 5])
  })

  it("does not count the cells of a row that lost its empty first cell", () => {
    expect(score(STOCK, [row("SKU-1\tA-12\t450", LABELS), row("A-13\t20")])).toEqual([5, 3, 3])
  })

  it("does not count cells under another header, or under none", () => {
    const swapped = ["Product", "Expected", "Location"]
    expect(score(STOCK, [row("SKU-1\tA-12\t450", swapped), row("\tA-13\t20")])).toEqual([5, 5, 1])
    expect(score(STOCK, [row("SKU-1\tA-12\t450"), row("\tA-13\t20")])).toEqual([5, 5, 0])
  })

  it("forgets the labels behind a paragraph", () => {
    const text: Element = { kind: "paragraph", text: "and then", place: PAGE }
    expect(score(STOCK, [row("SKU-1\tA-12\t450", LABELS), text, row("\tA-13\t20")])).toEqual([5, 5, 3])
  })

  it("does not put together the cells of a row from two rows that were read", () => {
    expect(score(STOCK, [row("SKU-1\tA-12\t", LABELS), row("\t\t450"), row("\tA-13\t20")])).toEqual([5, 4, 4])
  })

  it("does not count rows of another page", () => {
    const elsewhere: Element = { kind: "table-row", text: "SKU-1\tA-12\t450", place: { kind: "page", page: 2 } }
    expect(score(STOCK, [elsewhere])).toEqual([5, 0, 0])
  })

  it("accepts a cell that covers several rows in any of them", () => {
    const table = {
      ...STOCK,
      rows: [{ cells: [textCell("Both", 2), textCell("1")] }, { cells: [undefined, textCell("2")] }],
    }
    const { labels: _, ...unlabelled } = table
    expect(score(unlabelled, [row("\t1"), row("Both\t2")])).toEqual([3, 3, 3])
    expect(score(unlabelled, [row("\t1"), row("\t2"), row("Both\t")])).toEqual([3, 2, 2])
  })

  it("accepts one other way to count columns, the same for all rows", () => {
    const beside = { ...STOCK, countings: [...FROM_FIRST, (column: number) => column + 1] }
    const labels = ["Note", ...LABELS]
    expect(score(beside, [row("x\tSKU-1\tA-12\t450", labels), row("x\t\tA-13\t20")])).toEqual([5, 5, 5])
    expect(score(beside, [row("x\tSKU-1\tA-12\t450", labels), row("\tA-13\t20")])).toEqual([5, 3, 3])
  })

  it("is full for every labelled table that is read as it was labelled", () => {
    for (const [, table] of HALVES.flatMap(pdfTruth)) {
      const labels = table.labels?.map((label) => label?.text ?? "")
      const place: Place = { kind: "page", page: Number(table.place) }
      const elements = table.rows.map(({ cells }, at): Element => {
        const text = cells.map((cell) => cell?.text ?? "").join("\t")
        return Object.assign(
          { kind: "table-row" as const, text, place },
          at === 0 && labels !== undefined ? { labels } : {},
        )
      })
      const [cells, , underLabel] = score(table, elements)
      expect(underLabel, table.name).toBe(cells)
    }
  })
})
