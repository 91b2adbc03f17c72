import { createHash } from "node:crypto"
import { assert, describe, it, vi } from "@effect/vitest"
import { Client } from "pg"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import { copyFrom } from "../../src/adapters/database/copy.ts"
import { layerPostgres } from "../../src/adapters/database/postgres.ts"
import { makeInstallation } from "../../src/core/storage/session.ts"
import { Database } from "../../src/core/storage/Database.ts"
import { freshPostgresUrl } from "../support/engines.ts"
import { lateEffect, untilEffect } from "../support/until.ts"

const ROWS = 20_000
/** Far more than sockets hold. */
const MUCH = `select n, repeat('x', 1000) from generate_series(1, ${ROWS}) n`

/** All of it, as PostgreSQL writes it. */
const sent = (() => {
  const rows = Array.from({ length: ROWS }, (_, n) => {
    const row = Buffer.alloc(2 + 4 + 4 + 4 + 1000, "x")
    row.writeInt16BE(2)
    row.writeInt32BE(4, 2)
    row.writeInt32BE(n + 1, 6)
    row.writeInt32BE(1000, 10)
    return row
  })
  const header = Buffer.from("PGCOPY\n\u00ff\r\n\0".padEnd(19, "\0"), "latin1")
  return Buffer.concat([header, ...rows, Buffer.from([0xff, 0xff])])
})()

const setUp = Effect.gen(function* () {
  const url = yield* freshPostgresUrl
  yield* Layer.build(Database.layer.pipe(Layer.provide(layerPostgres({ url: Redacted.make(url), connections: 1 }))))
  const superuser = new Client({ connectionString: url })
  yield* Effect.acquireRelease(
    Effect.promise(() => superuser.connect()),
    () => Effect.promise(() => superuser.end()),
  )
  const copying = Effect.promise(() =>
    superuser.query<{ pid: number }>(
      "select pid from pg_stat_activity where query like 'copy %' and datname = current_database()",
    ),
  )
  const end = Effect.promise(() =>
    superuser.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where query like 'copy %' and datname = current_database()",
    ),
  )
  return { copying, end, copy: copyFrom(Redacted.make(url), makeInstallation({})) }
})

/** A stream destroys its connection after this time if the database does not close it. */
const LAST_RESORT_MS = 5000

const ended = <E, R>(copying: Effect.Effect<{ readonly rowCount: number | null }, E, R>) =>
  untilEffect(
    "the statement has ended",
    Effect.map(copying, ({ rowCount }) => rowCount === 0),
  )

describe("rows by COPY", () => {
  it.live("come whole, over a buffer that is used time and again", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { copy, copying } = yield* setUp
        const hash = createHash("sha256")
        let pieces = 0
        yield* Stream.runForEach(copy("org", MUCH, []), (piece) =>
          Effect.gen(function* () {
            if (++pieces % 10 === 0) yield* lateEffect(1)
            hash.update(piece)
          }),
        )
        assert.isAbove(pieces, 10)
        assert.strictEqual(hash.digest("hex"), createHash("sha256").update(sent).digest("hex"))
        assert.strictEqual((yield* copying).rowCount, 0)
      }),
    ),
  )

  it.live("that nobody takes any more are read no further", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { copy, copying } = yield* setUp
        const first = yield* Stream.runHead(Stream.mapEffect(copy("org", MUCH, []), () => copying))
        assert.strictEqual(first._tag === "Some" ? first.value.rowCount : 0, 1)
        yield* ended(copying)
      }),
    ),
  )

  it.live("end with the connection: the database is unreachable", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { copy, end } = yield* setUp
        const error = yield* Effect.flip(Stream.runForEach(copy("org", MUCH, []), () => end))
        assert.strictEqual(error._tag, "DatabaseUnavailable")
      }),
    ),
  )

  it.live("that have all come are kept, though the database ends before they are taken", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { copy, copying, end } = yield* setUp
        const few = copy("org", "select n from generate_series(1, 9) n", [])
        // The database has closed the connection: the stream does not wait until it may destroy it.
        const lastResort = { isUsed: false }
        const real = globalThis.setTimeout
        vi.spyOn(globalThis, "setTimeout").mockImplementation(((act: () => void, ms: number) => {
          const destroy = () => {
            lastResort.isUsed = true
            act()
          }
          return ms === LAST_RESORT_MS ? real(destroy, 60 * LAST_RESORT_MS) : real(act, ms)
        }) as typeof real)
        const taken = Stream.runCount(Stream.tap(few, () => Effect.andThen(end, ended(copying))))
        assert.strictEqual(yield* taken, 1)
        assert.isFalse(lastResort.isUsed)
      }).pipe(Effect.ensuring(Effect.sync(() => vi.restoreAllMocks()))),
    ),
  )

  it.live("of a statement that is wrong are a fault of ours", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { copy } = yield* setUp
        const exit = yield* Effect.exit(Stream.runDrain(copy("org", "select nothing from nowhere", [])))
        assert.isTrue(Exit.isFailure(exit) && Cause.hasDies(exit.cause))
        assert.match(String(Exit.isFailure(exit) && Cause.squash(exit.cause)), /nowhere/)
      }),
    ),
  )
})
