import { expect, it } from "vitest"
import { Notices } from "../../src/core/records/Notices.ts"

it("collects warnings by code and field, with the first lines and distinct examples", () => {
  const notices = new Notices()
  for (const line of [9, 3, 3, 7]) notices.add("short_row", { line, message: "the row has too few cells" })
  notices.add("placeholder_emptied", { field: "amount", line: 2, example: "n/a", message: "read as empty" })
  notices.add("placeholder_emptied", { field: "amount", line: 4, example: "n/a", message: "not shown" })
  notices.add("placeholder_emptied", { field: "region", line: 4, example: "-", message: "read as empty" })
  expect(notices.list()).toEqual([
    { code: "short_row", message: "the row has too few cells", count: 4, lines: [3, 7, 9], examples: [] },
    {
      code: "placeholder_emptied",
      field: "amount",
      message: "read as empty",
      count: 2,
      lines: [2, 4],
      examples: ["n/a"],
    },
    { code: "placeholder_emptied", field: "region", message: "read as empty", count: 1, lines: [4], examples: ["-"] },
  ])
})

it("bounds lines, examples and fields, but counts every occurrence", () => {
  const notices = new Notices()
  for (let line = 1000; line > 0; line--) {
    notices.add("column_unmapped", { field: `f${line}`, line, example: "x".repeat(1000), message: "" })
    notices.add("list_unsplit", { field: "competitors", line, example: `${line}`, message: "" })
  }
  const list = notices.list()
  const unsplit = list.find(({ code }) => code === "list_unsplit")!
  expect(unsplit).toMatchObject({ count: 1000, lines: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] })
  expect(unsplit.examples).toHaveLength(5)
  const unmapped = list.filter(({ code }) => code === "column_unmapped")
  expect(unmapped.length).toBeLessThanOrEqual(51)
  expect(unmapped.reduce((sum, { count }) => sum + count, 0)).toBe(1000)
  expect(unmapped[0]!.examples[0]!.length).toBeLessThanOrEqual(101)
})
