import * as NodeRedis from "@effect/platform-node/NodeRedis"
import { assert, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import { Redis } from "effect/persistence/Redis"
import { ADMIT, TAKE_EXPORT, USAGE } from "../../src/adapters/limits/scripts.ts"
import { Admission } from "../../src/core/access/Admission.ts"
import { hash } from "../../src/core/access/secret.ts"
import { Usage } from "../../src/core/keys/Usage.ts"
import { makeRandom } from "../support/random.ts"
import { hasRedis, redisUrl } from "../support/redis.ts"
import { setClock, START, Store, stores, tenant } from "./stores.ts"
import { needs } from "../support/needs.ts"

const MINUTE = 60_000
const WINDOW_END = START - (START % MINUTE) + MINUTE

/** Times that calendars get wrong, and others. All lie in the future, so that Redis does not expire their entries. */
const MOMENTS = [
  "2031-12-31T23:59:59.999Z",
  "2032-01-01T00:00:00.000Z",
  "2032-02-29T23:59:59.999Z",
  "2032-03-01T00:00:00.000Z",
  "2033-02-28T23:59:59.999Z",
  "2100-02-28T12:00:00.000Z",
  "2400-02-29T00:00:00.000Z",
].map((text) => Date.parse(text))
for (let index = 0; index < 300; index++) MOMENTS.push(START + index * 1_000_003 * 977)

const monthEnd = (ms: number) => {
  const date = new Date(ms)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1)
}

/** Makes the script take the time from its arguments instead of from Redis. */
const withFixedTime = (script: string, seconds: string, microseconds: string) => {
  const replaced = script.replace("redis.call('TIME')", `{ tonumber(${seconds}), tonumber(${microseconds}) }`)
  assert.notStrictEqual(replaced, script)
  return replaced
}

describe("limits under a moving clock", () => {
  layer(stores.PostgreSQL, { excludeTestServices: true })((it) => {
    it.effect("reopen no window when the clock goes back 90 seconds, and open the next one on time", () =>
      Effect.gen(function* () {
        const { superuser } = yield* Store
        const admission = yield* Admission
        const { id, tokens } = yield* tenant("essentials", [{}, {}, {}])
        const [first = "", second = "", third = ""] = tokens
        const outcome = (token: string) => admission.admit(token)
        for (let index = 0; index < 5; index++) yield* outcome(first)
        yield* setClock(superuser, START - 90_000)
        for (let index = 0; index < 5; index++) {
          const decision = yield* outcome(second)
          if (decision.outcome !== "admitted") return assert.fail(decision.outcome)
          assert.strictEqual(decision.window.resetAt, WINDOW_END)
          assert.strictEqual(decision.window.remaining, 4 - index)
        }
        const refused = yield* outcome(third)
        if (refused.outcome !== "limited") return assert.fail(refused.outcome)
        assert.strictEqual(refused.scope, "organization")
        assert.strictEqual(refused.window.resetAt, WINDOW_END)
        assert.strictEqual(refused.retryAfterMs, WINDOW_END - (START - 90_000))
        const { organization } = yield* (yield* Usage).read(id)
        assert.strictEqual(organization.minute_used, 10)
        assert.strictEqual(Date.parse(organization.window_reset_at), WINDOW_END)

        yield* setClock(superuser, WINDOW_END)
        const fresh = yield* tenant("essentials", [{}])
        const opened = yield* outcome(fresh.tokens[0] ?? "")
        assert.strictEqual(opened.outcome === "admitted" && opened.window.resetAt, WINDOW_END + MINUTE)
        const { organization: next, keys } = yield* (yield* Usage).read(id)
        assert.deepStrictEqual([next.minute_used, next.month_used], [0, 10])
        assert.deepStrictEqual(
          keys.map((key) => [key.minute_used, key.month_used]),
          [
            [0, 5],
            [0, 5],
            [0, 0],
          ],
        )
        yield* setClock(superuser, START)
      }),
    )

    it.effect("start anew once a clock that was ahead is right again, and say so in the log", () =>
      Effect.gen(function* () {
        const { superuser } = yield* Store
        const admission = yield* Admission
        const usage = yield* Usage
        const lines: Array<string> = []
        const log = Logger.make(({ message }) => void lines.push(String(message)))
        // By minutes within the month, and by months: far more than the two minutes that requests may be apart.
        for (const aheadMs of [3 * MINUTE, 600 * MINUTE, 62 * 24 * 60 * MINUTE, 20 * 365 * 24 * 60 * MINUTE]) {
          const { id, tokens } = yield* tenant("essentials", [{}, {}])
          const [first = "", second = ""] = tokens
          const admit = (token: string) => Effect.provide(admission.admit(token), Logger.layer([log]))
          yield* setClock(superuser, START + aheadMs)
          for (let index = 0; index < 5; index++) yield* admit(first)
          yield* admission.takeExport(id)
          yield* setClock(superuser, START)
          lines.length = 0
          const decision = yield* admit(second)
          if (decision.outcome !== "admitted") return assert.fail(`${aheadMs}: ${decision.outcome}`)
          assert.deepStrictEqual([decision.window.resetAt, decision.window.remaining], [WINDOW_END, 4])
          assert.strictEqual(lines.length, 1, `${aheadMs}`)
          assert.include(lines[0], "clock was ahead")
          for (let index = 0; index < 5; index++) assert.strictEqual((yield* admit(first)).outcome, "admitted")
          assert.strictEqual(lines.length, 1)
          const { organization } = yield* usage.read(id)
          const sameMonth = aheadMs < 600 * MINUTE + 1
          assert.deepInclude(organization, {
            minute_used: 6,
            month_used: sameMonth ? 11 : 6,
            exports_used: sameMonth ? 1 : 0,
          })
          const slot = yield* admission.takeExport(id)
          assert.strictEqual(slot.outcome, "taken")
        }
      }),
    )

    it.effect("reset at the end of every month in UTC", () =>
      Effect.gen(function* () {
        const { superuser } = yield* Store
        const rows = yield* superuser<{ ends: number }>`
          select sightline.month_end_ms(sightline.month_of(ms::bigint))::float8 as ends
          from unnest(${MOMENTS}::float8[]) with ordinality t(ms, n) order by n`
        assert.deepStrictEqual(
          rows.map((row) => row.ends),
          MOMENTS.map(monthEnd),
        )
      }),
    )
  })
})

const redis = Layer.unwrap(Effect.map(redisUrl, (url) => NodeRedis.layer({ url })))

describe("Redis and PostgreSQL", needs("redis-server", hasRedis), () => {
  layer(Layer.mergeAll(stores.PostgreSQL, redis), { excludeTestServices: true })((it) => {
    it.effect("agree on the end of every month", () =>
      Effect.gen(function* () {
        const { send } = yield* Redis
        const script = withFixedTime(USAGE, "ARGV[1]", "ARGV[2]")
        for (const ms of MOMENTS) {
          const [minuteEnd, end] = yield* send<ReadonlyArray<number>>(
            ...eval_(script, "limits:none", Math.floor(ms / 1000), (ms % 1000) * 1000),
          )
          assert.deepStrictEqual([minuteEnd, end], [ms - (ms % MINUTE) + MINUTE, monthEnd(ms)])
        }
      }),
    )

    it.effect("reach the same decisions for random requests and clock changes", () =>
      Effect.gen(function* () {
        const { superuser } = yield* Store
        const { send } = yield* Redis
        const { id, keys } = yield* tenant("small", [{}, { requestsPerMinute: 2 }, { requestsPerMinute: 100 }])
        const hashes = yield* Effect.forEach(keys, (key) => hash(key.key))
        const script = withFixedTime(ADMIT, "ARGV[5]", "ARGV[6]")
        const takeExportScript = withFixedTime(TAKE_EXPORT, "ARGV[2]", "ARGV[3]")
        const random = makeRandom(20260101)
        const seen = new Set<string>()
        let now = START
        for (let step = 0; step < 700; step++) {
          const pick = random.next()
          now +=
            step % 300 === 299
              ? -40 * 24 * 60 * MINUTE
              : pick < 0.85
                ? random.below(4_000)
                : pick < 0.95
                  ? MINUTE
                  : pick < 0.98
                    ? -90_000
                    : monthEnd(now) - now - 1
          const which = random.below(3)
          const clock = [Math.floor(now / 1000), (now % 1000) * 1000] as const
          yield* setClock(superuser, now)
          if (random.chance(0.15)) {
            const [slot] = yield* superuser<Slot>`select * from sightline.take_export(${id})`
            const reply = yield* send<ReadonlyArray<number | undefined>>(
              ...eval_(takeExportScript, `test:limits:{${id}}`, 3, ...clock),
            )
            assert.deepStrictEqual(reply, [Number(slot?.taken), slot?.resetAt, slot?.retryAfterMs], `step ${step}`)
            seen.add(slot?.taken === true ? "taken" : "export")
            continue
          }
          const [row] = yield* superuser<Row>`select * from sightline.admit(${hashes[which] ?? new Uint8Array()})`
          const key = keys[which]
          if (row === undefined || key === undefined) return assert.fail("no row")
          const reply = yield* send<ReadonlyArray<string | number>>(
            ...eval_(script, `test:limits:{${id}}`, key.id, key.requests_per_minute ?? 4, 8, 60, ...clock),
          )
          assert.deepStrictEqual(
            reply,
            [
              row.scope === "restarted" ? "" : (row.scope ?? ""),
              row.limit,
              row.remaining,
              row.reset_at,
              row.retry_after_ms ?? 0,
            ],
            `step ${step}`,
          )
          seen.add(String(reply[0]))
        }
        assert.deepStrictEqual([...seen].sort(), ["", "export", "key", "monthly", "organization", "taken"])
        assert.isAbove(yield* send<number>("PTTL", `test:limits:{${id}}`), 0)
      }),
    )
  })
})

interface Slot {
  readonly taken: boolean
  readonly resetAt: number
  readonly retryAfterMs: number
}

interface Row {
  readonly scope: string | null
  readonly limit: number
  readonly remaining: number
  readonly reset_at: number
  readonly retry_after_ms: number | null
}

const eval_ = (script: string, key: string, ...values: ReadonlyArray<string | number>) =>
  ["EVAL", script, "1", key, ...values.map(String)] as const
