import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { SqlClient } from "effect/sql/SqlClient"
import * as TestClock from "effect/testing/TestClock"
import { layerPostgres } from "../../src/adapters/database/postgres.ts"
import { asHeavy } from "../../src/core/storage/CurrentClass.ts"
import { Database, TimeLimits } from "../../src/core/storage/Database.ts"
import { makeServe } from "../../src/core/storage/serve.ts"
import { migratedPostgresUrl } from "../support/engines.ts"
import { needs } from "../support/needs.ts"
import { oneConnection } from "../support/oneConnection.ts"
import { hasPgBouncer, startPgBouncer } from "../support/pgbouncer.ts"
import { resource } from "../support/resources.ts"
import { untilEffect } from "../support/until.ts"

const open = Effect.fnUntraced(function* (url: string, pooled: boolean, limits?: typeof TimeLimits.Service) {
  const layer = Database.layer.pipe(
    Layer.provide(layerPostgres({ url: Redacted.make(url), pooled, connections: 2, listen: false })),
    Layer.provide(limits === undefined ? Layer.empty : Layer.succeed(TimeLimits, limits)),
  )
  return yield* Effect.provide(Database, yield* Layer.build(layer))
})

/** Waits until `count` statements with `mark` run on the server. */
const untilRunning = Effect.fnUntraced(function* (direct: string, mark: string, count: number) {
  const sql = yield* Effect.provide(SqlClient, yield* Layer.build(oneConnection(direct)))
  yield* untilEffect(
    `${count} statements of ${mark} run`,
    Effect.map(
      sql<{ n: number }>`select count(*)::int as n from pg_stat_activity
        where state = 'active' and pid <> pg_backend_pid() and query like ${`%${mark}%`}`,
      ([row]) => row!.n === count,
    ),
  )
})

const endsOnHangUp = Effect.fnUntraced(function* (direct: string, url: string, pooled: boolean, mark: string) {
  const { sql, scoped } = yield* open(url, pooled)
  const slow = sql`select pg_sleep(500) /* ${sql.literal(mark)} */`
  const fiber = yield* Effect.forkChild(asHeavy(scoped("org", slow)))
  yield* untilRunning(direct, mark, 1)
  yield* Fiber.interrupt(fiber)
  yield* untilRunning(direct, mark, 0)
  assert.deepStrictEqual(yield* scoped("org", sql`select 1 as one`), [{ one: 1 }])
}, Effect.scoped)

/** As a long computation does. */
const blockThread = (ms: number) => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)

describe("a statement of PostgreSQL", () => {
  it.live("ends on the server when its caller hangs up", () =>
    Effect.flatMap(migratedPostgresUrl, (url) => endsOnHangUp(url, url, false, "hung up")),
  )

  it.live("ends when it takes longer than its class may, and the reply says what helps", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const url = yield* migratedPostgresUrl
        const { sql, scoped, transaction } = yield* open(url, false, { short: 100, heavy: 200 })
        const slow = sql`select pg_sleep(500) /* too slow */`
        const report = yield* Effect.flip(asHeavy(scoped("org", slow)))
        assert.strictEqual(report.reason, "too_slow")
        assert.deepStrictEqual(report.details, { reason: "too_slow" })
        assert.match(report.message, /within 0.2 s: narrow it by a filter, ask for fewer dimensions, or export/)
        assert.match((yield* Effect.flip(scoped("org", slow))).message, /within 0.1 s: narrow it by a filter/)
        const written = Effect.andThen(sql`insert into chores (name) values ('undone')`, slow)
        assert.match((yield* Effect.flip(transaction("org", written))).message, /nothing was changed/)
        assert.deepStrictEqual(yield* scoped("org", sql`select name from chores where name = 'undone'`), [])
        yield* untilRunning(url, "too slow", 0)
      }),
    ),
  )

  it.live(
    "that waits while this thread computes, as behind its own transactions at a pooler, has the rest of its time",
    () =>
      Effect.scoped(
        Effect.gen(function* () {
          const url = yield* migratedPostgresUrl
          const { sql, scoped } = yield* open(url, false, { short: 5_000, heavy: 5_000 })
          const asked = yield* Effect.forkChild(scoped("org", sql`select 1 as one from pg_sleep(6.5) /* waits */`))
          yield* untilRunning(url, "waits", 1)
          blockThread(6_000)
          assert.deepStrictEqual(yield* Fiber.join(asked), [{ one: 1 }])
        }),
      ),
  )

  it.live("that runs into the session's own limit is not said to have met an unreachable database", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { sql, transaction } = yield* open(yield* migratedPostgresUrl, false)
        const late = Effect.andThen(sql`set local statement_timeout = 20`, sql`select pg_sleep(500)`)
        assert.strictEqual((yield* Effect.flip(transaction("org", late))).reason, "too_slow")
      }),
    ),
  )

  it.effect("that a silent server never answers is unreachable, not too slow", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const silent = (() => Effect.never) as unknown as SqlClient
        const serve = yield* makeServe(silent)
        const asked = yield* Effect.forkChild(
          Effect.flip(serve("statement", "org", (endInTime) => endInTime(Effect.never))),
        )
        yield* Effect.yieldNow
        yield* TestClock.adjust("5 seconds")
        yield* TestClock.adjust("2 seconds")
        const error = yield* Fiber.join(asked)
        assert.isUndefined(error.reason)
        assert.match(error.message, /unreachable/)
      }),
    ),
  )
})

describe("a heavy statement behind a pooler", needs("pgbouncer", hasPgBouncer), () => {
  it.live("ends on the server when its caller hangs up", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const pooler = yield* Effect.acquireRelease(
          Effect.promise(async () => startPgBouncer(await resource("postgres"), 2)),
          ({ close }) => Effect.promise(close),
        )
        const url = yield* migratedPostgresUrl
        yield* endsOnHangUp(url, pooler.through(url), true, "hung up behind a pooler")
      }),
    ),
  )
})
