import * as Effect from "effect/Effect"
import { Database } from "../../../storage/Database.ts"
import { listPhrases, type WorkspaceNames } from "../words/names.ts"
import { parse } from "./parse.ts"
import type { Today } from "../words/periods.ts"
import type { Property } from "../words/properties.ts"

/** Deals, the newest, and accounts whose values a question can name. */
const MAX_ROWS = 20_000
/** Words of a value. */
const MAX_VALUE_WORDS = 4
const MAX_VALUES = 100

/**
 * Adds the values of text properties that the question contains. Reads many rows, so only for a question that names a property, or has
 * words that nothing else explains.
 */
export const findValues = Effect.fnUntraced(function* (
  org: string,
  question: string,
  names: WorkspaceNames,
  today: Today,
) {
  const texts = names.properties.filter(({ type }) => type === "text")
  const lower = question.toLowerCase()
  if (texts.length === 0) return names
  const { unknown } = parse(question, names, today)
  if (unknown.length === 0 && !texts.some(({ labels }) => labels.some((label) => lower.includes(label)))) return names
  // A part that no report has is explained in words of ours, which name no value.
  const unread = new Set(unknown.flatMap(({ said, as }) => (as === "unfit" ? [] : said.toLowerCase().split(/[\s-]+/))))
  const { scoped, sql } = yield* Database
  const phrases = listPhrases(`${lower} \n${lower.replaceAll("-", " ")}`, MAX_VALUE_WORDS)
  const said = [...phrases, ...phrases.flatMap((each) => (each.endsWith("s") ? [each.slice(0, -1)] : []))]
  const valuesIn = (object: Property["object"]) =>
    scoped<{ readonly id: string; readonly value: string }>(
      org,
      sql`select distinct p.key as id, p.value from (
          select crm_properties from ${sql.literal(object === "deal" ? "deals" : "clients")}
          where org_id = scope.org ${sql.literal(object === "deal" ? "order by created_at desc" : "")} limit ${MAX_ROWS}::int
        ) r, jsonb_each_text(r.crm_properties) p
        where p.key = any(${texts.flatMap((each) => (each.object === object ? [each.id] : []))}::text[])
          and lower(p.value) = any(${said}::text[]) limit ${MAX_VALUES}::int`,
    )
  const found = { deal: yield* valuesIn("deal"), account: yield* valuesIn("account") }
  const properties = names.properties.map((property) => {
    const values = found[property.object].flatMap(({ id, value }) => (id === property.id ? [value] : []))
    const alone = values.filter((value) =>
      value
        .toLowerCase()
        .split(/\s+/)
        .some((word) => unread.has(word) || unread.has(`${word}s`)),
    )
    const together = (before: ReadonlyArray<string>, more: ReadonlyArray<string>) => [...new Set([...before, ...more])]
    return { ...property, values: together(property.values, values), alone: together(property.alone, alone) }
  })
  return { ...names, properties }
})
