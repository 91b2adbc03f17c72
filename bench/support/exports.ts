import { execFile } from "node:child_process"
import { promisify } from "node:util"
import * as Effect from "effect/Effect"
import { ApiKeys } from "../../src/core/keys/ApiKeys.ts"
import { cpuOf, cpuOfChildren, memoryOf } from "./cpu.ts"
import { BEFORE, connect, dropIndexes, run, type Server } from "./database.ts"
import { COLUMN_SETS, exportStatement, type PeerExport } from "./peerExport.ts"
import { GENEROUS, seed } from "./seed.ts"
import { file, type RunningServer, RUNTIMES } from "./servers.ts"

/** Makes one organization that has all the deals. Returns an admin's key. */
export interface ExportDatabase {
  readonly url: string
  readonly deals: number
  readonly key: string
}

export const makeExportDatabase = async (server: Server, deals: number): Promise<ExportDatabase> => {
  const url = new URL(server.url)
  url.pathname = `/export_${deals}`
  const maintenance = await connect(server.url)
  await maintenance.query(`create database export_${deals}`)
  await maintenance.end()
  const key = await run(url.href, async (services) => {
    const admin = await connect(url.href)
    for (const statement of BEFORE) await admin.query(statement)
    const indexes = await dropIndexes(admin)
    for (const statement of [...seed(deals, 1), GENEROUS, ...indexes]) await admin.query(statement)
    await admin.query("update plans set exports_per_month = 1000000")
    await admin.query("vacuum (analyze)")
    await admin.end()
    return services(
      Effect.map(
        Effect.flatMap(ApiKeys, (keys) => keys.create("org_bench_1", { name: "bench", role: "admin" })),
        (made) => made.key,
      ),
    )
  })
  return { url: url.href, deals, key }
}

/** One export: the time from the request to the whole file, and the memory that it added. */
export interface Taken {
  readonly milliseconds: number
  /** CPU microseconds of the exporter. */
  readonly cpu: number
  readonly rows: number
  readonly megabytes: number
  readonly peakMegabytes: number
  readonly bytes: number
}

const sleep = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** Requests an export from a server and waits for its file. */
export const throughServer = async (
  { port, pid }: RunningServer,
  key: string,
  set: string,
  format: "csv" | "xlsx" = "csv",
): Promise<Taken> => {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" }
  const at = `http://127.0.0.1:${port}/api/v1/deals/export`
  const base = memoryOf(pid).now
  const before = cpuOf(pid)
  let peak = base
  const posted = await fetch(at, {
    method: "POST",
    headers,
    body: JSON.stringify({ columns: COLUMN_SETS[set], format }),
  })
  const { export_id } = (await posted.json()) as { readonly export_id: string }
  for (;;) {
    const status = (await (await fetch(`${at}/${export_id}`, { headers })).json()) as any
    peak = Math.max(peak, memoryOf(pid).now)
    if (status.status === "failed") throw new Error(status.error)
    if (status.status === "completed") {
      const milliseconds = Date.parse(status.completed_at) - Date.parse(status.created_at)
      return {
        milliseconds,
        cpu: cpuOf(pid) - before,
        rows: status.row_count,
        megabytes: peak - base,
        peakMegabytes: peak,
        bytes: status.file_size,
      }
    }
    await sleep(100)
  }
}

/** Exports the same rows with a peer, in a process of its own. */
export const throughPeer = async (
  url: string,
  library: string,
  set: string,
  path: string,
): Promise<Taken & PeerExport> => {
  const { command } = RUNTIMES.node
  const { stdout } = await promisify(execFile)(command, [file("bench/peers/exports.ts"), library, set, path], {
    env: { ...process.env, BENCH_DATABASE_URL: url },
  })
  const taken = JSON.parse(stdout) as PeerExport
  return { ...taken, megabytes: taken.peakMegabytes - taken.baseMegabytes, bytes: 0 }
}

/** Exports by `psql \copy`, the upper limit. Undefined without psql. */
export const throughPsql = async (url: string, set: string, path: string): Promise<Taken | undefined> => {
  const copy = String.raw`\copy (${exportStatement(set)}) to '${path}' csv header`
  const settings = "set search_path = sightline, public; set jit = off; set timezone = 'UTC'"
  const began = performance.now()
  const before = cpuOfChildren(process.pid)
  try {
    await promisify(execFile)("psql", [url, "-q", "-X", "-v", "ON_ERROR_STOP=1", "-c", settings, "-c", copy])
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined
    throw error
  }
  const cpu = cpuOfChildren(process.pid) - before
  return { milliseconds: performance.now() - began, cpu, rows: 0, megabytes: 0, peakMegabytes: 0, bytes: 0 }
}
