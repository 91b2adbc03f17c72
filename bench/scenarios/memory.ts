import { OURS_BUN, OURS_DENO, OURS_NODE } from "../programs.ts"
import { type Bench, LIST, peersOf, shot } from "../support/bench.ts"
import { memoryOf } from "../support/cpu.ts"
import { heading, judge, table } from "../support/report.ts"

/** Resident memory of the servers that the other scenarios have used, after 100,000 requests more. */
export const memory = async (bench: Bench) => {
  const requests = bench.quick ? 5_000 : 100_000
  heading(`Resident memory after ${requests.toLocaleString("en")} requests more (lists of 5)`)
  const shots = bench.database.keys.map((key) => shot(`${LIST}?page_size=5`, key))
  const rows: Array<ReadonlyArray<string>> = []
  for (const { name, server } of peersOf(bench, OURS_NODE, OURS_BUN, OURS_DENO)) {
    // One runtime at length is enough of a wait.
    const many = name === OURS_NODE ? requests : Math.ceil(requests / 10)
    const before = memoryOf(server.pid)
    await bench.client.fire({ port: server.port, shots, requests: many, concurrency: 8 })
    const after = memoryOf(server.pid)
    rows.push([name, String(many), String(before.now), String(after.now), String(after.peak)])
    if (name === OURS_NODE && !bench.quick) judge("RSS on Node after 100,000 requests", after.now, 150, "MB")
  }
  table(["server", "requests", "before MB", "after MB", "peak MB"], rows)
}
