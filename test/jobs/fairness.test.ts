import { assert, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Database } from "../../src/core/storage/Database.ts"
import { Organizations } from "../../src/core/catalogue/Organizations.ts"
import { engines } from "../support/engines.ts"
import { layerOrganizations } from "../support/organizations.ts"
import { UNLIMITED } from "../support/unlimited.ts"

for (const engine of engines) {
  const services = layerOrganizations.pipe(Layer.provideMerge(Database.layer), Layer.provide(engine.database))
  describe(`claim_job on ${engine.name}`, () => {
    layer(services, { excludeTestServices: true })((it) => {
      const organization = Effect.map(
        Effect.flatMap(Organizations, (organizations) => organizations.create({ name: "Acme", plan: UNLIMITED })),
        ({ id }) => id,
      )

      it.effect("prefers the organization with the fewest running jobs, even if it was served last", () =>
        Effect.gen(function* () {
          const [busy, idle] = [yield* organization, yield* organization]
          const { transaction, unscoped, sql } = yield* Database
          const claim = Effect.map(
            unscoped<{ org_id: string; id: string }>(
              sql`select org_id, id from claim_job('fewest', interval '60 seconds', 1000)`,
            ),
            ([claimed]) => claimed,
          )
          for (const org of [busy, idle]) {
            yield* transaction(
              org,
              sql`insert into jobs (org_id, id, kind, subject)
                select ${org}, 'fewest-' || n, 'fewest', 'subject' from generate_series(1, 3) n`,
            )
          }
          const first = [yield* claim, yield* claim]
          assert.sameMembers(
            first.map((claimed) => claimed?.org_id),
            [busy, idle],
          )
          // The idle organization's job ends; it was claimed a minute after the busy one's, which still runs.
          yield* transaction(
            idle,
            sql`update jobs set state = 'completed', claimed_at = now() + interval '1 minute'
              where org_id = ${idle} and kind = 'fewest' and state = 'running'`,
          )
          assert.strictEqual((yield* claim)?.org_id, idle)
          // Each has one running job. The busy organization is next because it was served longer ago.
          yield* transaction(
            idle,
            sql`update jobs set claimed_at = now() + interval '2 minutes'
              where org_id = ${idle} and kind = 'fewest' and state = 'running'`,
          )
          assert.strictEqual((yield* claim)?.org_id, busy)
        }),
      )

      it.effect("claim_job_of claims for one organization, up to its limit", () =>
        Effect.gen(function* () {
          const [ours, other] = [yield* organization, yield* organization]
          const { transaction, unscoped, sql } = yield* Database
          for (const org of [other, ours]) {
            yield* transaction(
              org,
              sql`insert into jobs (org_id, id, kind, subject)
                select ${org}, 'own-' || n, 'own', 'subject' from generate_series(1, 3) n`,
            )
          }
          const claim = Effect.map(
            unscoped<{ org_id: string; id: string }>(
              sql`select org_id, id from claim_job_of(${ours}, 'own', interval '60 seconds', 2)`,
            ),
            ([claimed]) => claimed,
          )
          assert.deepStrictEqual(
            [yield* claim, yield* claim, yield* claim],
            [{ org_id: ours, id: "own-1" }, { org_id: ours, id: "own-2" }, undefined],
          )
        }),
      )

      it.effect("hands each job to one of many concurrent claims, up to the limit of its organization", () =>
        Effect.gen(function* () {
          const org = yield* organization
          const { transaction, unscoped, sql } = yield* Database
          yield* transaction(
            org,
            sql`insert into jobs (org_id, id, kind, subject)
              select ${org}, 'many-' || n, 'many', 'subject' from generate_series(1, 60) n`,
          )
          const claim = (most: number) =>
            unscoped<{ id: string; epoch: number }>(
              sql`select id, epoch from claim_job('many', interval '15 seconds', ${most}::int)`,
            )
          const three = yield* Effect.forEach(Array.from({ length: 20 }), () => claim(3), { concurrency: 10 })
          assert.lengthOf(three.flat(), 3)
          const all = yield* Effect.forEach(Array.from({ length: 80 }), () => claim(1000), { concurrency: 10 })
          const claimed = [...three.flat(), ...all.flat()]
          assert.strictEqual(new Set(claimed.map(({ id }) => id)).size, 60)
          assert.deepStrictEqual([...new Set(claimed.map(({ epoch }) => epoch))], [1])
          assert.lengthOf(claimed, 60)
        }),
      )
    })
  })
}
