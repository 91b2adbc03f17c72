import { assert, it } from "vitest"
import { linesOf } from "../../../src/adapters/cli/data/importReport.ts"

const REPORT = {
  received: 1,
  created: 1,
  updated: 0,
  unchanged: 0,
  deleted: 0,
  failed: 0,
  not_rows: 0,
  errors: [],
  created_names: {},
  assumptions: {
    container: "csv",
    header_line: 1,
    columns: [{ column: "Stage", field: "status", confidence: 1, by: "name" }],
    stages: [
      { name: "Abandoned", category: "open", by: "none" },
      { name: "Won", category: "won", by: "words" },
    ],
  },
  warnings: [
    {
      code: "stage_unclear",
      field: "status",
      message: "the new stage 'Abandoned' is taken as open. Set 'stage' if that is wrong",
      count: 1,
      lines: [2],
      examples: ["Abandoned"],
    },
    { code: "column_unmapped", message: "keep it with 'keep_unmapped'", count: 1, lines: [], examples: [] },
  ],
} as const

it("the report of an import names flags in its advice, and the categories of new stages", () => {
  const lines = linesOf(REPORT, { organization: "org_1", dryRun: true, seconds: 1 })
  assert.include(lines, "  new stages: Abandoned (open), Won (won)")
  assert.include(
    lines,
    `warning stage_unclear in status: the new stage 'Abandoned' is taken as open. Set --stage "Abandoned=lost" if that is wrong`,
  )
  assert.include(lines, "warning column_unmapped: keep it with --keep-unmapped")
})
