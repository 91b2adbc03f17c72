import { assert, describe, it } from "@effect/vitest"
import { down, readDrawn } from "../../support/drawnTable.ts"

const XS = [105, 155, 205, 305]

const write = (font: "F1" | "F2", y: number, cells: ReadonlyArray<string>) =>
  cells.flatMap((words, at) => (words === "" ? [] : [`BT /${font} 10 Tf ${XS[at]} ${y} Td (${words}) Tj ET`]))
const across = (y: number, from = 100, to = 400) => `${from} ${y} m ${to} ${y} l S`

/** A grid of a header in two rows, whose first has one label above two columns, and of two rows. */
const grid = (top: number, rows: ReadonlyArray<ReadonlyArray<string>>) => [
  across(top),
  across(top - 20),
  across(top - 40),
  across(top - 60),
  across(top - 80),
  ...[100, 200, 300, 400].map((x) => down(x, top - 80, top)),
  down(150, top - 80, top - 20),
  ...write("F2", top - 14, ["Present in"]),
  ...write("F2", top - 34, ["USR 2", "USR 3", "Field", "Size"]),
  ...rows.flatMap((cells, at) => write("F1", top - 54 - 20 * at, cells)),
]

const FIRST = [
  ["no", "yes", "Count of trails", "four"],
  ["yes", "yes", "Trails", "Count * 5"],
]
const SECOND = [
  ["no", "no", "Flags", "one"],
  ["yes", "no", "Waypoints", "Count * 8"],
]
const rowsBelowLabels = ([first, ...others]: ReadonlyArray<ReadonlyArray<string>>) => [
  "Present in",
  "USR 2 | USR 3 | Field | Size",
  `[Present in USR 2|Present in USR 3|Field|Size] ${first!.join(" | ")}`,
  ...others.map((cells) => cells.join(" | ")),
]

describe("bold rows at the top of a grid", () => {
  it("are its header, also with a label above some of the columns", async () => {
    assert.deepStrictEqual(await readDrawn(grid(700, FIRST)), rowsBelowLabels(FIRST))
  })

  it("begin another table if they repeat below a title", async () => {
    const title = write("F2", 606, ["Table 2. Second structure"])
    const found = await readDrawn([...grid(700, FIRST), ...title, ...grid(600, SECOND)])
    assert.deepStrictEqual(found, [
      ...rowsBelowLabels(FIRST),
      "paragraph: Table 2. Second structure",
      ...rowsBelowLabels(SECOND),
    ])
  })

  it("are rows like the others if as many below them are bold", async () => {
    const lines = [700, 680, 660, 640].map((y) => across(y)).concat([100, 200, 300, 400].map((x) => down(x, 640, 700)))
    const rows = [
      ...write("F2", 686, ["North", "", "12", "4"]),
      ...write("F1", 666, ["South", "", "13", "5"]),
      ...write("F2", 646, ["East", "", "14", "6"]),
    ]
    assert.deepStrictEqual(await readDrawn([...lines, ...rows]), [
      "[] North | 12 | 4",
      "South | 13 | 5",
      "East | 14 | 6",
    ])
  })
})
