import { parseArgs } from "node:util"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Fragment } from "effect/sql/Statement"
import { layerPglite } from "../src/adapters/database/pglite.ts"
import { BaseUrl } from "../src/core/http/addresses/BaseUrl.ts"
import { layerReports } from "../src/core/reports/layerReports.ts"
import { type ReportQuery, Reports } from "../src/core/reports/Reports.ts"
import { asBackground } from "../src/core/storage/CurrentClass.ts"
import { Database } from "../src/core/storage/Database.ts"
import { LEAST_MS_PER_UNIT, planCost } from "../src/core/storage/estimate.ts"
import { ownCpu } from "./support/cpu.ts"
import { NAMED, randomQueries } from "./support/reportQueries.ts"
import { heading, table } from "./support/report.ts"
import { seed } from "./support/seed.ts"
import { CATALOGUE, ORG } from "./support/workspaces.ts"

/** Queries whose cost the planner misestimates: dimensions with several values per deal, segments, days, and name searches. */
const HARD: ReadonlyArray<readonly [string, Partial<ReportQuery>]> = [
  ["competitor, driver", { groupBy: ["competitor", "driver"] }],
  ["competitor, feature", { groupBy: ["competitor", "feature"] }],
  ["competitor, driver, product label", { groupBy: ["competitor", "driver", "product_label"] }],
  ["segment", { groupBy: ["segment"] }],
  ["day of creation, owner", { groupBy: ["created_at.day", "owner"] }],
  ["names like 'pricing security'", { groupBy: ["competitor"], filters: { searchQuery: "pricing security" } }],
]

interface Line {
  readonly name: string
  readonly units: number
  readonly ms: number
  /** The measured time over the estimate of a statement that has not run, and of one that ran with another filter. */
  readonly overUnseen: number
  readonly overRemembered: number | undefined
}

const at = (values: ReadonlyArray<number>, q: number) =>
  (values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * q)] ?? NaN).toFixed(2)

/**
 * The estimates of the embedded database against measured CPU time, of each statement of reports: `--rows 30000`. Each report runs twice,
 * with a bound of the amount that halves its deals, so that the second estimate follows from the first run.
 */
const measure = Effect.fnUntraced(function* (deals: number) {
  const database = yield* Database
  const { sql, transaction } = database
  for (const statement of [...seed(deals, 1), ...CATALOGUE, "analyze"])
    yield* asBackground(transaction(ORG, Effect.andThen(sql`set local role none`, sql`${sql.literal(statement)}`)))
  const lines: Array<Line> = []
  const msPerUnit = new Map<string, number>()
  let name = ""
  const scoped = Effect.fnUntraced(function* <Row extends object>(org: string, statement: Fragment) {
    const { text, units } = yield* Effect.orDie(planCost(sql, org, statement))
    const before = ownCpu()
    const rows = yield* database.scoped<Row>(org, statement)
    const ms = (ownCpu() - before) * 1000
    if (units > 1000) {
      const known = msPerUnit.get(text)
      lines.push({
        name,
        units,
        ms,
        overUnseen: ms / (units * LEAST_MS_PER_UNIT),
        overRemembered: known === undefined ? undefined : ms / (units * known),
      })
      msPerUnit.set(text, ms / units)
    }
    return rows
  })
  const reports = layerReports.pipe(
    Layer.provide(Layer.succeed(Database, Database.of({ ...database, scoped }))),
    Layer.provide(
      Layer.succeed(BaseUrl, {
        get: Effect.succeed("http://h"),
        forCaller: Effect.succeed("http://h"),
        known: Effect.succeed("http://h"),
        listensAt: () => {},
      }),
    ),
  )
  const hard = HARD.map(([label, query]) => ({
    name: label,
    query: { subject: "deals", measures: ["win_rate", "deals", "amount"], filters: {}, limit: 100, ...query } as const,
  }))
  for (const each of [...NAMED, ...randomQueries(8, 1), ...hard])
    for (const min of [1, 200_000]) {
      name = `${each.name}, from ${min.toLocaleString("en")}`
      const query: ReportQuery = { ...each.query, filters: { ...each.query.filters, amount: { min } } }
      yield* asBackground(
        Effect.provide(
          Effect.flatMap(Reports, (service) => service.run(ORG, query)),
          Layer.fresh(reports),
        ),
      )
    }
  return lines
})

export const main = async (args: ReadonlyArray<string>) => {
  const { values } = parseArgs({
    args: [...args],
    options: { quick: { type: "boolean", default: false }, rows: { type: "string" } },
  })
  const deals = Number(values.rows ?? (values.quick ? 5_000 : 30_000))
  const lines = await Effect.runPromise(
    Effect.provide(measure(deals), Database.layer.pipe(Layer.provide(layerPglite({})))),
  )
  heading(`Estimates of PGlite, ${deals.toLocaleString("en")} deals`)
  table(
    ["statement of the report", "units", "CPU ms", "us a unit", "measured / estimate", "after a run"],
    lines.map(({ name, units, ms, overUnseen, overRemembered }) => [
      name,
      units.toFixed(0),
      ms.toFixed(0),
      ((ms / units) * 1000).toFixed(1),
      overUnseen.toFixed(2),
      overRemembered?.toFixed(2) ?? "",
    ]),
  )
  const print = (what: string, ratios: ReadonlyArray<number>) =>
    console.log(
      `measured / estimate, ${what}: ${at(ratios, 0)} to ${at(ratios, 1)}, median ${at(ratios, 0.5)}, 5 to 95 %: ${at(ratios, 0.05)} to ${at(ratios, 0.95)} (${ratios.length})`,
    )
  console.log()
  print(
    "not run before",
    lines.map(({ overUnseen }) => overUnseen),
  )
  print(
    "run before",
    lines.flatMap(({ overRemembered }) => overRemembered ?? []),
  )
}
