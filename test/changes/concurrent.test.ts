import { assert, describe, layer } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { layerEmbedded } from "../support/embedded.ts"
import { layerPostgres } from "../../src/adapters/database/postgres.ts"
import { Changes } from "../../src/core/changes/Changes.ts"
import { Database } from "../../src/core/storage/Database.ts"
import { recordDeleted, recordWritten } from "../../src/core/storage/recordChanges.ts"
import { Organizations } from "../../src/core/catalogue/Organizations.ts"
import { freshCitusUrl } from "../support/citus.ts"
import { migratedPostgresUrl, whereIs } from "../support/engines.ts"
import { makeRandom, seedOfRun } from "../support/random.ts"
import { lateEffect } from "../support/until.ts"
import { layerOrganizations } from "../support/organizations.ts"
import { UNLIMITED } from "../support/unlimited.ts"

const WRITERS = 8
const TYPES = ["deal"]

const postgres = Layer.unwrap(
  Effect.map(Effect.orDie(migratedPostgresUrl), (url) => layerPostgres({ url: Redacted.make(url), connections: 12 })),
)

const onCitus = Layer.unwrap(
  Effect.map(Effect.orDie(freshCitusUrl), (url) => layerPostgres({ url: Redacted.make(url), connections: 12 })),
)

for (const engine of [
  { name: "PGlite", database: layerEmbedded, transactions: 8 },
  { name: "PostgreSQL", database: postgres, transactions: 60 },
  { name: "Citus", database: onCitus, transactions: 60 },
] as const) {
  const services = Layer.merge(Changes.layer, layerOrganizations).pipe(
    Layer.provideMerge(Database.layer),
    Layer.provide(engine.database),
  )

  const newOrganization = Effect.gen(function* () {
    const { transaction, sql } = yield* Database
    const { id: org } = yield* (yield* Organizations).create({ name: "Acme", plan: UNLIMITED })
    const insert = (id: string) =>
      Effect.andThen(
        sql`insert into deals (org_id, id, name, created_at, updated_at) values (${org}, ${id}, ${id}, now(), now())`,
        recordWritten("deal", [id]),
      )
    const touch = (id: string) =>
      Effect.flatMap(
        sql<{
          id: string
        }>`update deals set amount = coalesce(amount, 0) + 1 where org_id = ${org} and id = ${id} returning id`,
        (found) =>
          recordWritten(
            "deal",
            found.map((row) => row.id),
          ),
      )
    const remove = (id: string) =>
      Effect.flatMap(
        sql<{ id: string }>`delete from deals where org_id = ${org} and id = ${id} returning id`,
        (found) =>
          recordDeleted(
            "deal",
            found.map((row) => row.id),
          ),
      )
    return { org, insert, touch, remove, transaction, sql }
  })

  describe(`the feed on ${engine.name}`, whereIs(engine), () => {
    layer(services, { excludeTestServices: true })((it) => {
      it.effect(`lists every change of ${WRITERS} concurrent writers exactly once`, () =>
        Effect.gen(function* () {
          const changes = yield* Changes
          const { org, insert, touch, remove, transaction, sql } = yield* newOrganization
          const random = makeRandom(seedOfRun("concurrent changes"))
          const pause = Effect.suspend(() => lateEffect(random.below(12)))

          /** Each writer has its own deals, and all change one shared deal. Transactions start early and commit late, in any order. */
          const writer = (name: string) =>
            Effect.forEach(
              Array.from({ length: engine.transactions }, (_, n) => n),
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
          const cursors: Array<string> = []
          let since: string | undefined
          const readPage = Effect.gen(function* () {
            const page = yield* changes.page(org, { since, types: TYPES, size: 1 + random.below(9) })
            for (const { id, action, cursor } of page.changes) {
              cursors.push(`${cursor}`)
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
          const reader = yield* Effect.forkChild(Effect.forever(Effect.andThen(read, lateEffect(1))))
          yield* Effect.forEach(
            Array.from({ length: WRITERS }, (_, n) => `w${n}`),
            writer,
            { concurrency: "unbounded" },
          )
          yield* Fiber.interrupt(reader)
          // The interrupt may have discarded a page; this reads it again from the last cursor.
          yield* read
          const stored = yield* transaction(org, sql<{ id: string }>`select id from deals where org_id = ${org}`)
          assert.isAbove(stored.length, WRITERS * engine.transactions * 0.5)
          assert.sameMembers(
            [...mirror.keys()],
            stored.map(({ id }) => id),
          )
          assert.strictEqual(new Set(cursors).size, cursors.length)
          assert.isAbove(cursors.length, stored.length)
        }),
      )

      it.effect("lists what a nested transaction wrote, and nothing of one that was rolled back", () =>
        Effect.gen(function* () {
          const changes = yield* Changes
          const { org, insert, transaction } = yield* newOrganization
          const nested = Effect.ignore(transaction(org, Effect.andThen(insert("inner"), Effect.fail("rolled back"))))
          const kept = transaction(org, insert("kept"))
          yield* transaction(org, Effect.andThen(insert("outer"), Effect.andThen(nested, kept)))
          yield* Effect.ignore(transaction(org, Effect.andThen(insert("lost"), Effect.fail("rolled back"))))
          const page = yield* changes.page(org, { since: undefined, types: TYPES, size: 9 })
          assert.deepStrictEqual(
            page.changes.map(({ id }) => id),
            ["kept", "outer"],
          )
        }),
      )

      // PGlite has one connection, which runs one transaction at a time.
      if (engine.name === "PostgreSQL") {
        it.effect("is not delayed by an open transaction of another organization", () =>
          Effect.gen(function* () {
            const changes = yield* Changes
            const { unscoped } = yield* Database
            const [other, own] = [yield* newOrganization, yield* newOrganization]
            const [written, end] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
            const open = yield* Effect.forkChild(
              other.transaction(
                other.org,
                Effect.andThen(
                  other.insert("slow"),
                  Effect.andThen(Deferred.succeed(written, undefined), Deferred.await(end)),
                ),
              ),
            )
            yield* Deferred.await(written)
            yield* own.transaction(own.org, own.insert("quick"))
            const { sql } = own
            yield* own.transaction(
              own.org,
              sql`insert into webhooks (org_id, id, url, event_types, secret, cursor, seen)
                values (${own.org}, 'hook', 'https://a.example', '{}', '', '', 0)`,
            )
            const page = yield* changes.page(own.org, { since: undefined, types: TYPES, size: 9 })
            const behind = yield* unscoped<{ id: string }>(sql`select id from webhooks_behind(10)`)
            yield* Deferred.succeed(end, undefined)
            yield* Fiber.join(open)
            assert.deepStrictEqual(
              page.changes.map(({ id }) => id),
              ["quick"],
            )
            assert.deepStrictEqual(behind, [{ id: "hook" }])
          }),
        )
      }
    })
  })
}
