import { assert, describe, it } from "@effect/vitest"
import { floorsOf, roomsOf, type Tie, tiesBelow } from "./graph.ts"
import { brokenWalls } from "./walls.ts"

const planted = (...pairs: ReadonlyArray<string>): ReadonlyArray<string> =>
  brokenWalls(
    pairs.map((pair): Tie => {
      const [from = "", to = ""] = pair.split(" > ")
      return { from, to }
    }),
  )

describe("walls inside src/core", () => {
  it("have no forbidden import", () => {
    const ties = tiesBelow("src/core")
    assert.isAbove(ties.length, 1000, "the graph was read")
    assert.deepStrictEqual(brokenWalls(ties), [])
  })

  it.each([
    "src/core/answers/questions",
    "src/core/deals",
    "src/core/http",
    "src/core/import/plan",
    "src/ingest/formats/pdf",
  ])("order the folders of %s into floors", (room) => {
    const ties = tiesBelow(room).filter(({ to }) => !to.startsWith(".."))
    assert.isAbove(ties.length, 20, "the graph was read")
    assert.deepStrictEqual(floorsOf(roomsOf(ties)).knot, [])
  })

  it("order the rooms into floors", () => {
    const { floors, knot } = floorsOf(
      roomsOf([
        { from: "b/x.ts", to: "a/x.ts" },
        { from: "c/x.ts", to: "b/x.ts" },
        { from: "c/x.ts", to: "c/y.ts" },
      ]),
    )
    assert.deepStrictEqual(floors, [["a"], ["b"], ["c"]])
    assert.deepStrictEqual(knot, [])
  })

  it("report a circle of rooms", () => {
    assert.match(planted("deals/a.ts > exports/a.ts", "exports/b.ts > deals/b.ts")[0]!, /circle: deals, exports/)
  })

  it("report an import of server/", () => {
    assert.match(planted("deals/handlers.ts > server/api.ts")[0]!, /only layers.ts/)
    assert.deepStrictEqual(planted("layers.ts > server/routes.ts"), [])
  })

  it("report vocabulary that knows a capability, and common code that knows a room", () => {
    assert.match(planted("http/errors/errors.ts > storage/Database.ts")[0]!, /vocabulary/)
    assert.match(planted("common/ids.ts > http/errors/errors.ts")[0]!, /common/)
  })

  it("report SQL and services behind what a client imports", () => {
    const found = planted("server/api.ts > deals/contract.ts", "deals/contract.ts > deals/conditions/conditions.ts")
    assert.deepStrictEqual(found, [
      "server/api.ts reaches deals/conditions/conditions.ts: what a client needs holds no server code",
    ])
  })
})
