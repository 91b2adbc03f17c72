import { execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { median } from "./support/contest.ts"
import { cpuOf } from "./support/cpu.ts"
import { heading, judge, table } from "./support/report.ts"
import { BINARY, file, type Program, RUNTIMES, startProgram } from "./support/servers.ts"

/** Measures the binary from its start to its first answer with rows, beside Bun's start of an empty server. */
export const main = async (args: ReadonlyArray<string>) => {
  const rounds = args.includes("--quick") ? 3 : 9
  heading("Start of the binary: from spawn to the first answer")
  mkdirSync(file("node_modules/.cache/bench"), { recursive: true })
  execFileSync(RUNTIMES.bun.command, [file("build/binary.ts"), file(BINARY)], { stdio: "inherit" })
  const directory = mkdtempSync(join(tmpdir(), "sightline-bench-"))
  try {
    const ours: Program = { runtime: "binary", args: ["serve"], environment: { SIGHTLINE_DATA_DIR: directory } }
    const demo = await startProgram({ ...ours, args: ["demo"] }, { path: "/health/ready" })
    await demo.stop()
    const { key } = JSON.parse(readFileSync(join(directory, "demo.json"), "utf8")) as { readonly key: string }
    const deals = { path: "/api/v1/deals?page_size=1", headers: { authorization: `Bearer ${key}` } }
    const entries = [
      { name: "Sightline, one binary, its demo's directory", program: ours, ready: deals },
      {
        name: "Bun, an empty server",
        program: { runtime: "bun", script: "bench/peers/empty.ts" } as const,
        ready: { path: "/" },
      },
    ]
    const taken = entries.map((): Array<number> => [])
    const busy = entries.map((): Array<number> => [])
    for (let round = 0; round <= rounds; round++) {
      for (const [at, { program, ready }] of entries.entries()) {
        const server = await startProgram(program, ready)
        // The first round fills the system's file cache.
        if (round > 0) {
          taken[at]!.push(server.milliseconds)
          busy[at]!.push(cpuOf(server.pid) / 1000)
        }
        await server.stop()
      }
    }
    table(
      ["server", "ms (median)", "fastest", "slowest", "CPU ms"],
      entries.map(({ name }, at) => [
        name,
        ...[median, least, most].map((of) => of(taken[at]!).toFixed(0)),
        median(busy[at]!).toFixed(0),
      ]),
    )
    console.log()
    judge("start: the binary on an existing workspace", median(taken[0]!), 1200, "ms")
    console.log(`the binary / Bun with an empty server: ${(median(taken[0]!) / median(taken[1]!)).toFixed(1)}`)
    console.log(`the binary's size: ${(statSync(file(BINARY)).size / 1e6).toFixed(0)} MB`)
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

const least = (values: ReadonlyArray<number>) => Math.min(...values)
const most = (values: ReadonlyArray<number>) => Math.max(...values)
