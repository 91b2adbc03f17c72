import * as Effect from "effect/Effect"
import { NotFound } from "../http/errors.ts"
import { badRequest } from "../http/validation.ts"
import type { Database } from "../storage/Database.ts"
import { competitorsNamed } from "./sql.ts"

/** Where a document belongs. */
export interface Place {
  readonly competitorId: string | null
  readonly dealId: string | null
}

interface CompetitorChoice {
  readonly competitor_id?: string | undefined
  readonly competitor_name?: string | undefined
}

interface DealChoice {
  readonly deal_id?: string | undefined
  readonly crm_one_id?: string | undefined
  readonly crm_two_id?: string | undefined
}

/** A match this much better than the next is meant. */
const CLEARLY = 0.15
const CLOSE = 0.5

const exactlyOne = (names: ReadonlyArray<string>, given: ReadonlyArray<string>) =>
  given.length === 1
    ? Effect.void
    : Effect.fail(
        badRequest(
          given.length === 0
            ? { missing: [names[0] ?? ""], invalid: [] }
            : { invalid: given.map((field) => ({ field, reason: `must be the only one of ${names.join(", ")}` })) },
        ),
      )

const given = <A extends object>(choice: A, names: ReadonlyArray<keyof A & string>) =>
  names.filter((name) => choice[name] !== undefined)

/** By id, or by name: exact in any case, then the one that is clearly closest. */
export const placeOfCompetitor = Effect.fnUntraced(function* (
  database: Database["Service"],
  org: string,
  choice: CompetitorChoice,
) {
  const names = ["competitor_id", "competitor_name"] as const
  yield* exactlyOne(names, given(choice, names))
  const { sql } = database
  if (choice.competitor_id !== undefined) {
    const [row] = yield* database.scoped<{ id: string }>(
      org,
      sql`select id from competitors where org_id = scope.org and id = ${choice.competitor_id}`,
    )
    if (row === undefined) return yield* new NotFound({ message: "no competitor has this id" })
    return { competitorId: row.id, dealId: null } satisfies Place
  }
  const rows = yield* database.scoped<{ id: string; name: string; exact: boolean; similarity: number }>(
    org,
    competitorsNamed(sql, choice.competitor_name ?? ""),
  )
  const [best, next] = rows
  const clear =
    best !== undefined &&
    (best.exact
      ? next?.exact !== true
      : best.similarity >= CLOSE && best.similarity - (next?.similarity ?? 0) >= CLEARLY)
  if (best === undefined || !clear) {
    return yield* new NotFound({
      message:
        rows.length === 0
          ? "no competitor has a name like this"
          : `no competitor is clearly meant; the closest: ${rows.map(({ name }) => name).join(", ")}`,
      details: { closest: rows.map(({ id, name }) => ({ id, name })) },
    })
  }
  return { competitorId: best.id, dealId: null } satisfies Place
})

/** By exactly one of the deal's identifiers. */
export const placeOfDeal = Effect.fnUntraced(function* (
  database: Database["Service"],
  org: string,
  choice: DealChoice,
) {
  const names = ["deal_id", "crm_one_id", "crm_two_id"] as const
  const chosen = given(choice, names)
  yield* exactlyOne(names, chosen)
  const { sql } = database
  const [row] = yield* database.scoped<{ id: string }>(
    org,
    sql`select id from deals where org_id = scope.org and ${sql.or(
      names.flatMap((name) =>
        choice[name] === undefined ? [] : [sql`${sql.literal(name === "deal_id" ? "id" : name)} = ${choice[name]}`],
      ),
    )}`,
  )
  if (row === undefined) return yield* new NotFound({ message: `no deal has this ${chosen[0]}` })
  return { competitorId: null, dealId: row.id } satisfies Place
})
