import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { filterFields } from "./filters.ts"

/**
 * The filters as query parameters: arrays and objects travel as JSON text; booleans, names and plain text as they are.
 * One that is no JSON is told what it should look like.
 */
export const inQueryString = (fields: typeof filterFields): typeof filterFields =>
  Object.fromEntries(
    Object.entries(fields).map(([name, field]) => {
      const value = (field as Schema.optional<Schema.Codec<unknown>>).schema.members[0]
      return [name, PLAIN.has(value.ast._tag) || isChoice(value) ? field : Schema.optional(asJson(name, value))]
    }),
  ) as unknown as typeof filterFields

const PLAIN = new Set(["String", "Boolean", "Literal"])

const isChoice = (schema: Schema.Top) =>
  schema.ast._tag === "Union" && schema.ast.types.every((member) => member._tag === "Literal")

const asJson = (name: string, schema: Schema.Codec<unknown>) =>
  Schema.String.check(
    Schema.makeFilter(
      (text: string) => isJson(text) || `must be JSON, for example ${EXAMPLES[name] ?? fallback(schema)}`,
    ),
  ).pipe(Schema.decodeTo(Schema.fromJsonString(schema)))

const isJson = (text: string) => Option.isSome(parse(text))
const parse = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Unknown))

const fallback = (schema: Schema.Codec<unknown>) => (schema.ast._tag === "Arrays" ? '["…"]' : '{"min":1,"max":5}')

/** What each may look like. */
export const EXAMPLES: Record<string, string> = {
  status: '["Won","Lost"]',
  amount: '{"min":10000,"max":50000}',
  close_date: '{"from":"2026-01-01","to":"2026-03-31"}',
  proposal_due: '{"from":"2026-01-01","to":"2026-03-31"}',
  created_at: '{"from":"2026-01-01"}',
  updated_at: '{"from":"2026-01-01T00:00:00Z"}',
  deal_analyzed: '["true"]',
  analysis_verified: '["true"]',
  crm_filters: '[{"property":"forecast","operator":"is","value":"commit"}]',
  crm_account_filters: '[{"property":{"map_to":"industry"},"operator":"is","value":"software"}]',
}
