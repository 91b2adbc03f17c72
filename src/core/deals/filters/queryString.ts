import * as Schema from "effect/Schema"
import { queryValue } from "../../http/query/value.ts"
import { FILTER_EXAMPLES } from "./examples.ts"
import type { filterFields } from "./filters.ts"

/** Makes query parameters of the filters: arrays and objects in any form of `queryValue`, booleans, names and text unchanged. */
export const inQueryString = (fields: typeof filterFields): typeof filterFields =>
  Object.fromEntries(
    Object.entries(fields).map(([name, field]) => {
      const value = (field as Schema.optional<Schema.Codec<unknown>>).schema.members[0]
      if (PLAIN.has(value.ast._tag) || isChoice(value)) return [name, field]
      return [name, Schema.optional(queryValue(value, { example: FILTER_EXAMPLES[name as keyof typeof filterFields] }))]
    }),
  ) as unknown as typeof filterFields

const PLAIN = new Set(["String", "Boolean", "Literal"])

const isChoice = (schema: Schema.Top) =>
  schema.ast._tag === "Union" && schema.ast.types.every((member) => member._tag === "Literal")
