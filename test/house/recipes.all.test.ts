import { afterAll, assert, describe, it } from "@effect/vitest"
import { Copy } from "./recipes/Copy.ts"
import { RECIPES } from "./recipes/recipes.ts"

interface Reply {
  readonly status: number
  readonly body: string
}

describe("the recipes of CONTRIBUTING", () => {
  const copy = new Copy()
  afterAll(() => copy.remove())

  it("make types ask for every place that a contributor would forget", () => {
    for (const { begin } of RECIPES) begin(copy)
    const errors = copy.typeErrors()
    assert.includeMembers(
      [...errors.keys()],
      RECIPES.flatMap(({ asks }) => asks),
    )
  })

  it("compile once every place is filled in", () => {
    for (const { finish } of RECIPES) finish(copy)
    assert.deepStrictEqual([...copy.typeErrors().values()], [])
  })

  it("add what they promise", () => {
    const replies = JSON.parse(copy.run("test/house/recipes/followed.ts")) as Record<string, Reply>
    const body = (name: string) => JSON.parse(replies[name]!.body)
    assert.include(body("imported"), { created: 3, failed: 0 })
    assert.deepStrictEqual(body("listed"), [
      { id: "d1", forecast: "Commit", initial: "A" },
      { id: "d2", forecast: "omitted", initial: "B" },
    ])
    assert.deepStrictEqual(body("filtered"), [{ id: "d1", name: "Acme" }])
    assert.deepStrictEqual(body("endpoint"), { initial: "B" })
    assert.strictEqual(replies["document"]!.status, 200, replies["document"]!.body)
    assert.deepStrictEqual(body("tool").result.structuredContent, { found: 1, count: 1 })
    assert.deepStrictEqual(
      body("report").data.map(({ group, values, filters }: Record<string, unknown>) => ({ group, values, filters })),
      ["Commit", "omitted"].map((name) => ({
        group: { forecast: { id: null, name } },
        values: { unpriced: 1 },
        filters: { forecast: [name] },
      })),
    )
    assert.include(replies["openapi"]!.body, '"/api/v1/deals/{id}/initial"')
    assert.include(replies["openapi"]!.body, "The number of deals without an amount.")
  })
})
