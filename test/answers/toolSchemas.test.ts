import { assert, describe, it } from "@effect/vitest"
import { FILTER_NAMES } from "../../src/core/answers/tools/filters.ts"
import { TOOLS } from "../../src/core/answers/tools/contract.ts"
import { inputSchemaOf } from "../../src/core/answers/tools/inputSchemas.ts"
import { DEAL_DIMENSIONS } from "../../src/core/reports/dimensions.ts"
import { ASSOCIATION_MEASURES, DEAL_MEASURES } from "../../src/core/reports/measures.ts"

/** What every request to a model carries. */
const declared = Object.values(TOOLS.tools).map((tool) =>
  JSON.stringify({
    type: "function",
    function: { name: tool.name, description: tool.description, parameters: inputSchemaOf(tool) },
  }),
)

/** Runs of letters, of digits and of signs. For these schemas it is within 1 % of o200k_base, which counts 1,759 tokens. */
const countTokens = (text: string) => text.match(/[a-z]+|\d{1,3}|[^a-z\d\s]+/gi)?.length ?? 0

const objectsIn = (schema: unknown): ReadonlyArray<Record<string, unknown>> => {
  if (typeof schema !== "object" || schema === null) return []
  const own = "properties" in schema ? [schema as Record<string, unknown>] : []
  return [...own, ...Object.values(schema).flatMap(objectsIn)]
}

describe("schemas of tools", () => {
  it("have at most 1,800 tokens together", () => {
    assert.isAtMost(
      declared.reduce((total, text) => total + countTokens(text), 0),
      1800,
    )
  })

  it("close every object, and state the filters once", () => {
    for (const text of declared)
      for (const object of objectsIn(JSON.parse(text).function.parameters))
        assert.strictEqual(object["additionalProperties"], false, text)
    const stating = declared.filter((text) => text.includes("competitors_filter_type"))
    assert.lengthOf(stating, 1)
    for (const name of ["outcome", "close_date", "driver_ids", "feature_ids"]) assert.include(FILTER_NAMES, name)
  })

  it("name every measure and dimension of reports", () => {
    const deals = declared.find((text) => text.includes('"report_deals"')) ?? ""
    const features = declared.find((text) => text.includes('"report_features"')) ?? ""
    for (const name of [...Object.keys(DEAL_MEASURES), ...Object.keys(DEAL_DIMENSIONS)])
      assert.include(deals, name.replace(/^wl_(.*)_score_avg$/, "$1"))
    for (const name of Object.keys(ASSOCIATION_MEASURES)) assert.include(features + deals, name)
  })
})
