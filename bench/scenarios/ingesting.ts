import { fork } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import { SqlClient } from "effect/sql/SqlClient"
import { layerPglite } from "../../src/adapters/database/pglite.ts"
import { layerPostgres } from "../../src/adapters/database/postgres.ts"
import { ApiKeys } from "../../src/core/keys/ApiKeys.ts"
import * as Sightline from "../../src/core/Sightline.ts"
import { makeInstallation } from "../../src/core/storage/session.ts"
import { Import } from "../../src/core/import/Import.ts"
import { Organizations } from "../../src/core/catalogue/Organizations.ts"
import { docx, paragraph } from "../../test/ingest/support/office.ts"
import { pagesOf } from "../../test/ingest/support/pdf.ts"
import { childrenOf } from "../support/cpu.ts"
import { startServer } from "../support/database.ts"
import { heading, judge, table } from "../support/report.ts"
import { GENEROUS } from "../support/seed.ts"
import { file, startProgram } from "../support/servers.ts"
import { coresOf, standIn, watch } from "../support/standIn.ts"

const DEALS = 500
const UPLOADS_AT_ONCE = 4
const CLI = "src/adapters/cli/main.js"

const sentence = (n: number, line: number) =>
  `Note ${n}, line ${line}: the buyer asked about terms and price, and compared them with two rivals.`
const lines = (n: number) => Array.from({ length: 20 }, (_, line) => sentence(n, line))

/** Makes a distinct page of text; the formats alternate. */
const documentOf = (n: number): readonly [name: string, type: string, bytes: Uint8Array] => {
  const written = lines(n).map((text, line) => ({ text, y: 740 - 30 * line }))
  if (n % 3 === 0) return [`notes${n}.pdf`, "application/pdf", pagesOf([written])]
  const word = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
  if (n % 3 === 1)
    return [
      `notes${n}.docx`,
      word,
      docx(
        lines(n)
          .map((text) => paragraph(text))
          .join(""),
      ),
    ]
  return [`notes${n}.md`, "text/markdown", new TextEncoder().encode(lines(n).join("\n\n"))]
}

/** Makes an organization with deals and a key without limits. */
const prepare = <E>(database: Layer.Layer<SqlClient, E>) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    yield* sql.unsafe("set role none")
    yield* sql.unsafe(GENEROUS)
    yield* sql.unsafe(`set role ${makeInstallation({}).role}`)
    const services = Sightline.layer({ database: Layer.succeed(SqlClient, sql) })
    return yield* Effect.provide(
      Effect.gen(function* () {
        const { id } = yield* (yield* Organizations).create({ name: "Bench", plan: "enterprise" })
        const deals = Array.from({ length: DEALS }, (_, n) => ({
          type: "deal",
          id: `d${n}`,
          name: `Deal ${n}`,
          amount: n,
        }))
        yield* (yield* Import).records(id, Stream.fromIterable(deals))
        return (yield* (yield* ApiKeys).create(id, { name: "bench", role: "owner", requestsPerMinute: 1_000_000 })).key
      }),
      services,
    )
  }).pipe(Effect.provide(database), Effect.scoped, Effect.runPromise)

const quantile = (values: ReadonlyArray<number>, q: number) =>
  values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * q)] ?? Number.NaN

/** Measures lists of 50, requested at a steady pace, while `during` runs. */
const probing = async (base: string, key: string, during: () => Promise<void>) => {
  const probe = fork(file("bench/support/probe.ts"), [`${base}/deals?page_size=50`, key])
  const told = () =>
    new Promise<unknown>((resolve, reject) => {
      probe.once("message", resolve)
      probe.once("exit", (code) => reject(new Error(`the probe ended with ${code}`)))
    })
  await told()
  const answered = told()
  await during()
  probe.send("stop")
  const latencies = (await answered) as ReadonlyArray<number>
  return { p50: quantile(latencies, 0.5), p99: quantile(latencies, 0.99), most: quantile(latencies, 1) }
}

const uploadAll = async (base: string, key: string, count: number) => {
  const headers = { authorization: `Bearer ${key}` }
  let next = 0
  const lane = async () => {
    for (let n = next++; n < count; n = next++) {
      const [name, type, bytes] = documentOf(n)
      const body = new FormData()
      for (const [field, value] of Object.entries({ deal_id: "d1", file_name: name, content_type: type })) {
        body.append(field, value)
      }
      body.append("file", new Blob([new Uint8Array(bytes)]), name)
      const reply = await fetch(`${base}/deals/documents`, { method: "POST", headers, body })
      if (reply.status !== 200) throw new Error(`upload: ${reply.status} ${await reply.text()}`)
      await reply.arrayBuffer()
    }
  }
  await Promise.all(Array.from({ length: UPLOADS_AT_ONCE }, lane))
  const some = async (status: string) => {
    const reply = await fetch(`${base}/documents?status=${status}&page_size=1`, { headers })
    return ((await reply.json()) as { readonly data: ReadonlyArray<unknown> }).data.length > 0
  }
  while (await some("processing")) await new Promise((resolve) => setTimeout(resolve, 100))
  if (await some("failed")) throw new Error("a document could not be read")
}

/**
 * Measures documents per second, from upload to ready, and how reading them slows lists of deals. Unrelated programs that use as much CPU
 * show how much of that is the machine's.
 */
export const ingesting = async (count: number) => {
  heading(
    `${count.toLocaleString("en")} documents of a page, uploaded and read on Node, with lists of 50 deals asked for 20 times a second`,
  )
  const rows: Array<ReadonlyArray<string>> = []
  const slowdowns: Array<readonly [string, number]> = []
  for (const engine of ["PostgreSQL", "PGlite"] as const) {
    const directory = mkdtempSync(join(tmpdir(), "sightline-bench-"))
    const postgres = engine === "PostgreSQL" ? await startServer() : undefined
    try {
      const key = await prepare(
        postgres === undefined
          ? layerPglite({ directory: join(directory, "postgres") })
          : layerPostgres({ url: Redacted.make(postgres.url), connections: 1 }),
      )
      const environment = {
        SIGHTLINE_DATA_DIR: directory,
        SIGHTLINE_TRANSCRIPTION_URL: "off",
        ...(postgres !== undefined && { SIGHTLINE_DATABASE_URL: postgres.url }),
      }
      const program = { runtime: "node", script: CLI, args: ["serve"], environment } as const
      const server = await startProgram(program, { path: "/health/ready" })
      const base = `http://127.0.0.1:${server.port}/api/v1`
      const wait = (seconds: number) => new Promise<void>((resolve) => setTimeout(resolve, seconds * 1000))
      await probing(base, key, () => wait(2))
      const idle = await probing(base, key, () => wait(10))
      const backends = () => (postgres === undefined ? [] : childrenOf(postgres.postmaster))
      const watched = watch(() => [process.pid, server.pid, ...backends()])
      const began = performance.now()
      const busy = await probing(base, key, () => uploadAll(base, key, count))
      const seconds = (performance.now() - began) / 1000
      const used = watched()
      const others = await standIn(used, (pid) => pid !== process.pid && pid !== server.pid)
      const spinning = watch(() => others.pids)
      const beside = await probing(base, key, () => wait(Math.min(seconds, 15)))
      const spun = coresOf(spinning())
      others.stop()
      const row = (what: string, perSecond: string, cores: string, { p50, p99, most }: typeof idle) =>
        rows.push([
          engine,
          what,
          perSecond,
          cores,
          ...[p50, p99, most, p99 / idle.p99].map((value) => value.toFixed(1)),
        ])
      row("nothing", "", "", idle)
      row("documents", (count / seconds).toFixed(0), coresOf(used).toFixed(2), busy)
      row("others' work", "", spun.toFixed(2), beside)
      slowdowns.push([engine, busy.p99 / idle.p99])
      await server.stop()
    } finally {
      await postgres?.stop()
      rmSync(directory, { recursive: true, force: true })
    }
  }
  table(["engine", "beside", "documents/s", "cores", "p50 ms", "p99 ms", "longest ms", "p99 ratio"], rows)
  console.log("")
  for (const [engine, slowdown] of slowdowns)
    judge(`GET /deals p99 while documents are read / idle, ${engine}`, slowdown, 2)
}
