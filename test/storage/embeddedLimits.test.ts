import { assert, describe, layer } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import { asBackground, asHeavy } from "../../src/core/storage/CurrentClass.ts"
import { CurrentEngine, Database } from "../../src/core/storage/Database.ts"
import { unlimitedIfEmbedded } from "../../src/core/storage/EmbeddedEngine.ts"
import { layerEmbedded } from "../support/embedded.ts"

const LIMIT_MS = 200
/** Added to the CPU time of each statement. */
let extraMs = 0

const limited = Layer.effectContext(
  Effect.gen(function* () {
    const context = yield* Layer.build(layerEmbedded)
    const { setLimit, cpuMs } = Context.get(context, CurrentEngine)!
    let calls = 0
    const engine = { setLimit, limits: { short: LIMIT_MS, heavy: LIMIT_MS }, cpuMs: () => cpuMs() + extraMs * calls++ }
    const limitedContext = Context.add(context, CurrentEngine, engine)
    return yield* Effect.provideContext(Layer.build(Database.layer), limitedContext)
  }),
)

/** Takes some 15 s, and writes files all the time. */
const ENDLESS = "select count(*)::int as n from generate_series(1, 30000000)"

describe("a statement of the embedded database", () => {
  layer(limited)((it) => {
    const asOwner = Effect.fnUntraced(function* (text: string) {
      const { sql, transaction } = yield* Database
      yield* asBackground(transaction("org", Effect.andThen(sql`set local role none`, sql`${sql.literal(text)}`)))
    })

    it.effect("ends when it takes longer than its class may, and the next one runs", () =>
      Effect.gen(function* () {
        const { sql, scoped, transaction } = yield* Database
        const report = yield* Effect.flip(asHeavy(scoped("org", sql.literal(ENDLESS))))
        assert.strictEqual(report.reason, "too_slow")
        assert.match(report.message, /within 0.2 s: narrow it by a filter, ask for fewer dimensions, or export/)
        assert.match(
          (yield* Effect.flip(scoped("org", sql.literal(ENDLESS)))).message,
          /within 0.2 s: narrow it by a filter/,
        )
        const written = Effect.andThen(sql`insert into chores (name) values ('undone')`, sql`${sql.literal(ENDLESS)}`)
        assert.match((yield* Effect.flip(transaction("org", written))).message, /within 0.2 s: nothing was changed/)
        assert.deepStrictEqual(yield* scoped("org", sql`select name from chores where name = 'undone'`), [])
      }),
    )

    it.effect("of background work, or that no caller can narrow, has no limit", () =>
      Effect.gen(function* () {
        const { sql, scoped } = yield* Database
        const long = sql`select count(*)::int as n from generate_series(1, 2000000)`
        assert.strictEqual((yield* Effect.flip(scoped("org", long))).reason, "too_slow")
        assert.deepStrictEqual(yield* asBackground(scoped("org", long)), [{ n: 2_000_000 }])
        assert.deepStrictEqual(yield* unlimitedIfEmbedded(asHeavy(scoped("org", long))), [{ n: 2_000_000 }])
      }),
    )

    it.effect("is refused with figures by its plan, unless its tables are small or a filter makes it cheap", () =>
      Effect.gen(function* () {
        const { sql, scoped } = yield* Database
        yield* asOwner("create table many as select i from generate_series(1, 9000) i")
        yield* asOwner("grant select on many to public")
        // The planner does not see that nothing matches.
        const join = (filter: string) =>
          asHeavy(
            scoped(
              "org",
              sql.literal(`select count(*)::int as n from many a, many b, many c where (a.i # 1) < 0 ${filter}`),
            ),
          )
        yield* TestClock.adjust("1 minute")
        assert.deepStrictEqual(yield* join(""), [{ n: 0 }], "a table without statistics")
        yield* asOwner("analyze many")
        yield* TestClock.adjust("1 minute")
        const { reason, message, details } = yield* Effect.flip(join(""))
        const { estimated_seconds: seconds, ...others } = details!
        assert.strictEqual(reason, "too_slow")
        assert.deepStrictEqual(others, { reason: "too_slow", limit_seconds: 2 })
        assert.isAbove(Number(seconds), 1000)
        assert.include(
          message,
          `would work for about ${String(seconds)} s on this, and at most 2 s are allowed: narrow it by`,
        )
        assert.deepStrictEqual(yield* unlimitedIfEmbedded(join("")), [{ n: 0 }])
        assert.deepStrictEqual(yield* join("and b.i = 1 and c.i = 1"), [{ n: 0 }])
      }),
    )

    it.effect("is refused by what it took before, for ten minutes", () =>
      Effect.gen(function* () {
        const { sql, scoped } = yield* Database
        const upTo = (most: number) =>
          asHeavy(
            scoped("org", sql`select count(*)::int as n from many a, many b where (a.i # 1) < 0 and b.i <= ${most}`),
          )
        extraMs = 10_000
        assert.deepStrictEqual(yield* upTo(9000), [{ n: 0 }])
        assert.match((yield* Effect.flip(upTo(8999))).message, /about 10 s/)
        assert.deepStrictEqual(yield* upTo(10), [{ n: 0 }])
        yield* TestClock.adjust("10 minutes")
        extraMs = 0
        assert.deepStrictEqual(yield* upTo(9000), [{ n: 0 }])
        assert.deepStrictEqual(yield* upTo(9000), [{ n: 0 }])
      }),
    )
  })
})
