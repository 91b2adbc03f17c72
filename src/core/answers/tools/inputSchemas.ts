import * as Schema from "effect/Schema"
import { type FilterName, filterParameters, statedFilters } from "./filters.ts"
import type { ToolName } from "./names.ts"

type Node = Readonly<Record<string, unknown>>

/** Sizes and formats, which a refusal names. They cost more than they prevent. */
const UNSTATED = new Set(["minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems", "format"])

/** A longer list of values is shown whole once, and elsewhere by some of them. A refusal names all. */
const MAX_VALUES = 16
const SHOWN_VALUES = 3

const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null && !Array.isArray(value)

/** Applies `change` to each schema inside a schema, the inner ones first. */
const rewrite = (node: Node, change: (schema: Node) => Node): Node => {
  const inner = Object.entries(node).map(([key, value]): readonly [string, unknown] => {
    if (key === "properties" && isNode(value))
      return [
        key,
        Object.fromEntries(Object.entries(value).map(([name, each]) => [name, rewrite(each as Node, change)])),
      ]
    return [key, (key === "items" || key === "additionalProperties") && isNode(value) ? rewrite(value, change) : value]
  })
  return change(Object.fromEntries(inner))
}

const shorten = (schema: Node): Node => {
  const kept = Object.fromEntries(Object.entries(schema).filter(([key]) => !UNSTATED.has(key)))
  const values = schema["enum"]
  if (!Array.isArray(values) || values.length <= MAX_VALUES) return kept
  const { enum: _, ...open } = kept
  const step = values.length / SHOWN_VALUES
  const shown = Array.from({ length: SHOWN_VALUES }, (__, n) => String(values[Math.ceil(n * step)]))
  return { ...open, description: `${shown.join(", ")}, …` }
}

/** An optional value is null in JSON, which models need not know. */
const withoutNull = (schema: Node): Node => {
  const members = schema["anyOf"]
  return Array.isArray(members) ? members.find(({ type }) => type !== "null") : schema
}

/** The tool that states long lists of values, and what `more` is. */
const STATES_ALL: ToolName = "report_deals"
const WITH_ALL_VALUES: FilterName = "close_date"

/** The filters have the names of `GET /deals`, so they need no descriptions. */
const statedIn = (tool: ToolName, filters: Node): Node => {
  const properties = filters["properties"] as Readonly<Record<string, Node>>
  const shown = statedFilters(tool).map((name) => {
    const isWhole = tool === STATES_ALL && name === WITH_ALL_VALUES
    return [
      name,
      rewrite(withoutNull(properties[name]!), ({ description: _, ...schema }) => {
        return isWhole && "enum" in schema ? schema : shorten(schema)
      }),
    ]
  })
  const { description: _, ...rest } = filters
  return {
    ...rest,
    ...(tool === STATES_ALL && { description: "all must hold; names or ids" }),
    properties: Object.fromEntries(shown),
  }
}

/** The one open object: the server checks it against the filters. */
const moreIn = (tool: ToolName): Node => ({
  type: "object",
  description:
    tool === STATES_ALL
      ? 'other filters, such as {"verified":true}; describe_workspace with kind "filters" lists them'
      : `as in ${STATES_ALL}`,
  additionalProperties: true,
})

/**
 * The JSON Schema of arguments, as short as models need: every request to a model carries the schemas of all tools.
 * `readArguments` accepts more than the schema says, and checks more.
 */
export const makeInputSchema = (name: ToolName | undefined, parameters: Schema.Top): Node => {
  const { schema } = Schema.toJsonSchemaDocument(parameters, { onExcessProperty: "error" })
  const { properties = {}, ...rest } = schema as { readonly properties?: Readonly<Record<string, Node>> }
  const shown = Object.entries(properties).map(([key, property]) => {
    if (name === undefined || !(key in filterParameters)) return [key, rewrite(property, shorten)] as const
    return [key, key === "more" ? moreIn(name) : statedIn(name, property)] as const
  })
  return { ...rest, properties: Object.fromEntries(shown) }
}
