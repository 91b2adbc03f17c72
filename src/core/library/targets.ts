import * as Effect from "effect/Effect"
import { crmKey } from "../common/crmKey.ts"
import { editDistance } from "../common/nearest.ts"
import { NotFound } from "../http/errors/errors.ts"
import type { Invalid } from "../http/validation/validation.ts"
import { Database } from "../storage/Database.ts"
import { selectSimilarCompetitors } from "./sql.ts"

/** The competitor or deal that a document belongs to; the other is null. */
export interface ResolvedTarget {
  readonly competitorId: string | null
  readonly dealId: string | null
}

/** The target of an upload: a competitor, by id or name, or a deal, by one of its ids. */
export type Target = { readonly type: "asset" | "intel"; readonly competitor: string } | { readonly deal: DealChoice }

interface CompetitorChoice {
  readonly competitor_id?: string | undefined
  readonly competitor_name?: string | undefined
}

export interface DealChoice {
  readonly deal_id?: string | undefined
  readonly crm_one_id?: string | undefined
  readonly crm_two_id?: string | undefined
}

/** A similar name is accepted from this closeness on, and only with this lead over the next. */
const MIN_CLOSENESS = 0.7
const MIN_LEAD = 0.15

/** An upload gives exactly one of the fields of its list. */
export const COMPETITOR_FIELDS = ["competitor_id", "competitor_name"] as const
export const DEAL_FIELDS = ["deal_id", "crm_one_id", "crm_two_id"] as const

/** Finds what is wrong if not exactly one of `names` is given. */
export const findChoiceProblems = (
  names: ReadonlyArray<string>,
  given: ReadonlyArray<string>,
): ReadonlyArray<Invalid> => {
  const chosen = names.filter((name) => given.includes(name))
  const rule = `exactly one of ${names.join(", ")} must be given`
  if (chosen.length === 0) return names.slice(0, 1).map((field) => ({ field, reason: `is missing: ${rule}` }))
  return chosen.length === 1 ? [] : chosen.map((field) => ({ field, reason: `is one too many: ${rule}` }))
}

/** Finds a competitor by id, or by name: an exact match, ignoring case, or else the clearly closest name. `choice` has one field. */
export const resolveCompetitor = Effect.fnUntraced(function* (org: string, choice: CompetitorChoice) {
  const { sql, scoped } = yield* Database
  if (choice.competitor_id !== undefined) {
    const [row] = yield* scoped<{ id: string }>(
      org,
      sql`select id from competitors where org_id = scope.org and id = ${choice.competitor_id}`,
    )
    if (row === undefined) return yield* new NotFound({ message: "no competitor has this id" })
    return { competitorId: row.id, dealId: null } satisfies ResolvedTarget
  }
  const { competitor_name: name = "" } = choice
  const found = yield* scoped<{ id: string; name: string; exact: boolean; similarity: number }>(
    org,
    selectSimilarCompetitors(sql, name),
  )
  const rows = found
    .map((row) => ({ ...row, close: row.exact ? 2 : closeness(name, row.name, row.similarity) }))
    .toSorted((a, b) => b.close - a.close)
    .slice(0, 5)
  const [best, next] = rows
  const clear = best !== undefined && best.close >= MIN_CLOSENESS && best.close - (next?.close ?? 0) >= MIN_LEAD
  if (best === undefined || !clear) {
    return yield* new NotFound({
      message:
        rows.length === 0
          ? "no competitor has a name like this"
          : `the name matches no competitor clearly; the closest are ${rows.map(({ name }) => name).join(", ")}`,
      details: { closest: rows.map(({ id, name }) => ({ id, name })) },
    })
  }
  return { competitorId: best.id, dealId: null } satisfies ResolvedTarget
})

/** Finds a deal by the one identifier in `choice`. */
export const resolveDeal = Effect.fnUntraced(function* (org: string, choice: DealChoice) {
  const { sql, scoped } = yield* Database
  const conditions = DEAL_FIELDS.flatMap((name) => {
    const given = choice[name]
    if (given === undefined) return []
    if (name === "deal_id") return [{ has: sql`id = ${given}`, is: sql`id = ${given}` }]
    const crm = name === "crm_one_id" ? "crm_one" : "crm_two"
    return [
      {
        has: sql`${sql.literal(`${crm}_key`)} = ${crmKey(given.trim())}`,
        is: sql`${sql.literal(name)} = ${given.trim()}`,
      },
    ]
  })
  // If two deals share a key, the one with exactly this id is meant, else the older.
  const [row] = yield* scoped<{ id: string }>(
    org,
    sql`select id from deals where org_id = scope.org and ${sql.or(conditions.map(({ has }) => has))}
      order by (${sql.or(conditions.map(({ is }) => is))}) desc, created_at, id limit 1`,
  )
  if (row === undefined) {
    return yield* new NotFound({ message: `no deal has this ${DEAL_FIELDS.find((name) => name in choice)}` })
  }
  return { competitorId: null, dealId: row.id } satisfies ResolvedTarget
})

/** Finds the competitor or deal, and adds the document's type: deals have assets only. */
export const resolveTarget = Effect.fnUntraced(function* (org: string, target: Target) {
  if ("deal" in target) return { type: "asset" as const, ...(yield* resolveDeal(org, target.deal)) }
  const { type, competitor } = target
  const resolved = yield* Effect.catchTag(resolveCompetitor(org, { competitor_id: competitor }), "NotFound", () =>
    resolveCompetitor(org, { competitor_name: competitor }),
  )
  return { type, ...resolved }
})

/**
 * Rates how alike two names are, from 0 to 1: by edit distance, or by shared parts, as in `Globex Inc` and `Globex`.
 * `similarity` is PostgreSQL's trigram similarity, which one typo in a short name halves. Edit distance counts for less,
 * so that Oracle does not match Miracle.
 */
export const closeness = (a: string, b: string, similarity: number): number => {
  const [left, right] = [a.trim().toLowerCase(), b.trim().toLowerCase()]
  const length = Math.max([...left].length, [...right].length, 1)
  return Math.max(0.9 - editDistance(left, right) / length, Math.min(1, similarity + 0.2))
}
