import { OURS_NODE, PROGRAMS } from "../programs.ts"
import { type Bench, LIST, race, ratio, shot, start } from "../support/bench.ts"
import type { BenchDatabase } from "../support/database.ts"
import { figures, heading, judge } from "../support/report.ts"

const PATHS = {
  "list of 50": LIST,
  "chosen columns, two filters": `${LIST}?columns=id,name,amount,deal_status,competitors&status=${encodeURIComponent('["Won"]')}&amount=${encodeURIComponent('{"min":50000,"max":250000}')}`,
}

/** Repeats the requests over ten times the rows. */
export const moreRows = async (bench: Bench, larger: BenchDatabase) => {
  heading(`${larger.deals.toLocaleString("en")} deals against ${bench.database.deals.toLocaleString("en")}`)
  const small = { name: "fewer", database: bench.database, server: await start(bench.database, PROGRAMS[OURS_NODE]!) }
  const large = { name: "more", database: larger, server: await start(larger, PROGRAMS[OURS_NODE]!) }
  for (const [title, path] of Object.entries(PATHS)) {
    const results = await race(
      bench,
      [small, large].map(({ name, database, server }) => ({
        name: `${title}, ${name}`,
        server,
        shots: database.keys.map((key) => shot(path, key)),
      })),
    )
    figures(results.values())
    console.log()
    judge(`ten times the rows, ${title}: total CPU`, ratio(results, `${title}, more`, `${title}, fewer`), 1.3)
  }
  await small.server.stop()
  await large.server.stop()
}
