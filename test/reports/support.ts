import { fold } from "../deals/oracle.ts"
import { assert } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { Deals } from "../../src/core/deals/Deals.ts"
import { DealFilters } from "../../src/core/deals/filters/filters.ts"
import { BaseUrl } from "../../src/core/http/addresses/BaseUrl.ts"
import type { Report } from "../../src/core/reports/contract.ts"
import { layerReports } from "../../src/core/reports/layerReports.ts"
import { Reports } from "../../src/core/reports/Reports.ts"
import { Database } from "../../src/core/storage/Database.ts"
import { Organizations } from "../../src/core/catalogue/Organizations.ts"
import { randomFilters } from "../deals/randomFilters.ts"
import { insertWorkspace, makeWorkspace, type Row, type Workspace } from "../deals/workspace.ts"
import type { engines } from "../support/engines.ts"
import type { Random } from "../support/random.ts"
import { layerOrganizations } from "../support/organizations.ts"
import { SETTINGS } from "./measureOracle.ts"
import { UNLIMITED } from "../support/unlimited.ts"

export const NOW = { today: "2026-02-18", fiscalStart: 2 }
const DEALS = 520

export const decode = Schema.decodeUnknownSync(DealFilters, { onExcessProperty: "error" })

export const baseUrl = Layer.succeed(BaseUrl, {
  get: Effect.succeed("http://host"),
  forCaller: Effect.succeed("http://host"),
  known: Effect.succeed("http://host"),
  listensAt: () => {},
})

/** The services over two organizations: that of `mine` and another. */
export const start = Effect.fnUntraced(function* (
  engine: (typeof engines)[number],
  mine: Workspace,
  theirs: Workspace,
) {
  const context = yield* Layer.build(
    Layer.mergeAll(Deals.layer, layerOrganizations, layerReports).pipe(
      Layer.provideMerge(Database.layer),
      Layer.provide([engine.database, baseUrl]),
    ),
  )
  const organizations = Context.get(context, Organizations)
  const { id: org } = yield* organizations.create({ name: "Mine", plan: UNLIMITED })
  const { id: other } = yield* organizations.create({ name: "Other", plan: UNLIMITED })
  yield* organizations.change(org, { fiscal_start: NOW.fiscalStart, ...SETTINGS })
  yield* Effect.provideContext(Effect.andThen(insertWorkspace(org, mine), insertWorkspace(other, theirs)), context)
  return {
    name: engine.name,
    org,
    deals: Context.get(context, Deals),
    reports: Context.get(context, Reports),
    setZone: (timezone: string) => organizations.change(org, { timezone }),
  }
})
export type Service = Effect.Success<ReturnType<typeof start>>

/** The key of a group of this dimension in a reply, as the oracle writes it. Tags, answers and properties differ only by case. */
export const keyOf = (dimension: string, value: Report["data"][number]["group"][string] | undefined) => {
  if (value === undefined || typeof value === "string") return value ?? null
  const isFolded = !/^(?:association_tag|custom_answer_|crm_)/.test(dimension)
  return value.id ?? (value.name === null ? null : isFolded ? fold(value.name) : value.name.toLowerCase())
}

export const assertNear = (actual: number | null | undefined, expected: number | null, what: string) => {
  if (expected === null || actual === null || actual === undefined) return assert.strictEqual(actual, expected, what)
  const tolerance = 1e-9 * Math.max(1, Math.abs(expected))
  assert.isAtMost(Math.abs(actual - expected), tolerance, `${what}: ${actual} instead of ${expected}`)
}

/** The random deals, whose texts are never empty, as the import requires, with segments. */
export const makeWorld = (random: Random): Workspace => {
  const drawn = makeWorkspace(random, DEALS)
  const segments: ReadonlyArray<Row> = Array.from({ length: 5 }, (_, n) => ({
    id: `seg_${n}`,
    name: `Segment ${n}`,
    filters: randomFilters(random, drawn.deals, ["segment_ids"]),
  }))
  return { ...drawn, segments, deals: drawn.deals.map((deal) => ({ ...deal, type: deal["type"] || null })) }
}
