import { assert, describe, it } from "@effect/vitest"
import * as Tool from "effect/ai/Tool"
import { TOOLS } from "../../src/core/answers/tools/contract.ts"
import { FILTER_NAMES, LIST_FILTERS, REPORT_FILTERS } from "../../src/core/answers/tools/filters.ts"
import { TOOL_LIST } from "../../src/core/mcp/toolList.ts"
import { DEAL_DIMENSIONS } from "../../src/core/reports/dimensions.ts"
import { ASSOCIATION_MEASURES, DEAL_MEASURES } from "../../src/core/reports/measures.ts"

/** The tools in every request to a model. */
const declared = Object.values(TOOLS.tools).map((tool) => ({
  name: tool.name,
  description: Tool.getDescription(tool),
  input_schema: Tool.getJsonSchema(tool) as Node,
}))

interface Node {
  readonly [key: string]: unknown
  readonly properties?: Readonly<Record<string, Node>>
}

/** A token of JSON in English has four characters. */
const countTokens = (value: unknown) => JSON.stringify(value).length / 4

const objectsIn = (schema: unknown): ReadonlyArray<Node> => {
  if (typeof schema !== "object" || schema === null) return []
  return [
    ...("type" in schema && schema.type === "object" ? [schema as Node] : []),
    ...Object.values(schema).flatMap(objectsIn),
  ]
}

const WITH_FILTERS = ["search_across_deals", "search_deals", "count_deals", "report_deals", "report_features"]

describe("schemas of tools", () => {
  it("have at most 3,500 tokens together", () => {
    assert.isAtMost(
      declared.reduce((total, tool) => total + countTokens(tool), 0),
      3500,
    )
  })

  it("close every object but `more`", () => {
    for (const { name, input_schema } of declared) {
      const open = objectsIn(input_schema).filter((object) => object["additionalProperties"] !== false)
      assert.deepStrictEqual(open, WITH_FILTERS.includes(name) ? [input_schema.properties?.["more"]] : [], name)
    }
  })

  it("state 25 filters in reports, the same 12 elsewhere, and leave the others to `more`", () => {
    const stating = declared.filter(({ input_schema }) => input_schema.properties?.["filters"] !== undefined)
    assert.sameMembers(
      stating.map(({ name }) => name),
      WITH_FILTERS,
    )
    assert.deepStrictEqual([REPORT_FILTERS.length, LIST_FILTERS.length], [25, 12])
    for (const { name, input_schema } of stating) {
      const { filters, more } = input_schema.properties!
      const expected = name.startsWith("report_") ? REPORT_FILTERS : LIST_FILTERS
      assert.deepStrictEqual(Object.keys(filters?.properties ?? {}), [...expected], name)
      assert.isDefined(more)
    }
    assert.includeMembers([...FILTER_NAMES], [...REPORT_FILTERS])
  })

  it("name every measure and dimension of reports", () => {
    const textOf = (name: string) => JSON.stringify(declared.find((tool) => tool.name === name))
    const deals = textOf("report_deals")
    for (const name of [...Object.keys(DEAL_MEASURES), ...Object.keys(DEAL_DIMENSIONS)])
      assert.include(deals, name.replace(/^wl_(.*)_score_avg$/, "$1"))
    for (const name of Object.keys(ASSOCIATION_MEASURES)) assert.include(textOf("report_features") + deals, name)
  })

  it("are the same for MCP, which has `ask`, `search` and `fetch` besides", () => {
    for (const { name, inputSchema } of TOOL_LIST.slice(3))
      assert.deepStrictEqual(inputSchema, declared.find((tool) => tool.name === name)?.input_schema)
    assert.deepStrictEqual(
      TOOL_LIST.slice(0, 3).map(({ name }) => name),
      ["ask", "search", "fetch"],
    )
    assert.notIncludeMembers(Object.keys(TOOLS.tools), ["search"])
  })
})
