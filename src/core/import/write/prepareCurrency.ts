import * as Effect from "effect/Effect"
import { recordAct } from "../../access/audit/recordAct.ts"
import { markStaleOf } from "../../storage/recordChanges.ts"
import type { PlannedCurrency } from "../plan/ImportPlan.ts"
import { Database, unavailable } from "../../storage/Database.ts"
import { writeCrmProperties } from "./crmProperties.ts"

const CONVERTED = [
  { id: "import_amount", label: "Amount in the file", data_type: "number" },
  { id: "import_currency", label: "Currency in the file", data_type: "text" },
] as const

/** Before the first deal: a workspace without a currency takes the file's only one, and conversions get their properties. */
export const prepareCurrency = Effect.fnUntraced(function* (org: string, { target, isTaken, rates }: PlannedCurrency) {
  const database = yield* Database
  const { sql } = database
  const take = Effect.gen(function* () {
    const taken =
      yield* sql`update organizations set currency = ${target!} where id = ${org} and currency is null returning id`
    if (taken.length === 0) return
    // A deal's record shows its amount with the currency.
    yield* markStaleOf(sql`select id from deals where org_id = ${org} and amount is not null`)
    yield* recordAct(sql, org, "workspace.updated", null, { settings: ["currency"] })
  })
  const register = writeCrmProperties(
    { sql, org },
    CONVERTED.map((property) => ({
      line: 1,
      weight: 0,
      record: { type: "crm_property", crm: "crm_one", object: "deal", ...property },
    })),
  )
  const isConverted = Object.keys(rates).length > 0
  if (!isTaken && !isConverted) return
  yield* unavailable(
    database.transaction(org, Effect.andThen(isTaken ? take : Effect.void, isConverted ? register : Effect.void)),
  )
})
