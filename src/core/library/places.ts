import * as Effect from "effect/Effect"
import { NotFound } from "../http/errors.ts"
import type { Invalid } from "../http/validation.ts"
import type { Database } from "../storage/Database.ts"
import { closeness } from "./closeness.ts"
import { competitorsNamed } from "./sql.ts"

/** Where a document belongs. */
export interface Place {
  readonly competitorId: string | null
  readonly dealId: string | null
}

/** Where an uploaded document belongs: to a competitor (id or name) in the library, or to a deal by one of its ids. */
export type Target = { readonly type: "asset" | "intel"; readonly competitor: string } | { readonly deal: DealChoice }

interface CompetitorChoice {
  readonly competitor_id?: string | undefined
  readonly competitor_name?: string | undefined
}

interface DealChoice {
  readonly deal_id?: string | undefined
  readonly crm_one_id?: string | undefined
  readonly crm_two_id?: string | undefined
}

/** A match this close and this much closer than the next is meant. */
const CLOSE = 0.7
const CLEARLY = 0.15

/** Of each of these exactly one says where a document belongs. */
export const COMPETITOR_CHOICE = ["competitor_id", "competitor_name"] as const
export const DEAL_CHOICE = ["deal_id", "crm_one_id", "crm_two_id"] as const

/** What is wrong with a choice that must be of exactly one. */
export const problemsOfChoice = (
  names: ReadonlyArray<string>,
  given: ReadonlyArray<string>,
): ReadonlyArray<Invalid> => {
  const chosen = names.filter((name) => given.includes(name))
  const rule = `exactly one of ${names.join(", ")} must be given`
  if (chosen.length === 0) return names.slice(0, 1).map((field) => ({ field, reason: `is missing: ${rule}` }))
  return chosen.length === 1 ? [] : chosen.map((field) => ({ field, reason: `is one too many: ${rule}` }))
}

/** By id, or by name: exact in any case, then the one that is clearly closest. Of `choice` one is given: see `Uploads`. */
export const placeOfCompetitor = Effect.fnUntraced(function* (
  database: Database["Service"],
  org: string,
  choice: CompetitorChoice,
) {
  const { sql } = database
  if (choice.competitor_id !== undefined) {
    const [row] = yield* database.scoped<{ id: string }>(
      org,
      sql`select id from competitors where org_id = scope.org and id = ${choice.competitor_id}`,
    )
    if (row === undefined) return yield* new NotFound({ message: "no competitor has this id" })
    return { competitorId: row.id, dealId: null } satisfies Place
  }
  const { competitor_name: name = "" } = choice
  const found = yield* database.scoped<{ id: string; name: string; exact: boolean; similarity: number }>(
    org,
    competitorsNamed(sql, name),
  )
  const rows = found
    .map((row) => ({ ...row, close: row.exact ? 2 : closeness(name, row.name, row.similarity) }))
    .toSorted((a, b) => b.close - a.close)
    .slice(0, 5)
  const [best, next] = rows
  const clear = best !== undefined && best.close >= CLOSE && best.close - (next?.close ?? 0) >= CLEARLY
  if (best === undefined || !clear) {
    return yield* new NotFound({
      message:
        rows.length === 0
          ? "no competitor has a name like this"
          : `the name matches no competitor clearly; the closest are ${rows.map(({ name }) => name).join(", ")}`,
      details: { closest: rows.map(({ id, name }) => ({ id, name })) },
    })
  }
  return { competitorId: best.id, dealId: null } satisfies Place
})

/** By the one of the deal's identifiers that is given. */
export const placeOfDeal = Effect.fnUntraced(function* (
  database: Database["Service"],
  org: string,
  choice: DealChoice,
) {
  const { sql } = database
  const [row] = yield* database.scoped<{ id: string }>(
    org,
    sql`select id from deals where org_id = scope.org and ${sql.or(
      DEAL_CHOICE.flatMap((name) =>
        choice[name] === undefined ? [] : [sql`${sql.literal(name === "deal_id" ? "id" : name)} = ${choice[name]}`],
      ),
    )}`,
  )
  if (row === undefined) {
    return yield* new NotFound({ message: `no deal has this ${DEAL_CHOICE.find((name) => name in choice)}` })
  }
  return { competitorId: null, dealId: row.id } satisfies Place
})

/** The place of a document, and its type: deals have assets only. */
export const placeOf = Effect.fnUntraced(function* (database: Database["Service"], org: string, target: Target) {
  if ("deal" in target) return { type: "asset" as const, ...(yield* placeOfDeal(database, org, target.deal)) }
  const { type, competitor } = target
  const place = yield* Effect.catchTag(
    placeOfCompetitor(database, org, { competitor_id: competitor }),
    "NotFound",
    () => placeOfCompetitor(database, org, { competitor_name: competitor }),
  )
  return { type, ...place }
})
