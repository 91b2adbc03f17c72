import * as Effect from "effect/Effect"
import { Database } from "../../storage/Database.ts"
import type { QuestionReader } from "../QuestionReader.ts"
import { phrase } from "./lexicon.ts"

/** A property of deals that comes from a CRM, with the values that a question can name. */
export interface Property {
  readonly id: string
  /** In lower case. */
  readonly label: string
  readonly values: ReadonlyArray<string>
}

/** Properties that are read, and values of each. */
const MAX_PROPERTIES = 200
const MAX_VALUES = 200

const escape = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)

/** Loads the text properties that the question names, with their values. */
export const loadProperties = Effect.fnUntraced(function* (org: string, question: string) {
  const { scoped, sql } = yield* Database
  const rows = yield* scoped<{ readonly id: string; readonly label: string | null }>(
    org,
    sql`select id, label from crm_properties where org_id = scope.org and object = 'deal' and data_type = 'text'
      order by id limit ${MAX_PROPERTIES}::int`,
  )
  const lower = question.toLowerCase()
  const named = rows
    .map(({ id, label }) => ({ id, label: (label ?? id.replaceAll("_", " ")).toLowerCase() }))
    .filter(({ label }) => label.length > 2 && lower.includes(label))
  return yield* Effect.forEach(named, ({ id, label }) =>
    Effect.map(
      scoped<{ readonly value: string }>(
        org,
        sql`select distinct crm_properties ->> ${id}::text as value from deals
          where org_id = scope.org and crm_properties ? ${id}::text limit ${MAX_VALUES}::int`,
      ),
      (values): Property => ({ id, label, values: values.map(({ value }) => value) }),
    ),
  )
})

/** Takes conditions on properties ("forecast category Commit", "lead source is Inbound") and groups by them ("by lead source"). */
export const takeProperties = (reader: QuestionReader, properties: ReadonlyArray<Property>) => {
  const filters: Array<{ readonly property: string; readonly operator: "is"; readonly value: string }> = []
  const groups: Array<{ readonly dimension: `crm_${string}`; readonly index: number }> = []
  for (const { id, label, values } of properties) {
    const name = escape(label)
    const longestFirst = values.toSorted((a, b) => b.length - a.length)
    const value = longestFirst.find((each) => {
      const said = escape(each.toLowerCase())
      const before = String.raw`(?:(?:with|whose|where|in|of|from|the|an?) )*`
      return (
        reader.take(phrase(`${before}${name}s?(?: (?:is|was|of|equals|=))? ${said}`)) !== undefined ||
        reader.take(phrase(`${before}${said} ${name}s?`)) !== undefined
      )
    })
    if (value !== undefined) filters.push({ property: id, operator: "is", value })
    else {
      const found = reader.take(phrase(String.raw`(?:(?:(?:by|per|for each|across|which|what)(?: the)?) )?${name}s?`))
      if (found !== undefined) groups.push({ dimension: `crm_${id}`, index: found.index })
    }
  }
  return { filters, groups }
}
