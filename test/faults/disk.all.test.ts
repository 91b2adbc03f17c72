import { execFileSync } from "node:child_process"
import { chownSync, mkdirSync, rmSync, statfsSync, statSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { run, startServer } from "../adapters/processes.ts"
import { SIGNING_SECRET } from "./protocol.ts"
import { needs } from "../support/needs.ts"
import { restartable } from "./postgres.ts"
import { late, until } from "../support/until.ts"
import {
  canMount,
  COLUMNS,
  deals,
  ended,
  filesUnder,
  fill,
  mountDisk,
  newOrganization,
  report,
  startWorker,
  temporary,
  text,
  TIMES,
  unmountDisk,
  type Worker,
} from "./support.ts"
import { oneConnection } from "../support/oneConnection.ts"

const MIB = 1024 * 1024
const DEALS = 3000

/** A small disk. */
const disk = (directory: string, mib: number) =>
  Effect.acquireRelease(
    Effect.sync(() => mountDisk(directory, mib)),
    () => Effect.sync(() => unmountDisk(directory)),
  )

const mounting = needs("the right to mount a disk", canMount())

const FULL = /disk that holds the database is full|no space left/

/** The reply to a worker that may not write. */
const refused = (asked: Promise<unknown>) =>
  asked.then(
    () => assert.fail("written on a full disk"),
    (error: Error) => assert.match(error.message, FULL),
  )

/** Adds a document and requests an export, fills the disk during both, requests more, and frees the disk. */
const round = async (worker: Worker, fills: () => void, frees: () => void, word: string) => {
  // Keeping the document's original passes the gate too.
  await worker.ask<string>({ do: "add", text: text(word) })
  await worker.ask({ do: "hold" })
  const id = await worker.ask<string>({ do: "export", columns: COLUMNS })
  await until("at work", async () => (await worker.state()).jobs.some(({ state }) => state === "running"))
  fills()
  let n = 0
  // Exports do not show them.
  const owners = () =>
    Array.from({ length: 2000 }, (_, owner) => ({ type: "owner", name: `${word} ${n} ${owner} `.padEnd(100, "x") }))
  const error = await until("writes are refused", () =>
    worker.ask({ do: "import", records: owners() }).then(
      () => void n++,
      (cause: Error) => cause,
    ),
  )
  assert.match(error.message, FULL)
  await worker.ask({ do: "release" })
  // The jobs go on, as far as they can.
  await late(5000)
  const { jobs } = await worker.state()
  const waiting = jobs.filter(({ state }) => state === "running" || state === "queued").length
  assert.isAbove(waiting, 0, "jobs end on a full disk")
  frees()
  const freed = performance.now()
  await until("ended", () => ended(worker))
  return { id, waiting, milliseconds: performance.now() - freed }
}

describe("a full disk", () => {
  it(
    `of an embedded database, ${TIMES} times: reads work, and jobs wait until there is space`,
    { ...mounting, timeout: 900_000 + TIMES * 60_000 },
    () =>
      Effect.gen(function* () {
        const directory = yield* temporary
        yield* disk(directory, 480)
        const org = yield* newOrganization(undefined, directory)
        const worker = yield* startWorker({ directory, org, slow: 200 })
        const filler = join(directory, "filler")
        yield* Effect.promise(async () => {
          await worker.ask({ do: "import", records: deals(DEALS) })
          const undisturbed = await worker.ask<string>({ do: "export", columns: COLUMNS })
          await until("undisturbed", () => ended(worker))
          const expected = await worker.ask<string>({ do: "digest", id: undisturbed })
          let [waited, slowest] = [0, 0]
          for (let time = 0; time < TIMES; time++) {
            const { id, waiting, milliseconds } = await round(
              worker,
              () => fill(filler, 128 * MIB),
              () => rmSync(filler),
              `full ${time}`,
            )
            assert.strictEqual(await worker.ask<string>({ do: "digest", id }), expected)
            slowest = Math.max(slowest, milliseconds)
            waited += waiting
          }
          const { jobs, documents } = await worker.state()
          const lost = jobs.filter(({ state }) => state !== "completed").length
          const doubled = filesUnder(directory).length - jobs.length
          fill(filler, 260 * MIB)
          let written = 0
          const more = async () => {
            for (; written < 100_000; written += 1000) {
              const named = deals(1000).map((deal) => ({ ...deal, id: `more_${written}_${deal.id}` }))
              await worker.ask({ do: "import", records: named })
            }
          }
          await refused(more())
          const { bavail, bsize } = statfsSync(directory)
          await worker.state()
          report("disk full under work, then space", "PGlite", {
            times: TIMES,
            jobs: jobs.length,
            waited,
            lost,
            doubled,
            "attempts at most": Math.max(...jobs.map(({ attempts }) => attempts)),
            "left where it refused by itself": `${Math.floor((bavail * bsize) / MIB)} MiB`,
            "slowest end": `${(slowest / 1000).toFixed(1)} s`,
          })
          assert.deepStrictEqual([lost, doubled, documents.length], [0, 0, TIMES])
          assert.isAbove(bavail * bsize, 160 * MIB)
          await worker.kill()
          fill(filler, 0)
          const settings = { SIGHTLINE_DATA_DIR: directory, SIGHTLINE_SIGNING_SECRET: SIGNING_SECRET }
          const early = await run(["orgs", "create", "--name", "Early"], settings)
          assert.strictEqual(early.code, 1, early.stderr)
          assert.match(early.stderr, /^sightline: .*(no space left|disk has space)/im)
          assert.notInclude(early.stderr, "please report")
          rmSync(filler)
          const late = await run(["orgs", "create", "--name", "Late"], settings)
          assert.strictEqual(late.code, 0, late.stderr)
        })
      }).pipe(Effect.scoped, Effect.runPromise),
  )

  it(
    `of a server, ${TIMES} times: errors say so, and jobs finish when there is space`,
    { ...mounting, timeout: 900_000 + TIMES * 60_000 },
    () =>
      Effect.gen(function* () {
        const directory = yield* temporary
        const small = join(directory, "small")
        mkdirSync(small)
        yield* disk(small, 96)
        const server = yield* restartable(directory)
        // The log stays on the large disk, because a server that cannot write its log is down.
        const space = join(small, "space")
        mkdirSync(space)
        const { uid, gid } = statSync(join(directory, "data"))
        chownSync(small, uid, gid)
        chownSync(space, uid, gid)
        yield* Effect.provide(
          Effect.flatMap(SqlClient, (sql) =>
            Effect.andThen(
              sql.unsafe(`create tablespace small location '${space}'`),
              sql.unsafe("create database small tablespace small"),
            ),
          ),
          oneConnection(server.url),
        )
        const databaseUrl = server.url.replace(/\/postgres$/, "/small")
        const org = yield* newOrganization(databaseUrl, directory)
        const worker = yield* startWorker({ databaseUrl, directory, org, slow: 200 })
        const filler = join(small, "filler")
        yield* Effect.promise(async () => {
          await worker.ask({ do: "import", records: deals(DEALS) })
          let [waited, slowest] = [0, 0]
          for (let time = 0; time < TIMES; time++) {
            const { waiting, milliseconds } = await round(
              worker,
              () => fill(filler, 0),
              () => rmSync(filler),
              `full ${time}`,
            )
            slowest = Math.max(slowest, milliseconds)
            waited += waiting
          }
          const { jobs, documents } = await worker.state()
          const lost = jobs.filter(({ state }) => state !== "completed").length
          const doubled = filesUnder(directory).length - jobs.length
          report("disk full under work, then space", "PostgreSQL", {
            times: TIMES,
            jobs: jobs.length,
            waited,
            lost,
            doubled,
            "slowest end": `${(slowest / 1000).toFixed(1)} s`,
          })
          assert.deepStrictEqual([lost, doubled, documents.length], [0, 0, TIMES])
        })
      }).pipe(Effect.scoped, Effect.runPromise),
  )

  it(
    `for the log, ${TIMES} times: the process says so and exits; the next one has every commit`,
    { ...needs("prlimit", process.platform === "linux"), timeout: 900_000 + TIMES * 60_000 },
    () =>
      Effect.gen(function* () {
        const directory = yield* temporary
        const org = yield* newOrganization(undefined, directory)
        const settings = { SIGHTLINE_DATA_DIR: directory, SIGHTLINE_SIGNING_SECRET: SIGNING_SECRET }
        yield* Effect.promise(async () => {
          const { key } = JSON.parse(
            (await run(["keys", "create", "--org", org, "--role", "owner", "--json"], settings)).stdout,
          )
          let [committed, lost, slowest] = [0, 0, 0]
          for (let time = 0; time <= TIMES; time++) {
            const server = await startServer("Node", settings)
            const asked = (path: string, init: RequestInit = {}) =>
              fetch(`${server.url}/api/v1${path}`, {
                ...init,
                headers: { authorization: `Bearer ${key}`, "content-type": "application/x-ndjson" },
              })
            // Committed deals whose reply was lost are there too.
            const { count } = (await (await asked("/deals?count=true")).json()) as { readonly count: number }
            lost += Math.max(committed - count, 0)
            committed = count
            if (time === TIMES) {
              server.child.kill()
              assert.strictEqual((await server.finished).code, 0)
              break
            }
            for (let n = 0, status = 200; status === 200; n++) {
              // Fails from some point on, like a full disk. A segment of the log is 16 MiB.
              const limit = `--fsize=${(4 + 5 * (time % 3)) * MIB}`
              if (n === 5) execFileSync("prlimit", ["--pid", String(server.child.pid), limit])
              const records = deals(100).map((deal) => JSON.stringify({ ...deal, id: `${time}_${n}_${deal.id}` }))
              const reply = await asked("/import", { method: "POST", body: records.join("\n") })
              status = reply.status
              if (status !== 200) assert.strictEqual(status, 503, await reply.text())
              else committed += ((await reply.json()) as { readonly created: number }).created
            }
            const told = performance.now()
            const { code, stderr } = await server.finished
            slowest = Math.max(slowest, performance.now() - told)
            assert.strictEqual(code, 1, stderr)
            assert.match(stderr, /sightline: the embedded database has ended: could not .*File too large/)
          }
          report("the log cannot be written", "PGlite", {
            times: TIMES,
            "deals committed": committed,
            lost,
            "slowest end of the process": `${(slowest / 1000).toFixed(1)} s`,
          })
          assert.strictEqual(lost, 0)
        })
      }).pipe(Effect.scoped, Effect.runPromise),
  )
})
