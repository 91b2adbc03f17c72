import * as Effect from "effect/Effect"
import { renderStored } from "../../src/core/deals/rows/stored.ts"
import { Database } from "../../src/core/storage/Database.ts"
import type { Bench } from "../support/bench.ts"
import { median } from "../support/contest.ts"
import { cpuOfCluster } from "../support/cpu.ts"
import { run } from "../support/database.ts"
import { heading, table } from "../support/report.ts"

/** Measures what the stored JSON of deals costs their writers. */
export const upkeep = async ({ database, quick }: Bench) => {
  heading("Upkeep of the stored JSON: an update of deals, with and without it")
  const org = database.keys[0]!.org
  const samples = new Map<string, Array<{ readonly cpu: number; readonly wall: number }>>()
  await run(database.url, async (services) => {
    for (let round = 0; round <= (quick ? 2 : 5); round++) {
      for (const { deals, times } of [
        { deals: 1000, times: 1 },
        { deals: 1, times: 100 },
      ]) {
        for (const stored of [false, true]) {
          const { rows } = await database.admin.query<{ id: string }>(
            "select id from deals where org_id = $1 order by hashtext(id || $2) limit $3",
            [org, `${round}${stored}`, deals * times],
          )
          const cpu = cpuOfCluster(database.postmaster)
          const started = performance.now()
          for (let from = 0; from < rows.length; from += deals) {
            const ids = rows.slice(from, from + deals).map(({ id }) => id)
            await services(
              Effect.flatMap(Database, ({ sql, transaction }) =>
                transaction(
                  org,
                  Effect.andThen(
                    sql`update deals set amount = amount + 1 where org_id = ${org} and id = any(${ids}::text[])`,
                    Effect.when(renderStored(sql, org, ids), Effect.succeed(stored)),
                  ),
                ),
              ),
            )
          }
          if (round === 0) continue
          const name = `${deals} in a transaction, ${stored ? "rendered again" : "update alone"}`
          const taken = samples.get(name) ?? []
          samples.set(name, taken)
          taken.push({
            cpu: (cpuOfCluster(database.postmaster) - cpu) / rows.length,
            wall: ((performance.now() - started) * 1000) / rows.length,
          })
        }
      }
    }
  })
  table(
    ["deals updated", "PostgreSQL CPU us a deal", "wall us a deal"],
    [...samples].map(([name, taken]) => [
      name,
      median(taken.map(({ cpu }) => cpu)).toFixed(0),
      median(taken.map(({ wall }) => wall)).toFixed(0),
    ]),
  )
  const { rows } = await database.admin.query<{ deals: string; json: string }>(
    `select pg_size_pretty(pg_total_relation_size('deals')) as deals, pg_size_pretty(pg_total_relation_size('deal_json')) as json`,
  )
  console.log(`\nOn disk: deals with their indexes ${rows[0]!.deals}, their stored JSON ${rows[0]!.json}.`)
}
