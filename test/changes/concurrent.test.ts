import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { layerPostgres } from "../../src/adapters/database/postgres.ts"
import { Changes } from "../../src/core/changes/Changes.ts"
import { Database } from "../../src/core/storage/Database.ts"
import { Organizations } from "../../src/core/workspace/Organizations.ts"
import { freshPostgresUrl } from "../support/engines.ts"
import { makeRandom, seedOfRun } from "../support/random.ts"

const WRITERS = 8
const TRANSACTIONS = 60
const TYPES = ["deal"]

const database = Layer.unwrap(
  Effect.map(Effect.orDie(freshPostgresUrl), (url) => layerPostgres({ url: Redacted.make(url), connections: 12 })),
)
const services = Layer.merge(Changes.layer, Organizations.layer).pipe(
  Layer.provideMerge(Database.layer),
  Layer.provide(database),
)

layer(services, { excludeTestServices: true })("the feed on PostgreSQL", (it) => {
  it.effect(`passes nothing over while ${WRITERS} write at once, and tells each change once`, () =>
    Effect.gen(function* () {
      const changes = yield* Changes
      const { transaction, sql } = yield* Database
      const { id: org } = yield* (yield* Organizations).create({ name: "Acme", plan: "enterprise" })
      const random = makeRandom(seedOfRun("concurrent changes"))

      const insert = (id: string) =>
        sql`insert into deals (org_id, id, name, created_at, updated_at) values (${org}, ${id}, ${id}, now(), now())`
      const touch = (id: string) =>
        sql`update deals set amount = coalesce(amount, 0) + 1 where org_id = ${org} and id = ${id}`
      const remove = (id: string) => sql`delete from deals where org_id = ${org} and id = ${id}`
      const pause = Effect.suspend(() => Effect.sleep(`${random.below(12)} millis`))

      /** Each has deals of its own, and one that all of them change. Numbers are taken early, commits come late and in any order. */
      const writer = (name: string) =>
        Effect.forEach(
          Array.from({ length: TRANSACTIONS }, (_, n) => n),
          (n) =>
            transaction(
              org,
              Effect.gen(function* () {
                yield* insert(`${name}_${n}`)
                yield* pause
                if (n > 2 && random.chance(0.3)) yield* touch(`${name}_${random.below(n)}`)
                if (n > 2 && random.chance(0.2)) yield* remove(`${name}_${random.below(n)}`)
                yield* pause
                if (random.chance(0.3)) yield* touch("shared")
                if (random.chance(0.2)) return yield* Effect.fail("rolled back")
              }),
            ).pipe(Effect.catch((error) => (error === "rolled back" ? Effect.void : Effect.die(error)))),
          { discard: true },
        )

      const mirror = new Map<string, number>()
      const told: Array<string> = []
      let since: string | undefined
      const readPage = Effect.gen(function* () {
        const page = yield* changes.page(org, { since, types: TYPES, size: 1 + random.below(9) })
        for (const { id, action, cursor } of page.changes) {
          told.push(`${cursor}`)
          assert.strictEqual(action === "created", !mirror.has(id) && action !== "deleted", `${action} ${id}`)
          if (action === "deleted") mirror.delete(id)
          else mirror.set(id, (mirror.get(id) ?? 0) + 1)
        }
        since = page.next
        return page.hasMore
      })
      const read: Effect.Effect<void, unknown> = Effect.gen(function* () {
        while (yield* readPage);
      })

      yield* transaction(org, insert("shared"))
      const reader = yield* Effect.forkChild(Effect.forever(Effect.andThen(read, Effect.sleep("1 millis"))))
      yield* Effect.forEach(
        Array.from({ length: WRITERS }, (_, n) => `w${n}`),
        writer,
        { concurrency: "unbounded" },
      )
      yield* Fiber.interrupt(reader)
      // What was interrupted may have been read and not kept: from the last cursor on it is read again.
      yield* read
      const stored = yield* transaction(org, sql<{ id: string }>`select id from deals where org_id = ${org}`)
      assert.isAbove(stored.length, WRITERS * TRANSACTIONS * 0.5)
      assert.sameMembers(
        [...mirror.keys()],
        stored.map(({ id }) => id),
      )
      assert.strictEqual(new Set(told).size, told.length)
      assert.isAbove(told.length, stored.length)
    }),
  )
})
