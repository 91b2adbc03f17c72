import type * as Tool from "effect/ai/Tool"
import * as Schema from "effect/Schema"

type Node = Readonly<Record<string, unknown>>

/** The tool that states the filters; the other tools refer to it. */
const STATES_FILTERS = "search_deals"
const SAME_FILTERS = { type: "object", description: `as in ${STATES_FILTERS}` }

/** Filters that are accepted and that questions rarely need. */
const UNSTATED_FILTERS = new Set(["status_filter_type", "primary_competitors", "updated_at", "analyzed"])

/** Sizes, which a refusal names. They cost more than they prevent. */
const SIZES = new Set(["minimum", "minLength", "maxLength", "minItems", "maxItems"])

/** A list of values that is longer than this is shown by some of them; a refusal names all. */
const MAX_VALUES = 7
const SHOWN_VALUES = 6

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
  const kept = Object.fromEntries(
    Object.entries(schema).filter(([key, value]) => !SIZES.has(key) && value !== Number.MAX_SAFE_INTEGER),
  )
  const values = schema["enum"]
  if (!Array.isArray(values) || values.length <= MAX_VALUES) return kept
  const { enum: _, ...open } = kept
  const step = values.length / SHOWN_VALUES
  const shown = Array.from({ length: SHOWN_VALUES }, (__, n) => String(values[Math.floor(n * step)]))
  return { ...open, description: `${shown.join(", ")}, …` }
}

/** The filters have the names of `GET /deals`, so they need no descriptions. */
const describeFilters = (filters: Node): Node => {
  const { properties, ...rest } = rewrite(filters, ({ description: _, ...schema }) => shorten(schema))
  const stated = Object.entries(properties as Node).filter(([name]) => !UNSTATED_FILTERS.has(name))
  return { ...rest, description: "all must hold; names or ids", properties: Object.fromEntries(stated) }
}

/**
 * The JSON Schema of a tool's arguments, as short as models need: every request to a model carries the schemas of all
 * tools. The decoder checks more than the schema says.
 */
export const inputSchemaOf = ({ name, parametersSchema }: Pick<Tool.Any, "name" | "parametersSchema">): Node => {
  const { schema } = Schema.toJsonSchemaDocument(parametersSchema as Schema.Top, { onExcessProperty: "error" })
  const { properties = {}, ...rest } = schema as { readonly properties?: Readonly<Record<string, Node>> }
  const shown = Object.entries(properties).map(([key, property]) => {
    if (key !== "filters") return [key, rewrite(property, shorten)] as const
    return [key, name === STATES_FILTERS ? describeFilters(property) : SAME_FILTERS] as const
  })
  return { ...rest, properties: Object.fromEntries(shown) }
}
