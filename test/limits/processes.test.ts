import type { ChildProcess } from "node:child_process"
import { assert, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { Usage } from "../../src/core/keys/Usage.ts"
import { untilEffect } from "../support/until.ts"
import { hasRedis } from "../support/redis.ts"
import { ask, kill, Store, stores, tenant, worker } from "./stores.ts"
import { needs } from "../support/needs.ts"

const HOUR = 3_600_000
/** Waits until a process that asks until it is killed was admitted many times. */
const untilBusy = (child: ChildProcess) =>
  new Promise<void>((resolve) =>
    child.on("message", ({ admitted }: { readonly admitted: number }) => {
      if (admitted > 100) resolve()
    }),
  )
const total = (numbers: ReadonlyArray<number>) => numbers.reduce((sum, number) => sum + number, 0)

for (const [name, services] of Object.entries(stores)) {
  describe(`several processes on ${name}`, needs("redis-server", name !== "Redis" || hasRedis), () => {
    layer(services, { excludeTestServices: true })((it) => {
      it.effect("admit exactly what the limits allow, for any number of processes and clocks", () =>
        Effect.gen(function* () {
          const store = yield* Store
          const usage = yield* Usage
          const workers = yield* Effect.all(
            [0, HOUR, -HOUR, 0].map((shift) => worker(store, shift)),
            { concurrency: "unbounded" },
          )
          const admitsExactly = Effect.fnUntraced(function* (count: number) {
            // Expects 60 (the organization's limit; its keys allow 80), 20 (the key's limit) and 4 (all that are sent).
            const organization = yield* tenant("growth", [{}, {}, {}, {}])
            const key = yield* tenant("growth", [{}])
            const few = yield* tenant("growth", [{}])
            const replies = yield* Effect.all(
              workers.slice(0, count).map((child, index) =>
                Effect.gen(function* () {
                  const once = index === 0 ? yield* ask(child, { tokens: few.tokens, attempts: 4 }) : []
                  const rest = yield* ask(child, { tokens: [...organization.tokens, ...key.tokens], attempts: 40 })
                  return [...once, ...rest]
                }),
              ),
              { concurrency: "unbounded" },
            )
            const decisions = replies.flat().map(({ token, decision }) => {
              if (decision.outcome !== "admitted" && decision.outcome !== "limited")
                return assert.fail(`a live key was ${decision.outcome}`)
              return { token, ...decision }
            })
            const admitted = (tokens: ReadonlyArray<string>) =>
              decisions.filter(({ token, outcome }) => outcome === "admitted" && tokens.includes(token))

            assert.strictEqual(admitted(organization.tokens).length, 60)
            for (const token of organization.tokens) assert.isAtMost(admitted([token]).length, 20)
            assert.strictEqual(admitted(few.tokens).length, 4)
            assert.deepStrictEqual(
              admitted(key.tokens)
                .map(({ window }) => window.remaining)
                .sort((a, b) => b - a),
              Array.from({ length: 20 }, (_, index) => 19 - index),
              "each admission reports one less remaining",
            )
            assert.strictEqual(new Set(decisions.map(({ window }) => window.resetAt)).size, 1)
            for (const decision of decisions) {
              if (decision.outcome !== "limited") continue
              assert.strictEqual(decision.window.remaining, 0)
              assert.isBelow(decision.retryAfterMs, 60_001)
              if (key.tokens.includes(decision.token)) assert.strictEqual(decision.scope, "key")
            }
            const spent = yield* usage.read(organization.id)
            assert.strictEqual(spent.organization.minute_used, 60)
            assert.strictEqual(total(spent.keys.map((each) => each.minute_used)), 60)
          })
          for (const count of [1, 2, 4]) yield* store.inOneWindow(admitsExactly(count))
        }),
      )

      it.effect("when killed, leave the organization's counter equal to the sum of its keys'", () =>
        Effect.gen(function* () {
          const store = yield* Store
          const usage = yield* Usage
          const { id, tokens } = yield* tenant("unbounded", [{}, {}, {}, {}])
          const workers = yield* Effect.all([worker(store), worker(store), worker(store)], {
            concurrency: "unbounded",
          })
          for (const child of workers) child.send({ tokens, attempts: 0 })
          for (const child of workers) {
            yield* Effect.promise(() => untilBusy(child))
            yield* Effect.promise(() => kill(child))
          }
          // The store still decides requests that were in flight when their process died.
          const { organization } = yield* untilEffect(
            "the counters agree",
            Effect.map(usage.read(id), (spent) =>
              total(spent.keys.map((key) => key.minute_used)) === spent.organization.minute_used &&
              total(spent.keys.map((key) => key.month_used)) === spent.organization.month_used
                ? spent
                : undefined,
            ),
          )
          assert.isAbove(organization.month_used, 100)
        }),
      )
    })
  })
}
