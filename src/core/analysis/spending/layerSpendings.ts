import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { NotFound } from "../../http/errors/errors.ts"
import { ANALYSIS_JOB } from "../../jobs/JobQueue.ts"
import { Analyst, type Prices } from "../../ports/Analyst.ts"
import { Database } from "../../storage/Database.ts"
import { inOrganization } from "../../storage/inOrganization.ts"
import { makeDealChooser } from "../chooseDeals.ts"
import { EXTRACTION_VERSION } from "../extracted/extract.ts"
import { describeDeciding } from "../model/prompts.ts"
import { SAMPLES } from "../model/score.ts"
import { selectWork, type WorkRow } from "../sql.ts"
import { readSpending } from "./budget.ts"
import type { Spending } from "./contract.ts"
import { type CallRow, type RunRow, selectAsks, selectAverages, selectRun } from "./sql.ts"
import { Spendings } from "./Spendings.ts"

/** Deals whose inputs are compared at once. */
const DEALS_PER_LOOKUP = 50

/**
 * Tokens of a call, by purpose, where the workspace has made none: the length of the rules and the form at four characters a token, with a full
 * window, or with 40 findings.
 */
const USUAL: Readonly<Record<CallRow["purpose"], { readonly input: number; readonly output: number }>> = {
  find: { input: 3200, output: 500 },
  write: { input: 2500, output: 900 },
  score: { input: 2500, output: 700 },
  answer: { input: 1500, output: 400 },
}

export const layerSpendings = Layer.effect(
  Spendings,
  Effect.gen(function* () {
    const database = yield* Database
    const { sql } = database
    const analyst = yield* Analyst
    const method = analyst === undefined ? "extracted" : "model"
    const deciding = analyst === undefined ? EXTRACTION_VERSION : describeDeciding(analyst.name)
    const choose = yield* makeDealChooser
    const withDatabase = Effect.provideService(Database, database)

    const thisMonth = Effect.fn("Spendings.thisMonth")(function* (org: string) {
      const { month, input, output, budget, resets_at } = yield* withDatabase(readSpending(org))
      const tokens = { input, output }
      return { month, tokens, cost: computeCost(tokens, analyst?.prices), budget, resets_at } satisfies Spending
    })

    /** Counts the deals, documents and windows that a run would read. */
    const countWork = Effect.fnUntraced(function* (org: string, ids: ReadonlyArray<string>) {
      const total = { unchanged: 0, changed: 0, documents: 0, windows: 0 }
      for (let at = 0; at < ids.length; at += DEALS_PER_LOOKUP) {
        const batch = ids.slice(at, at + DEALS_PER_LOOKUP)
        for (const row of yield* database.scoped<WorkRow>(org, selectWork(sql, batch, method, deciding))) {
          if (row.is_unchanged) {
            total.unchanged++
            continue
          }
          total.changed++
          total.documents += row.documents
          total.windows += row.windows
        }
      }
      return total
    })

    return Spendings.of({
      thisMonth,
      estimate: Effect.fn("Spendings.estimate")(function* (org, filters) {
        const ids = yield* choose(org, filters)
        const { unchanged, changed, documents, windows } = yield* countWork(org, ids)
        const averages = yield* database.scoped<CallRow>(org, selectAverages(sql))
        const usual = { ...USUAL, ...Object.fromEntries(averages.map((each) => [each.purpose, each])) }
        const [{ asks }] = (yield* database.scoped<{ asks: boolean }>(org, selectAsks(sql))) as [{ asks: boolean }]
        const perDeal = (direction: "input" | "output") =>
          usual.write[direction] + SAMPLES * usual.score[direction] + (asks ? usual.answer[direction] : 0)
        const sum = (direction: "input" | "output") =>
          analyst === undefined ? 0 : Math.ceil(windows * usual.find[direction] + changed * perDeal(direction))
        const tokens = { input: sum("input"), output: sum("output") }
        const cost = computeCost(tokens, analyst?.prices)
        return {
          deals: ids.length,
          unchanged,
          documents,
          windows,
          method,
          tokens,
          cost,
          spending: yield* thisMonth(org),
        }
      }),

      run: Effect.fn("Spendings.run")(function* (org, run) {
        const [row] = yield* database.scoped<RunRow>(org, selectRun(sql, run, ANALYSIS_JOB))
        if (row === undefined) return yield* new NotFound({ message: "no analysis run has this id" })
        const { input, output, ...state } = row
        const tokens = { input, output }
        return { run_id: run, ...state, tokens, cost: computeCost(tokens, analyst?.prices) }
      }),
    })
  }).pipe(inOrganization),
)

/** US dollars; prices are per million tokens. */
const computeCost = (tokens: { readonly input: number; readonly output: number }, prices: Prices | undefined) =>
  prices === undefined ? null : (tokens.input * prices.input + tokens.output * prices.output) / 1_000_000
