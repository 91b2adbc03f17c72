import * as Effect from "effect/Effect"
import { CurrentRequest } from "../../http/CurrentRequest.ts"
import { RateLimitExceeded } from "../../http/errors/errors.ts"
import { Database } from "../../storage/Database.ts"
import { selectSpending, type SpendingRow } from "./sql.ts"

export const readSpending = Effect.fnUntraced(function* (org: string) {
  const { sql, scoped } = yield* Database
  const [row] = yield* scoped<SpendingRow>(org, selectSpending(sql))
  return row ?? (yield* Effect.die("the organization is gone"))
})

/** Why no model is asked any more this month; undefined while the budget lasts. */
export const exhausted = ({ input, output, budget, resets_at }: SpendingRow) =>
  budget === null || input + output < budget
    ? undefined
    : `the analyses of this month have used up their budget of ${budget.toLocaleString("en")} tokens; it starts again on ${resets_at.slice(0, 10)}, or raise analysis_budget of the workspace`

/** Fails with 429 once the month's budget is used up. */
export const requireBudget = Effect.fnUntraced(function* (org: string) {
  const spending = yield* readSpending(org)
  const message = exhausted(spending)
  if (message === undefined) return
  const request = yield* CurrentRequest
  request.refusal = { limit: "analysis" }
  request.retryAfter = spending.seconds_left
  return yield* new RateLimitExceeded({ message, details: { scope: "analysis" } })
})
