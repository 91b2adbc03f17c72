import { mkdtempSync, rmSync } from "node:fs"
import { cpus, tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { OURS_NODE, PROGRAMS } from "./programs.ts"
import { shot } from "./support/bench.ts"
import { median } from "./support/contest.ts"
import { cpuOfCluster } from "./support/cpu.ts"
import { startServer } from "./support/database.ts"
import { makeEmbedded } from "./support/embedded.ts"
import {
  type ExportDatabase,
  makeExportDatabase,
  type Taken,
  throughPeer,
  throughPsql,
  throughServer,
} from "./support/exports.ts"
import { heading, judge, summary, table } from "./support/report.ts"
import { type Program, type RunningServer, startClient, startProgram } from "./support/servers.ts"

const COPY = "psql \\copy"
const OURS = "Sightline, COPY"
const CURSOR = "Sightline, cursor"
const PAPA = "postgres.js + papaparse"
const STRINGIFY = "postgres.js + csv-stringify"

interface Line {
  readonly name: string
  /** Rows per second. */
  readonly rate: number
  readonly megabytes: number
  readonly microseconds: number
  /** CPU microseconds per row, of the exporter and of PostgreSQL. */
  readonly app: number
  readonly database: number
}

const start = (program: Program, environment: Record<string, string>, key: string) =>
  startProgram(
    { ...program, environment },
    { path: "/api/v1/deals?page_size=1", headers: { authorization: `Bearer ${key}` } },
  )

/** Rounds of A B C, A B C over the same rows. */
const contest = async (
  { url, deals, key }: ExportDatabase,
  postmaster: number,
  servers: { readonly ours: RunningServer; readonly cursor: RunningServer },
  set: string,
  rounds: number,
  directory: string,
) => {
  heading(`${deals.toLocaleString("en")} deals x 25 columns, ${set}`)
  const path = join(directory, "peer.csv")
  const peers: Record<string, () => Promise<Taken | undefined>> = {
    [COPY]: () => throughPsql(url, set, path),
    [OURS]: () => throughServer(servers.ours, key, set),
    [CURSOR]: () => throughServer(servers.cursor, key, set),
    [PAPA]: () => throughPeer(url, "papaparse", set, path),
    [STRINGIFY]: () => throughPeer(url, "csv-stringify", set, path),
  }
  const taken = new Map<string, Array<Taken & { readonly database: number }>>()
  for (let round = 0; round <= rounds; round++) {
    for (const [name, peer] of Object.entries(peers)) {
      const before = cpuOfCluster(postmaster)
      const one = await peer()
      const database = cpuOfCluster(postmaster) - before
      // The first round warms up.
      if (one !== undefined && (round > 0 || rounds === 0))
        taken.set(name, [...(taken.get(name) ?? []), { ...one, database }])
    }
  }
  const lines: Array<Line> = [...taken].map(([name, all]) => {
    const milliseconds = median(all.map((one) => one.milliseconds))
    const megabytes = Math.max(...all.map((one) => one.megabytes))
    return {
      name,
      rate: (deals / milliseconds) * 1000,
      megabytes,
      microseconds: (milliseconds / deals) * 1000,
      app: median(all.map(({ cpu }) => cpu)) / deals,
      database: median(all.map(({ database }) => database)) / deals,
    }
  })
  const rateOf = (name: string) => lines.find((line) => line.name === name)?.rate
  const of = (name: string, other: string) => {
    const [a, b] = [rateOf(name), rateOf(other)]
    return a === undefined || b === undefined ? "" : (a / b).toFixed(2)
  }
  table(
    [
      "export",
      "rows/s",
      "us a row",
      "of \\copy",
      "of papaparse",
      "app CPU us",
      "PostgreSQL CPU us",
      "RSS over base MB",
    ],
    lines.map(({ name, rate, megabytes, microseconds, app, database }) => [
      name,
      rate.toFixed(0),
      microseconds.toFixed(1),
      of(name, COPY),
      of(name, PAPA),
      app.toFixed(1),
      database.toFixed(1),
      name === COPY ? "" : megabytes.toFixed(0),
    ]),
  )
  const slower = (name: string, other: string) => {
    const [a, b] = [rateOf(name), rateOf(other)]
    return a === undefined || b === undefined ? undefined : b / a
  }
  const what = `${set}, ${deals.toLocaleString("en")}:`
  judge(`${what} time, COPY / \\copy`, slower(OURS, COPY), 1 / 0.75)
  judge(`${what} time, cursor / \\copy`, slower(CURSOR, COPY), 1 / 0.5)
  // If PostgreSQL builds JSON from other tables, that dominates, for every exporter.
  if (set === "plain") judge(`${what} time, COPY / postgres.js + papaparse`, slower(OURS, PAPA), 1 / 2.5)
  judge(`${what} RSS over base`, lines.find(({ name }) => name === OURS)?.megabytes, 60, "MB")
  return new Map(lines.map((line) => [line.name, line]))
}

/** Writes the same rows as CSV and as XLSX, in turns, by a server that works alone. */
const formats = async (server: RunningServer, { key, deals }: ExportDatabase, set: string, rounds: number) => {
  heading(`${deals.toLocaleString("en")} deals x 25 columns, ${set}, by format`)
  const taken: Record<"csv" | "xlsx", Array<Taken>> = { csv: [], xlsx: [] }
  for (let round = 0; round <= rounds; round++) {
    for (const format of ["csv", "xlsx"] as const) {
      const one = await throughServer(server, key, set, format)
      // The first round warms up.
      if (round > 0) taken[format].push(one)
    }
  }
  table(
    ["format", "rows/s", "cells/s", "app CPU us", "file MB", "peak RSS MB", "RSS over base MB"],
    Object.entries(taken).map(([format, all]) => {
      const rate = (deals / median(all.map(({ milliseconds }) => milliseconds))) * 1000
      return [
        format,
        rate.toFixed(0),
        (rate * 25).toFixed(0),
        (median(all.map(({ cpu }) => cpu)) / deals).toFixed(1),
        (all[0]!.bytes / 1e6).toFixed(1),
        Math.max(...all.map(({ peakMegabytes }) => peakMegabytes)).toFixed(0),
        Math.max(...all.map(({ megabytes }) => megabytes)).toFixed(0),
      ]
    }),
  )
}

const LIST = "/api/v1/deals?columns=id,name,amount,deal_status,owner_name,created_at"

/** Compares lists during exports with lists alone. */
const meanwhile = async (server: RunningServer, key: string, requests: number, most?: number) => {
  heading("GET /deals (six columns, 50 deals) while exports go on, two callers")
  const client = startClient()
  const shots = [shot(LIST, { org: "org_bench_1", key })]
  const fire = () => client.fire({ port: server.port, shots, requests, concurrency: 2 })
  try {
    await fire()
    const idle = await fire()
    const asking = { over: false }
    const exporting = (async () => {
      while (!asking.over) await throughServer(server, key, "plain")
    })()
    const busy = await fire()
    asking.over = true
    await exporting
    table(
      ["", "p50 ms", "p99 ms"],
      [
        ["alone", idle.p50.toFixed(1), idle.p99.toFixed(1)],
        ["during exports", busy.p50.toFixed(1), busy.p99.toFixed(1)],
      ],
    )
    if (most !== undefined) judge("GET /deals p99 during an export / alone", busy.p99 / idle.p99, most)
  } finally {
    await client.stop()
  }
}

/** Measures the embedded database: the same rows, one connection for exports and everything else. */
const embedded = async (deals: number, limit: number | undefined, rounds: number, requests: number) => {
  const directory = mkdtempSync(join(tmpdir(), "sightline-bench-"))
  try {
    const key = await makeEmbedded(directory, deals)
    const server = await start(PROGRAMS[OURS_NODE]!, { SIGHTLINE_DATA_DIR: directory, SIGHTLINE_DATABASE_URL: "" }, key)
    try {
      heading(`PGlite: ${deals.toLocaleString("en")} deals x 25 columns, plain`)
      const taken: Array<Taken> = []
      for (let round = 0; round <= rounds; round++) taken.push(await throughServer(server, key, "plain"))
      const milliseconds = median(taken.slice(1).map((one) => one.milliseconds))
      const megabytes = Math.max(...taken.slice(1).map((one) => one.megabytes))
      const rate = (deals / milliseconds) * 1000
      table(
        ["rows/s", "us a row", "RSS over base MB"],
        [[rate.toFixed(0), ((milliseconds / deals) * 1000).toFixed(1), megabytes.toFixed(0)]],
      )
      if (limit !== undefined) judge("PGlite: time / \\copy of PostgreSQL", limit / rate, 1 / 0.35)
      await meanwhile(server, key, requests)
    } finally {
      await server.stop()
    }
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

const sizesOf = (rows: string | undefined, isQuick: boolean) =>
  rows === "both" ? [100_000, 1_000_000] : [Number(rows ?? (isQuick ? 20_000 : 100_000))]

/** `--quick`: 20,000 deals, one round. `--rows n`, or `both`: 100,000 and 1,000,000. `--sets default,plain`. `--no-pglite`. `--formats`: CSV and XLSX alone. `--buffers 2GB`. */
export const main = async (args: ReadonlyArray<string>) => {
  const { values } = parseArgs({
    args: [...args],
    allowNegative: true,
    options: {
      quick: { type: "boolean", default: false },
      rows: { type: "string" },
      sets: { type: "string", default: "default,plain" },
      pglite: { type: "boolean", default: true },
      formats: { type: "boolean", default: false },
      buffers: { type: "string", default: "2GB" },
    },
  })
  const { quick } = values
  const sets = values.sets.split(",")
  const roundsOf = (rows: number) => (quick ? 1 : rows > 100_000 ? 2 : 5)
  const sizes = sizesOf(values.rows, quick)
  console.log(`${cpus().length} x ${cpus()[0]?.model}, ${process.platform}; PostgreSQL and exporters share them`)
  const directory = mkdtempSync(join(tmpdir(), "sightline-bench-"))
  // The default of 128 MB holds 100,000 deals, but not a million.
  const postgres = await startServer("-c", `shared_buffers=${values.buffers}`)
  const running: Array<RunningServer> = []
  try {
    const first = new Map<string, number>()
    const compare = (set: string, rows: number, now: number) => {
      const before = first.get(set)
      if (before === undefined) first.set(set, now)
      else judge(`${set}: time a row at ${rows} / at ${sizes[0]}`, now / before, 1.1)
    }
    let limit: number | undefined
    for (const rows of sizes) {
      const database = await makeExportDatabase(postgres, rows)
      const environment = {
        SIGHTLINE_DATABASE_URL: database.url,
        SIGHTLINE_DATA_DIR: directory,
        SIGHTLINE_BLOBS: `file:${join(directory, "blobs")}`,
      }
      const cursorServer: Program = { runtime: "node", script: "bench/peers/cursorServer.ts" }
      const ours = await start(PROGRAMS[OURS_NODE]!, environment, database.key)
      running.push(ours)
      for (const set of sets) await formats(ours, database, set, quick ? 1 : 3)
      if (values.formats) {
        await running.pop()!.stop()
        continue
      }
      const cursor = await start(cursorServer, environment, database.key)
      running.push(cursor)
      for (const set of sets) {
        const programs = { ours, cursor }
        const lines = await contest(database, postgres.postmaster, programs, set, roundsOf(rows), directory)
        if (set === "plain") limit ??= lines.get(COPY)?.rate
        const now = lines.get(OURS)?.microseconds
        if (now !== undefined) compare(set, rows, now)
      }
      if (rows === sizes[0]) await meanwhile(ours, database.key, quick ? 300 : 2000, 2)
      for (const server of running.splice(0)) await server.stop()
    }
    if (values.pglite && !values.formats) await embedded(sizes[0]!, limit, quick ? 1 : 3, quick ? 100 : 500)
    summary()
  } finally {
    for (const server of running) await server.stop()
    await postgres.stop()
    rmSync(directory, { recursive: true, force: true })
  }
}
