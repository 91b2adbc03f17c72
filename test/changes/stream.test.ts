import { assert, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Queue from "effect/Queue"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import { Changes, type ChangesStreamQuery } from "../../src/core/changes/Changes.ts"
import { makeIdUnsafe } from "../../src/core/common/ids.ts"
import { BlobStore } from "../../src/core/ports/BlobStore.ts"
import { announceCommit, Commits, CommitSignal } from "../../src/core/storage/Commits.ts"
import { Database } from "../../src/core/storage/Database.ts"
import { recordDeleted, recordWritten } from "../../src/core/storage/recordChanges.ts"
import { Organizations } from "../../src/core/catalogue/Organizations.ts"
import { engines } from "../support/engines.ts"
import { UNLIMITED } from "../support/unlimited.ts"

for (const engine of engines) {
  const services = Layer.merge(Changes.layer, Organizations.layer).pipe(
    Layer.provide(BlobStore.layerMemory),
    Layer.provideMerge(Database.layer),
    Layer.provide(engine.database),
  )
  describe(`Changes.stream on ${engine.name}`, () => {
    layer(services, { excludeTestServices: true })((it) => {
      const setUp = Effect.gen(function* () {
        const { transaction, sql } = yield* Database
        const changes = yield* Changes
        const { id: org } = yield* (yield* Organizations).create({ name: "Acme", plan: UNLIMITED })
        const add = (id: string) =>
          transaction(
            org,
            Effect.andThen(
              sql`insert into deals (org_id, id, name, created_at, updated_at) values (${org}, ${id}, ${id}, now(), now())`,
              recordWritten("deal", [id]),
            ),
          )
        const remove = (id: string) =>
          transaction(
            org,
            Effect.andThen(sql`delete from deals where org_id = ${org} and id = ${id}`, recordDeleted("deal", [id])),
          )
        /** Takes what a stream emits, one by one. */
        const follow = Effect.fnUntraced(function* (query?: ChangesStreamQuery) {
          const queue = yield* Queue.unbounded<string>()
          const cursors: Array<string> = []
          const emitted = Stream.runForEach(changes.stream(org, query), ({ id, action, cursor }) => {
            cursors.push(cursor)
            return Queue.offer(queue, `${action} ${id}`)
          })
          const fiber = yield* Effect.forkScoped(emitted)
          return { next: Queue.take(queue), cursors, fiber }
        })
        return { org, add, remove, follow }
      })

      it.effect("emits what exists, then each change as soon as this process commits it", () =>
        Effect.gen(function* () {
          const { add, remove, follow } = yield* setUp
          yield* add("a")
          // Its clock stands still, so it never looks by itself.
          const { next } = yield* Effect.provide(follow(), yield* Layer.build(TestClock.layer()))
          assert.strictEqual(yield* next, "created a")
          yield* add("b")
          assert.strictEqual(yield* next, "created b")
          yield* remove("a")
          assert.strictEqual(yield* next, "deleted a")
        }),
      )

      it.effect("goes on from the cursor of the last change that was handled, and from now", () =>
        Effect.gen(function* () {
          const { add, follow } = yield* setUp
          for (let n = 0; n < 3; n++) yield* add(`d${n}`)
          const first = yield* follow()
          for (let n = 0; n < 3; n++) assert.strictEqual(yield* first.next, `created d${n}`)
          yield* Fiber.interrupt(first.fiber)
          yield* add("d3")
          const resumed = yield* follow({ since: first.cursors[1] })
          assert.deepStrictEqual([yield* resumed.next, yield* resumed.next], ["created d2", "created d3"])
          const later = yield* follow({ since: "now" })
          // The stream has begun once it emits a change: until then, more are added.
          const adding = Effect.forever(Effect.suspend(() => add(makeIdUnsafe("later"))))
          assert.match(yield* Effect.raceFirst(later.next, adding), /^created later_/)
        }),
      )

      it.effect("finds commits of other processes, whose announcements do not reach it", () =>
        Effect.gen(function* () {
          const { add, follow } = yield* setUp
          yield* add("a")
          const { next } = yield* follow()
          assert.strictEqual(yield* next, "created a")
          yield* Effect.provideService(add("b"), Commits, new CommitSignal())
          assert.strictEqual(yield* next, "created b")
        }),
      )

      it.effect("fails for cursors of other types, and ends with NotFound once the organization is erased", () =>
        Effect.gen(function* () {
          const { org, add, follow } = yield* setUp
          yield* add("a")
          const { next, cursors, fiber } = yield* follow({ types: ["deal"] })
          assert.strictEqual(yield* next, "created a")
          const other = yield* follow({ since: cursors[0], types: ["document"] })
          const refusal = yield* Effect.flip(Fiber.join(other.fiber))
          assert.strictEqual(refusal._tag, "BadRequest")
          yield* (yield* Organizations).erase(org)
          yield* announceCommit(org)
          assert.strictEqual((yield* Effect.flip(Fiber.join(fiber)))._tag, "NotFound")
        }),
      )

      it.effect("stops listening when it is interrupted", () =>
        Effect.gen(function* () {
          const listening = new Set<unknown>()
          const signal = new (class extends CommitSignal {
            override subscribe(listener: (org: string) => void) {
              listening.add(listener)
              const end = super.subscribe(listener)
              return () => {
                listening.delete(listener)
                end()
              }
            }
          })()
          const { add, follow } = yield* setUp
          yield* add("a")
          const { next, fiber } = yield* Effect.provideService(follow(), Commits, signal)
          yield* next
          assert.strictEqual(listening.size, 1)
          yield* Fiber.interrupt(fiber)
          assert.strictEqual(listening.size, 0)
        }),
      )
    })
  })
}
