import { cpus } from "node:os"
import { parseArgs } from "node:util"
import { KINDS } from "../src/core/catalogue/kinds.ts"
import { OURS_NODE, PROGRAMS } from "./programs.ts"
import { median } from "./support/contest.ts"
import { cpuOfCluster } from "./support/cpu.ts"
import { startServer } from "./support/database.ts"
import { heading, judge, summary, table } from "./support/report.ts"
import { startProgram } from "./support/servers.ts"
import { makeWorkspaceDatabase } from "./support/workspaces.ts"

const TARGET_MS = 300

/** Measures `GET /workspace` and its pages in one organization that has all the deals. `--quick`: 20,000 deals. `--rows n`. */
export const main = async (args: ReadonlyArray<string>) => {
  const { values } = parseArgs({
    args: [...args],
    options: { quick: { type: "boolean", default: false }, rows: { type: "string" } },
  })
  const deals = Number(values.rows ?? (values.quick ? 20_000 : 100_000))
  const rounds = values.quick ? 5 : 15
  console.log(`${cpus().length} x ${cpus()[0]?.model}, ${process.platform}; PostgreSQL, server and client share them`)
  const postgres = await startServer()
  try {
    const { url, key } = await makeWorkspaceDatabase(postgres, deals)
    const headers = { authorization: `Bearer ${key}` }
    const server = await startProgram(
      { ...PROGRAMS[OURS_NODE]!, environment: { SIGHTLINE_DATABASE_URL: url } },
      { path: "/api/v1/deals?page_size=1", headers },
    )
    try {
      heading(`GET /workspace, ${deals.toLocaleString("en")} deals`)
      const measured = new Map<string, { readonly first: number; readonly ms: number; readonly cpuMs: number }>()
      for (const path of ["/workspace", ...KINDS.map((kind) => `/workspace/${kind}`)]) {
        let first = 0
        const taken: Array<{ readonly ms: number; readonly cpuMs: number }> = []
        for (let round = 0; round <= rounds; round++) {
          const before = cpuOfCluster(postgres.postmaster)
          const began = performance.now()
          const response = await fetch(`http://127.0.0.1:${server.port}/api/v1${path}`, { headers })
          const text = await response.text()
          if (response.status !== 200) throw new Error(`${path}: ${response.status} ${text}`)
          const ms = performance.now() - began
          if (round === 0) first = ms
          else taken.push({ ms, cpuMs: (cpuOfCluster(postgres.postmaster) - before) / 1000 })
        }
        measured.set(path, {
          first,
          ms: median(taken.map(({ ms }) => ms)),
          cpuMs: median(taken.map(({ cpuMs }) => cpuMs)),
        })
      }
      table(
        ["path", "first ms", "median ms", "PostgreSQL CPU ms"],
        [...measured].map(([path, { first, ms, cpuMs }]) => [path, first.toFixed(0), ms.toFixed(0), cpuMs.toFixed(0)]),
      )
      if (deals === 100_000) judge("GET /workspace", measured.get("/workspace")?.ms, TARGET_MS, "ms")
    } finally {
      await server.stop()
    }
    summary()
  } finally {
    await postgres.stop()
  }
}
