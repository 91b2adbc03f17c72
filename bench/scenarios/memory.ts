import { OURS_BUN, OURS_DENO, OURS_NODE } from "../programs.ts"
import { type Bench, LIST, peersOf, shot, start } from "../support/bench.ts"
import { BUNDLED, bundle } from "../support/bundle.ts"
import { memoryOf } from "../support/cpu.ts"
import { heading, judge, table } from "../support/report.ts"

/** Measures the resident memory of the servers of the other scenarios, and of a published one, after 100,000 more requests. */
export const memory = async (bench: Bench) => {
  const requests = bench.quick ? 5_000 : 100_000
  heading(`Resident memory after ${requests.toLocaleString("en")} requests more (lists of 5)`)
  const shots = bench.database.keys.map((key) => shot(`${LIST}?page_size=5`, key))
  const rows: Array<ReadonlyArray<string>> = []
  const published = { name: BUNDLED, server: await start(bench.database, bundle()) }
  for (const { name, server } of [published, ...peersOf(bench, OURS_NODE, OURS_BUN, OURS_DENO)]) {
    // Long runs take minutes, so one runtime has to do.
    const many = name === BUNDLED || name === OURS_NODE ? requests : Math.ceil(requests / 10)
    const before = memoryOf(server.pid)
    await bench.client.fire({ port: server.port, shots, requests: many, concurrency: 8 })
    const after = memoryOf(server.pid)
    rows.push([name, String(many), String(before.now), String(after.now), String(after.peak)])
    if (many === requests && !bench.quick) judge(`RSS after 100,000 requests: ${name}`, after.now, 150, "MB")
  }
  await published.server.stop()
  table(["server", "requests", "before MB", "after MB", "peak MB"], rows)
}
