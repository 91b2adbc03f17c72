import { assert, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { fileKey } from "../../src/core/exports/Exports.ts"
import { sweep } from "../../src/core/exports/sweep.ts"
import { BlobStore, BlobStoreError } from "../../src/core/ports/BlobStore.ts"
import { Database } from "../../src/core/storage/Database.ts"
import { Organizations } from "../../src/core/catalogue/Organizations.ts"
import { engines } from "../support/engines.ts"
import { layerOrganizations } from "../support/organizations.ts"
import { UNLIMITED } from "../support/unlimited.ts"

for (const engine of engines) {
  const services = Layer.merge(layerOrganizations, BlobStore.layerMemory).pipe(
    Layer.provideMerge(Database.layer),
    Layer.provide(engine.database),
  )
  describe(`expired exports on ${engine.name}`, () => {
    layer(services, { excludeTestServices: true })((it) => {
      it.effect("are deleted although the file of one cannot be, and the next sweep deletes that one", () =>
        Effect.gen(function* () {
          const { sql, transaction, scoped } = yield* Database
          const { id: org } = yield* (yield* Organizations).create({ name: "Acme", plan: UNLIMITED })
          yield* transaction(
            org,
            Effect.forEach(["a", "b", "c"], (id) =>
              Effect.andThen(
                sql`insert into jobs (org_id, id, kind, subject, epoch) values (${org}, ${id}, 'export', ${id}, 1)`,
                sql`insert into exports (org_id, id, job_id, columns, filters, csv_safe, created_at)
                  values (${org}, ${id}, ${id}, '[]', '{}', true, now() - interval '31 days')`,
              ),
            ),
          )
          const blobs = yield* BlobStore
          const broken = BlobStore.of({
            ...blobs,
            remove: (key) =>
              key === fileKey(org, "a", 1, "csv")
                ? Effect.fail(new BlobStoreError({ reason: "out_of_reach", message: "no" }))
                : key === fileKey(org, "b", 1, "csv")
                  ? Effect.die("a fault of ours")
                  : blobs.remove(key),
          })
          const left = Effect.map(
            scoped<{ id: string }>(org, sql`select id from exports where org_id = scope.org order by 1`),
            (rows) => rows.map(({ id }) => id),
          )
          assert.isFalse(yield* Effect.provideService(sweep, BlobStore, broken))
          assert.deepStrictEqual(yield* left, ["a", "b"])
          yield* sweep
          assert.deepStrictEqual(yield* left, [])
        }),
      )
    })
  })
}
