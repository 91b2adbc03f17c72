import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { DealFindings } from "../library/viewer/DealFindings.ts"
import { Database } from "../storage/Database.ts"
import { type FindingRow, selectFindings } from "./sql.ts"

const SIDE_ORDER = { buyer: 0, unknown: 1, seller: 2 } as const

/** The findings of a deal for its page. */
export const layerDealFindings = Layer.effect(
  DealFindings,
  Effect.gen(function* () {
    const database = yield* Database
    return DealFindings.of({
      of: Effect.fn("DealFindings.of")(function* (org: string, deal: string) {
        const rows = yield* database.scoped<FindingRow>(org, selectFindings(database.sql, deal))
        return rows
          .flatMap(({ state, target_name, start_at, end_at, ...row }) =>
            state === "rejected" ? [] : [{ ...row, state, target: target_name, start: start_at, end: end_at }],
          )
          .toSorted((a, b) => SIDE_ORDER[a.side] - SIDE_ORDER[b.side])
      }),
    })
  }),
)
