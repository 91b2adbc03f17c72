import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { recordAct } from "../../audit/recordAct.ts"
import { markStaleOf } from "../../storage/recordChanges.ts"
import type { PlannedCurrency } from "../plan/fields/ImportPlan.ts"
import { writeCrmProperties } from "../../records/crmProperties.ts"
import { prepareIn, type Preparing } from "./prepareIn.ts"

const CONVERTED = [
  { id: "import_amount", label: "Amount in the file", data_type: "number" },
  { id: "import_currency", label: "Currency in the file", data_type: "text" },
] as const

/**
 * Before the first deal: a workspace without a currency takes the file's only one, and conversions get their properties. In a dry run,
 * only the overlay gets these.
 */
export const prepareCurrency = Effect.fnUntraced(function* (
  org: string,
  { target, isTaken, rates }: PlannedCurrency,
  to: Preparing,
) {
  const isConverted = Object.keys(rates).length > 0
  const takes = isTaken && to.overlay === undefined
  if (!takes && !isConverted) return
  yield* prepareIn(
    org,
    to,
    Effect.fnUntraced(function* ({ sql, store, log }) {
      if (takes && (yield* takeCurrency(sql, org, target!))) log?.add("currency", target!)
      if (isConverted) {
        yield* writeCrmProperties(
          store,
          CONVERTED.map((property) => ({
            line: 1,
            weight: 0,
            record: { type: "crm_property", crm: "crm_one", object: "deal", ...property },
          })),
        )
      }
    }),
  )
})

/** Whether the workspace had no currency, and has this one now. */
const takeCurrency = Effect.fnUntraced(function* (sql: SqlClient, org: string, target: string) {
  const taken =
    yield* sql`update organizations set currency = ${target} where id = ${org} and currency is null returning id`
  if (taken.length === 0) return false
  // A deal's record shows its amount with the currency.
  yield* markStaleOf(sql`select id from deals where org_id = ${org} and amount is not null`)
  yield* recordAct(sql, org, "workspace.updated", null, { settings: ["currency"] })
  return true
})

/** Takes back the currency that an import gave the workspace. Whether it still had it. */
export const restoreCurrency = Effect.fnUntraced(function* (sql: SqlClient, org: string, taken: string) {
  const reset =
    yield* sql`update organizations set currency = null where id = ${org} and currency = ${taken} returning id`
  if (reset.length === 0) return false
  yield* markStaleOf(sql`select id from deals where org_id = ${org} and amount is not null`)
  return true
})
