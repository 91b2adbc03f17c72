import { cpus } from "node:os"
import { parseArgs } from "node:util"
import { OURS_NODE, PROGRAMS } from "./programs.ts"
import { chosenList, count, defaultList } from "./scenarios/lists.ts"
import { memory } from "./scenarios/memory.ts"
import { paging } from "./scenarios/paging.ts"
import { refusals } from "./scenarios/refusals.ts"
import { moreRows } from "./scenarios/rows.ts"
import { startUp } from "./scenarios/start.ts"
import { upkeep } from "./scenarios/upkeep.ts"
import { type Bench, start } from "./support/bench.ts"
import type { Peer } from "./support/contest.ts"
import { makeDatabase, startServer } from "./support/database.ts"
import { noise, summary } from "./support/report.ts"
import { profiled } from "./support/profile.ts"
import { startClient } from "./support/servers.ts"

const SCENARIOS: Record<string, (bench: Bench) => Promise<void>> = {
  list: defaultList,
  chosen: chosenList,
  count,
  refusals,
  paging,
  memory,
  start: startUp,
  upkeep,
}

/**
 * `--quick`: fewer rounds, 20,000 deals. `--only list,count`: these scenarios. `--peers Node`: the servers whose names match.
 * `--profile`: only Sightline on Node, under V8's profiler. `--rows n`: the number of deals; `both`: 100,000, and then
 * 1,000,000.
 */
export const main = async (args: ReadonlyArray<string>) => {
  const { values } = parseArgs({
    args: [...args],
    options: {
      quick: { type: "boolean", default: false },
      rows: { type: "string" },
      only: { type: "string" },
      peers: { type: "string", default: "" },
      profile: { type: "boolean", default: false },
    },
  })
  const { quick } = values
  const chosen = values.only?.split(",") ?? [...Object.keys(SCENARIOS), ...(values.rows === "both" ? ["rows"] : [])]
  const rows = values.rows === undefined || values.rows === "both" ? (quick ? 20_000 : 100_000) : Number(values.rows)
  console.log(`${cpus().length} x ${cpus()[0]?.model}, ${process.platform}; PostgreSQL, servers and client share them`)

  const server = await startServer()
  const client = startClient()
  const peers = new Map<string, Peer>()
  try {
    const began = performance.now()
    const database = await makeDatabase(server, rows)
    console.log(`${rows.toLocaleString("en")} deals made in ${((performance.now() - began) / 1000).toFixed(0)} s`)
    const profile = values.profile ? profiled(PROGRAMS[OURS_NODE]!) : undefined
    const programs = profile === undefined ? PROGRAMS : { [OURS_NODE]: profile.program }
    for (const [name, program] of Object.entries(programs)) {
      if (new RegExp(values.peers).test(name)) peers.set(name, { name, server: await start(database, program) })
    }
    const effort = quick
      ? { rounds: 3, requests: 200, warmUp: 300, concurrency: 8 }
      : { rounds: 5, requests: 500, warmUp: 5000, concurrency: 8 }
    const bench: Bench = { client, database, effort, quick, peers }
    for (const [name, scenario] of Object.entries(SCENARIOS)) if (chosen.includes(name)) await scenario(bench)
    if (chosen.includes("rows")) await moreRows(bench, await makeDatabase(server, rows * 10))
    summary()
    console.log(`\n${noise()}`)
    for (const peer of peers.values()) await peer.server.stop()
    profile?.report()
  } finally {
    for (const peer of peers.values()) await peer.server.stop()
    await client.stop()
    await server.stop()
  }
}
