import * as Schema from "effect/Schema"
import { Text } from "../../http/values/parameters.ts"

/** Operators of CRM filters. The last two take no value. */
const OPERATORS = [
  "is",
  "is not",
  "is greater than",
  "is less than",
  "is greater than or equal to",
  "is less than or equal to",
  "is before",
  "is after",
  "contains",
  "does not contain",
  "is empty",
  "is not empty",
] as const
export type Operator = (typeof OPERATORS)[number]

export const isWithoutValue = (operator: Operator): operator is "is empty" | "is not empty" =>
  operator === "is empty" || operator === "is not empty"

/** Account properties with a column of their own, which `{"map_to": …}` names. */
export const ACCOUNT_COLUMNS = ["name", "industry", "website_url"] as const

const CrmFilter = Schema.Struct({
  property: Schema.Union([
    Text.check(Schema.isNonEmpty(), Schema.isMaxLength(400)),
    Schema.Struct({
      id: Schema.optionalKey(Text.check(Schema.isNonEmpty(), Schema.isMaxLength(400))),
      map_to: Schema.Literals(ACCOUNT_COLUMNS),
    }),
  ]).annotate({
    description: "A CRM property's id. For an account's name, industry or website, an object with `map_to`.",
  }),
  operator: Schema.Literals(OPERATORS),
  value: Schema.optionalKey(
    Schema.Union([Text.check(Schema.isMaxLength(32_000)), Schema.Finite, Schema.Boolean]).annotate({
      description: "Required, but omitted with `is empty` and `is not empty`.",
    }),
  ),
  crm: Schema.optionalKey(Schema.Literals(["crm_one", "crm_two"])),
}).annotate({ identifier: "CrmFilter" })
export type CrmFilter = typeof CrmFilter.Type

export const crmFilters = (what: string) =>
  Schema.optional(
    Schema.Array(CrmFilter)
      .check(Schema.isMaxLength(50))
      .annotate({ description: `Conditions on ${what} CRM properties; all must hold.` }),
  )
