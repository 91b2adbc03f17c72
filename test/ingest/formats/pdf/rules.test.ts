import { assert, describe, it } from "@effect/vitest"
import { readDrawn } from "../../support/drawnTable.ts"

const XS = [72, 200, 330]

const text = (x: number, y: number, words: string) => `BT /F1 10 Tf ${x} ${y} Td (${words}) Tj ET`
const row = (y: number, ...cells: ReadonlyArray<string>) => cells.map((words, column) => text(XS[column]!, y, words))
const across = (y: number) => `72 ${y} m 450 ${y} l S`

const BODY = [
  ...row(664, "factor", "terminal node number", "majority class"),
  ...row(652, "numeric", "terminal node number", "mean"),
  ...row(640, "survival", "terminal node number", "median survival time"),
]
const ROWS = [
  "factor | terminal node number | majority class",
  "numeric | terminal node number | mean",
  "survival | terminal node number | median survival time",
]

describe("horizontal rules of a table without others", () => {
  it("set a header of texts apart from rows of texts", async () => {
    const header = row(680, "Class of the response", "What is given for a node", "What is given for a response")
    const labels = "[Class of the response|What is given for a node|What is given for a response] "
    const rules = [across(692), across(676), across(634)]
    assert.deepStrictEqual((await readDrawn([...rules, ...header, ...BODY])).slice(1), [
      labels + ROWS[0],
      ...ROWS.slice(1),
    ])
  })

  it("set no row apart if there is one below each row", async () => {
    const first = row(676, "ordered", "terminal node only", "majority class only")
    const rules = [688, 672, 660, 648, 636].map((y) => across(y))
    const found = await readDrawn([...rules, ...first, ...BODY])
    assert.include(found.join("\n"), "ordered | terminal node only | majority class only")
    assert.isEmpty(found.filter((line) => line.startsWith("[ordered|")))
  })

  it("set a header of four rows apart, whose labels are centred above those below them", async () => {
    const place = (y: number, cells: ReadonlyArray<readonly [number, string]>) =>
      cells.map(([x, words]) => text(x, y, words))
    const header = [
      ...place(712, [
        [72, "Type"],
        [262, "GLM"],
        [382, "Zero"],
      ]),
      ...place(698, [
        [72, "Distribution"],
        [225, "Poisson"],
        [326, "NB"],
        [381, "ZINB"],
      ]),
      ...place(684, [
        [72, "Method"],
        [206, "ML"],
        [260, "quasi"],
        [326, "ML"],
        [386, "ML"],
      ]),
      ...place(670, [
        [72, "Object"],
        [200, "fit_p"],
        [260, "fit_q"],
        [320, "fit_n"],
        [380, "fit_z"],
      ]),
    ]
    const body = Array.from({ length: 6 }, (_, at) =>
      place(650 - 14 * at, [
        [72, `Factor ${at + 1}`],
        [200, "(0.65)"],
        [260, "(0.72)"],
        [320, "(0.81)"],
        [380, "(0.9)"],
      ]),
    )
    const labels = [
      "Type Distribution Method Object",
      "GLM Poisson ML fit_p",
      "GLM Poisson quasi fit_q",
      "GLM NB ML fit_n",
      "Zero ZINB ML fit_z",
    ]
    assert.include(
      await readDrawn([across(724), across(664), across(574), ...header, ...body.flat()]),
      `[${labels.join("|")}] Factor 1 | (0.65) | (0.72) | (0.81) | (0.9)`,
    )
  })

  it("leave out the lines above the table", async () => {
    const before = row(708, "Journal of Tests", "", "41")
    const header = row(680, "Class", "Node", "Response")
    const rules = [across(692), across(676), across(634)]
    const found = await readDrawn([...rules, ...before, ...header, ...BODY])
    assert.deepStrictEqual(found.slice(1), [
      "Class | Node | Response",
      `[Class|Node|Response] ${ROWS[0]}`,
      ...ROWS.slice(1),
    ])
    assert.notInclude(found[0], " | ")
  })
})
