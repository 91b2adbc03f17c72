import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { BARE_FASTIFY, BARE_NODE, EMPTY_DENO, OURS_BUN, OURS_DENO, OURS_NODE, PROGRAMS } from "../programs.ts"
import { type Bench, start } from "../support/bench.ts"
import { BUNDLED, bundle, DEPLOYED, deployment } from "../support/bundle.ts"
import { median } from "../support/contest.ts"
import { cpuOf, memoryOf } from "../support/cpu.ts"
import { heading, judge, table } from "../support/report.ts"
import { type Program, startProgram } from "../support/servers.ts"

/** Measures the time from the start of the process to its first answer with rows. */
export const startUp = async (bench: Bench) => {
  heading("Start: from spawn to the first answer")
  const bundled = bundle()
  const programs: Record<string, Program> = {
    [OURS_NODE]: PROGRAMS[OURS_NODE]!,
    [BUNDLED]: bundled,
    [OURS_BUN]: PROGRAMS[OURS_BUN]!,
    [`${OURS_BUN}, bundled`]: { ...bundled, runtime: "bun" },
    [OURS_DENO]: PROGRAMS[OURS_DENO]!,
    [DEPLOYED]: deployment(),
    [EMPTY_DENO]: PROGRAMS[EMPTY_DENO]!,
    [BARE_NODE]: PROGRAMS[BARE_NODE]!,
    [BARE_FASTIFY]: PROGRAMS[BARE_FASTIFY]!,
  }
  const starts = new Map<string, Array<number>>()
  const memories = new Map<string, Array<number>>()
  const busy = new Map<string, Array<number>>()
  const rounds = bench.quick ? 2 : 5
  const directory = mkdtempSync(join(tmpdir(), "sightline-bench-"))
  const embedded: Program = {
    ...PROGRAMS[OURS_NODE]!,
    environment: { SIGHTLINE_DATABASE_URL: "", SIGHTLINE_DATA_DIR: directory },
  }
  const pglite = `${OURS_NODE}, PGlite directory`
  const add = (name: string, milliseconds: number, pid: number) => {
    starts.set(name, [...(starts.get(name) ?? []), milliseconds])
    memories.set(name, [...(memories.get(name) ?? []), memoryOf(pid).now])
    busy.set(name, [...(busy.get(name) ?? []), cpuOf(pid) / 1000])
  }
  try {
    for (let round = 0; round <= rounds; round++) {
      for (const [name, program] of Object.entries(programs)) {
        const server = await start(bench.database, program)
        if (round > 0) add(name, server.milliseconds, server.pid)
        await server.stop()
      }
      const server = await startProgram(embedded, { path: "/health/ready" })
      if (round > 0) add(pglite, server.milliseconds, server.pid)
      await server.stop()
    }
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
  const of = (name: string) => median(starts.get(name)!)
  table(
    ["server", "ms (median)", "fastest", "slowest", "CPU ms", "RSS MB"],
    [...starts].map(([name, taken]) => [
      name,
      of(name).toFixed(0),
      Math.min(...taken).toFixed(0),
      Math.max(...taken).toFixed(0),
      median(busy.get(name)!).toFixed(0),
      median(memories.get(name)!).toFixed(0),
    ]),
  )
  console.log()
  judge("start: Node from source", of(OURS_NODE), 400, "ms")
  judge("start: Node, bundled", of(BUNDLED), 150, "ms")
  judge("start: Bun from source", of(OURS_BUN), 200, "ms")
  // Where the milliseconds were set, the bare server started in 82.
  judge("start: Node from source / bare node:http", of(OURS_NODE) / of(BARE_NODE), 400 / 82)
  judge("start: Node, bundled / bare node:http", of(BUNDLED) / of(BARE_NODE), 150 / 82)
  judge("start: Bun from source / bare node:http", of(OURS_BUN) / of(BARE_NODE), 200 / 82)
  judge("start: Deno as deployed", of(DEPLOYED), 700, "ms")
  judge("start: Deno as deployed / an empty deno serve", of(DEPLOYED) / of(EMPTY_DENO), 700 / 82)
  judge("start: an existing PGlite directory, beyond PostgreSQL", of(pglite) - of(OURS_NODE), 600, "ms")
}
