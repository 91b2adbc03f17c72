import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import { layerPglite } from "../../src/adapters/database/pglite.ts"
import { inBackground } from "../../src/core/jobs/Background.ts"
import { JobQueue } from "../../src/core/jobs/JobQueue.ts"
import { DatabaseUnavailable } from "../../src/core/ports/DatabaseUnavailable.ts"
import { Database } from "../../src/core/storage/Database.ts"
import { engines } from "../support/engines.ts"
import { untilEffect } from "../support/until.ts"
import { layerWeb, Web } from "../support/web.ts"

const MIB = 1024 * 1024
const disk = { free: 1024 * MIB, looks: 0 }
const free = () => (disk.looks++, disk.free)
/** Waits for the adapter's next look at the disk. */
const notices = (full: boolean) =>
  untilEffect(
    full ? "the database is read-only" : "the database writes again",
    Effect.flatMap(Database, ({ isReadOnly }) => Effect.map(isReadOnly, (is) => is === full)),
  )
const FULL = /the disk that holds the database is full/

layer(layerWeb(layerPglite({ free })), { excludeTestServices: true })("an embedded database short of space", (it) => {
  const post = (key: string, path: string, body: object) =>
    Effect.flatMap(Web, ({ request }) =>
      request(`/api/v1${path}`, key, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      }),
    )
  const importOne = (key: string, name: string) =>
    Effect.flatMap(Web, ({ request }) =>
      request("/api/v1/import", key, {
        method: "POST",
        headers: { "content-type": "application/x-ndjson" },
        body: JSON.stringify({ type: "deal", id: name, name }),
      }),
    )

  it.effect("refuses what writes, reads on, lets go, and says so; with space again it writes", () =>
    Effect.gen(function* () {
      const web = yield* Web
      const { key } = yield* web.tenant()
      assert.strictEqual((yield* importOne(key, "before")).status, 200)
      const made = yield* post(key, "/keys", { name: "second", role: "viewer" })
      disk.free = 255 * MIB
      yield* notices(true)
      for (const refused of [
        yield* importOne(key, "meanwhile"),
        yield* post(key, "/keys", { name: "third", role: "viewer" }),
        yield* post(key, "/deals/export", { columns: ["id"] }),
      ]) {
        assert.deepStrictEqual([refused.status, refused.headers.get("retry-after")], [503, "5"])
        assert.strictEqual(refused.json.error.code, "service_unavailable")
        assert.match(refused.json.error.message, FULL)
      }
      const ready = yield* web.request("/health/ready", "")
      assert.deepStrictEqual([ready.status, ready.json.note], [200, "read_only"])
      assert.strictEqual(ready.json.database, "disk full, only reads")
      assert.strictEqual((yield* web.request("/health/live", "")).status, 200)
      for (const path of ["/deals/before", "/deals?count=true", "/documents", "/usage"]) {
        assert.strictEqual((yield* web.request(`/api/v1${path}`, key)).status, 200, path)
      }
      const asked = yield* post(key, "/responses", { messages: [{ role: "user", content: "Which deals are there?" }] })
      assert.strictEqual(asked.status, 200, asked.text)
      const revoked = yield* web.request(`/api/v1/keys/${made.json.id}`, key, { method: "DELETE" })
      assert.isBelow(revoked.status, 300)
      disk.free = 256 * MIB
      yield* notices(false)
      assert.strictEqual((yield* importOne(key, "after")).status, 200)
      const resumed = yield* web.request("/health/ready", "")
      assert.deepStrictEqual([resumed.status, resumed.json.note], [200, undefined])
      assert.deepStrictEqual((yield* web.request("/api/v1/deals?count=true", key)).json, { count: 2 })
    }),
  )

  it.effect("leaves jobs where they are: the next is not begun, the one at work waits and ends", () =>
    Effect.gen(function* () {
      const { org } = yield* (yield* Web).tenant()
      const jobs = yield* JobQueue
      const database = yield* Database
      const begun: Array<string> = []
      let looksWhenFull = Infinity
      const working = yield* inBackground(
        jobs.work(
          "patient",
          ({ subject }) =>
            Effect.gen(function* () {
              begun.push(subject)
              if (subject === "first") {
                disk.free = 0
                yield* notices(true)
                looksWhenFull = disk.looks
              }
              yield* database.transaction(org, database.sql`select set_config('sightline.test', '', true)`)
            }),
          () => Effect.void,
        ),
      )
      const ids = yield* Effect.forEach(["first", "second"], (subject) =>
        database.transaction(org, jobs.enqueue(org, { kind: "patient", subject, prefix: "run" })),
      )
      yield* jobs.wake("patient", org)
      // While it waits, it looks for space.
      yield* untilEffect(
        "the database looked for space several times",
        Effect.sync(() => disk.looks > looksWhenFull + 3),
      )
      const first = yield* jobs.find(org, ids[0]!)
      assert.deepStrictEqual([begun, first?.state, first?.attempts], [["first"], "running", 1])
      disk.free = 1024 * MIB
      for (const id of ids) {
        const { attempts } = yield* untilEffect(
          "the job is completed",
          Effect.map(jobs.find(org, id), (job) => (job?.state === "completed" ? job : undefined)),
        )
        assert.strictEqual(attempts, 1)
      }
      yield* Fiber.interrupt(working)
    }),
  )

  it.effect("is asked for once a second, however much is written", () =>
    Effect.gen(function* () {
      const { org } = yield* (yield* Web).tenant()
      const database = yield* Database
      const [before, began] = [disk.looks, performance.now()]
      for (let n = 0; n < 200; n++) yield* database.transaction(org, Effect.void)
      assert.isAtMost(disk.looks - before, 1 + (performance.now() - began) / 1000)
    }),
  )
})

for (const engine of engines) {
  layer(JobQueue.layer.pipe(Layer.provideMerge(Database.layer), Layer.provide(engine.database)), {
    excludeTestServices: true,
  })(`a statement that finds no room, on ${engine.name}`, (it) => {
    it.effect("is told as such, makes a server read-only, and costs its job no attempt", () =>
      Effect.gen(function* () {
        const { sql, transaction, isReadOnly } = yield* Database
        assert.isFalse(yield* isReadOnly)
        const jobs = yield* JobQueue
        const org = `full_${engine.name}`
        yield* transaction(org, sql`insert into organizations ${sql.insert({ id: org, name: "Full", plan: "growth" })}`)
        const noRoom = transaction(
          org,
          sql.unsafe(`do $$ begin raise 'could not extend file' using errcode = '53100'; end $$`),
        )
        const error = yield* Effect.flip(noRoom)
        assert.instanceOf(error, DatabaseUnavailable)
        assert.strictEqual(error.reason, "no_space")
        assert.match(error.message, FULL)
        // The embedded database measures its disk, which has space.
        assert.strictEqual(yield* isReadOnly, engine.name === "PostgreSQL")
        const id = yield* transaction(org, jobs.enqueue(org, { kind: "full", subject: "s", prefix: "run" }))
        let attempts = 0
        const working = yield* Effect.forkChild(
          jobs.work(
            "full",
            () =>
              Effect.andThen(
                Effect.sync(() => attempts++),
                noRoom,
              ),
            () => Effect.void,
          ),
        )
        const waiting = yield* untilEffect(
          "the job is in its queue again",
          Effect.map(jobs.find(org, id), (job) => (attempts > 0 && job?.state === "queued" ? job : undefined)),
        )
        assert.strictEqual(waiting.attempts, 0)
        yield* Fiber.interrupt(working)
      }),
    )
  })
}

const segments = (directory: string) =>
  readdirSync(join(directory, "pg_wal")).filter((name) => name.length === 24).length

describe("the log of an embedded database", () => {
  it.live("stays short, however much is written", () =>
    Effect.gen(function* () {
      const directory = yield* Effect.acquireRelease(
        Effect.sync(() => mkdtempSync(join(tmpdir(), "sightline-log-"))),
        (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true })),
      )
      yield* Effect.gen(function* () {
        const { sql, transaction } = yield* Database
        const write = transaction("org", sql`select pg_logical_emit_message(true, 'test', repeat('x', 8000000))::text`)
        yield* Effect.repeat(write, { times: 39 })
        yield* untilEffect(
          "the log is short",
          Effect.map(write, () => segments(directory) <= 13),
        )
      }).pipe(Effect.provide(Database.layer.pipe(Layer.provide(layerPglite({ directory, reserve: 0 })))))
    }).pipe(Effect.scoped),
  )
})

describe("a new database", () => {
  const begin = (directory: string) =>
    Effect.scoped(Layer.build(layerPglite({ directory, free: () => 0 }))).pipe(Effect.flip, Effect.map(String))

  it.effect("does not begin among files of something else, and does where one was cut off", () =>
    Effect.gen(function* () {
      const directory = mkdtempSync(join(tmpdir(), "sightline-others-"))
      yield* Effect.addFinalizer(() => Effect.sync(() => rmSync(directory, { recursive: true, force: true })))
      for (const name of ["base", "pg_wal", "lost+found"]) mkdirSync(join(directory, name))
      assert.match(yield* begin(directory), /needs 256 MiB of free disk space/)
      mkdirSync(join(directory, "postgres"))
      assert.include(yield* begin(directory), `it has 'postgres'; choose one of its own, such as ${directory}/postgres`)
      writeFileSync(join(directory, "postgres", "PG_VERSION"), "18\n")
      assert.include(yield* begin(directory), `the database is in ${directory}/postgres`)
    }).pipe(Effect.scoped),
  )
})
