import { assert, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { Audit } from "../../src/core/audit/Audit.ts"
import { blobKey, BlobStore, BlobStoreError } from "../../src/core/ports/BlobStore.ts"
import { Database } from "../../src/core/storage/Database.ts"
import { Organizations } from "../../src/core/catalogue/Organizations.ts"
import { engines } from "../support/engines.ts"

let isReachable = true
const blobs = Layer.effect(
  BlobStore,
  Effect.map(BlobStore, (store) => ({
    ...store,
    removeAll: (org: string) =>
      isReachable ? store.removeAll(org) : Effect.fail(new BlobStoreError({ reason: "out_of_reach", message: "no" })),
  })),
).pipe(Layer.provide(BlobStore.layerMemory))

for (const engine of engines) {
  const services = Layer.mergeAll(Organizations.layer, Audit.layer).pipe(
    Layer.provideMerge(blobs),
    Layer.provideMerge(Database.layer),
    Layer.provide(engine.database),
  )
  describe(`Organizations on ${engine.name}`, () => {
    layer(services, { excludeTestServices: true })((it) => {
      const actsIn = (org: string) =>
        Effect.map(
          Effect.flatMap(Audit, (audit) => audit.page(org, { size: 100 })),
          ({ data }) => data.map(({ action }) => action).toReversed(),
        )

      it.effect("creates one with an id of the host's, and refuses the id a second time", () =>
        Effect.gen(function* () {
          const organizations = yield* Organizations
          const acme = { id: "acme", name: "Acme", plan: "growth" }
          assert.deepStrictEqual(yield* organizations.create(acme), acme)
          const error = yield* Effect.flip(organizations.create({ ...acme, name: "Other" }))
          assert.strictEqual(error._tag, "Conflict")
          assert.match(error.message, /has the id 'acme' already/)
          assert.deepStrictEqual(yield* organizations.find("acme"), acme)
          assert.deepStrictEqual(yield* actsIn("acme"), ["organization.created"])
        }),
      )

      it.effect("refuses ids and names that a path or a store cannot hold, and shows them", () =>
        Effect.gen(function* () {
          const organizations = yield* Organizations
          for (const id of ["", ".", "..", "a\0b", "a\nb", "\ud800", "x".repeat(65)]) {
            for (const make of [organizations.create, organizations.ensure]) {
              const error = yield* Effect.flip(make({ id, name: "Acme", plan: "growth" }))
              assert.strictEqual(error._tag, "BadRequest", id)
              assert.include(error.message, `id must be 1 to 64 characters`)
              assert.include(error.message, `it is ${JSON.stringify(id)}`)
            }
          }
          const nameless = yield* Effect.flip(organizations.create({ name: "", plan: "growth" }))
          assert.match(nameless.message, /name must have at least/)
          const plan = yield* Effect.flip(organizations.ensure({ id: "p", name: "P", plan: "grwth" }))
          assert.match(plan.message, /did you mean growth/)
          assert.strictEqual(yield* organizations.find("p"), undefined)
        }),
      )

      it.effect("keeps files of ids with any other characters", () =>
        Effect.gen(function* () {
          const organizations = yield* Organizations
          const store = yield* BlobStore
          for (const id of ["Acme & Söhne/EU", "auth0|64d", "}x{", "%2e", "日本".repeat(32), " "]) {
            yield* organizations.create({ id, name: "Acme", plan: "growth" })
            const key = blobKey(id, "documents", "doc_1")
            yield* store.put(key, Stream.succeed(new Uint8Array(1)))
            assert.deepStrictEqual(
              (yield* Stream.runCollect(store.list(id))).map((blob) => blob.key),
              [key],
            )
            assert.deepStrictEqual(yield* organizations.erase(id), { id, files: "removed" })
            assert.lengthOf(yield* Stream.runCollect(store.list(id)), 0)
          }
        }),
      )

      it.effect("ensures that one exists with the name and plan, however many ask at once", () =>
        Effect.gen(function* () {
          const organizations = yield* Organizations
          const given = { id: "ensured", name: "Ensured", plan: "growth" }
          const all = yield* Effect.all(
            Array.from({ length: 8 }, () => organizations.ensure(given)),
            { concurrency: "unbounded" },
          )
          assert.deepStrictEqual(
            all,
            Array.from({ length: 8 }, () => given),
          )
          assert.deepStrictEqual(yield* actsIn("ensured"), ["organization.created"])
          const changed = { ...given, name: "Renamed", plan: "enterprise" }
          yield* organizations.ensure(changed)
          yield* organizations.ensure(changed)
          assert.deepStrictEqual(yield* organizations.find("ensured"), changed)
          assert.deepStrictEqual(yield* actsIn("ensured"), ["organization.created", "organization.updated"])
        }),
      )

      it.effect("lists every one in pages, in the order of ids", () =>
        Effect.gen(function* () {
          const organizations = yield* Organizations
          yield* Effect.forEach(Array(201).keys(), (n) =>
            organizations.create({ id: `list_${n}`, name: `N ${n}`, plan: "growth" }),
          )
          const first = yield* organizations.list()
          assert.lengthOf(first.data, 200)
          const second = yield* organizations.list({ cursor: first.next_cursor! })
          assert.isNull(second.next_cursor)
          const ids = [...first.data, ...second.data].map(({ id }) => id)
          assert.lengthOf(new Set(ids), ids.length)
          assert.lengthOf(
            ids.filter((id) => id.startsWith("list_")),
            201,
          )
          assert.match(first.data[0]!.created_at, /^\d{4}-.*Z$/)
        }),
      )

      it.effect("fails with NotFound to change or erase one that does not exist", () =>
        Effect.gen(function* () {
          const organizations = yield* Organizations
          const errors = [
            yield* Effect.flip(organizations.update("none", { name: "N" })),
            yield* Effect.flip(organizations.erase("none")),
          ]
          for (const error of errors) {
            assert.strictEqual(error._tag, "NotFound")
            assert.match(error.message, /no organization has the id 'none'/)
          }
        }),
      )

      it.effect("refuses the id of an erased organization until its files are gone", () =>
        Effect.gen(function* () {
          const organizations = yield* Organizations
          const given = { id: "again", name: "Again", plan: "growth" }
          yield* organizations.create(given)
          isReachable = false
          assert.deepStrictEqual(yield* organizations.erase("again"), { id: "again", files: "pending" })
          for (const make of [organizations.create, organizations.ensure]) {
            const error = yield* Effect.flip(make(given))
            assert.strictEqual(error._tag, "Conflict")
            assert.match(error.message, /'again' is being erased/)
          }
          assert.strictEqual(yield* organizations.find("again"), undefined)
          isReachable = true
          assert.deepStrictEqual(yield* organizations.erase("again"), { id: "again", files: "removed" })
          assert.deepStrictEqual(yield* organizations.ensure(given), given)
        }),
      )
    })
  })
}
