import { assert, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { ApiKeys } from "../../src/core/keys/ApiKeys.ts"
import { recordAct } from "../../src/core/audit/recordAct.ts"
import { type Actor, CurrentRequest } from "../../src/core/http/CurrentRequest.ts"
import { erase } from "../../src/core/catalogue/erase.ts"
import { BlobStore } from "../../src/core/ports/BlobStore.ts"
import { Database } from "../../src/core/storage/Database.ts"
import { Organizations } from "../../src/core/catalogue/Organizations.ts"
import { engines } from "../support/engines.ts"
import { layerOrganizations } from "../support/organizations.ts"
import { UNLIMITED } from "../support/unlimited.ts"

const requestBy = (actor: Actor | undefined) => ({
  id: "req-1",
  received: true,
  origin: () => undefined,
  address: "192.0.2.7",
  actor,
  keyId: undefined,
  expires: undefined,
  rateLimit: undefined,
  retryAfter: undefined,
  route: undefined,
  organization: undefined,
  refusal: undefined,
})

for (const engine of engines) {
  const services = Layer.mergeAll(ApiKeys.layer, layerOrganizations, BlobStore.layerMemory).pipe(
    Layer.provideMerge(Database.layer),
    Layer.provide(engine.database),
  )
  describe(`recordAct on ${engine.name}`, () => {
    layer(services, { excludeTestServices: true })((it) => {
      const entries = Effect.fnUntraced(function* (org: string) {
        const { sql, scoped } = yield* Database
        return yield* scoped<Record<string, unknown>>(
          org,
          sql`select action, target, actor, details, request_id, address from audit_log
            where org_id = scope.org and action <> 'organization.created' order by at`,
        )
      })
      const organization = Effect.flatMap(Organizations, (each) => each.create({ name: "Acme", plan: UNLIMITED }))

      it.effect("records the key, the request and the address; outside a request, the operator", () =>
        Effect.gen(function* () {
          const { id: org } = yield* organization
          const keys = yield* ApiKeys
          const made = yield* keys.create(org, { name: "ci", role: "member" })
          yield* Effect.provideService(keys.revoke(org, made.id), CurrentRequest, requestBy({ key_id: "key_admin" }))
          assert.deepStrictEqual(yield* entries(org), [
            {
              action: "key.created",
              target: made.id,
              actor: { operator: true },
              details: null,
              request_id: null,
              address: null,
            },
            {
              action: "key.revoked",
              target: made.id,
              actor: { key_id: "key_admin" },
              details: null,
              request_id: "req-1",
              address: "192.0.2.7",
            },
          ])
        }),
      )

      it.effect("does not name the operator for a request without a credential", () =>
        Effect.gen(function* () {
          const { id: org } = yield* organization
          const { sql, transaction } = yield* Database
          yield* Effect.provideService(
            transaction(org, recordAct(sql, org, "export.downloaded", "exp_1", { rows: 2 })),
            CurrentRequest,
            requestBy(undefined),
          )
          const [entry] = yield* entries(org)
          assert.deepInclude(entry, { actor: null, target: "exp_1", details: { rows: 2 } })
        }),
      )

      it.effect("leaves no entry when the act is rolled back", () =>
        Effect.gen(function* () {
          const { id: org } = yield* organization
          const { sql, transaction } = yield* Database
          const act = Effect.andThen(recordAct(sql, org, "deal.deleted", "deal_1"), Effect.fail("refused" as const))
          assert.strictEqual(yield* Effect.flip(transaction(org, act)), "refused")
          assert.deepStrictEqual(yield* entries(org), [])
        }),
      )

      it.effect("prevents the application from changing an entry, and from deleting one before 400 days", () =>
        Effect.gen(function* () {
          const { id: org } = yield* organization
          const { sql, transaction, unscoped } = yield* Database
          yield* transaction(org, recordAct(sql, org, "deal.deleted", "deal_1"))
          const refused = (statement: Effect.Effect<unknown, unknown>) =>
            Effect.map(Effect.sandbox(Effect.flip(Effect.sandbox(transaction(org, statement)))), String)
          assert.include(yield* refused(sql`update audit_log set target = 'x'`), "permission denied")
          assert.include(yield* refused(sql`delete from audit_log`), "permission denied")
          yield* unscoped(sql`select forget_audit_log(interval '0', 1000)`)
          assert.lengthOf(yield* entries(org), 1)
          yield* transaction(
            org,
            sql`insert into audit_log (org_id, id, at, action) values
              (${org}, 'old', now() - interval '401 days', 'deal.deleted'),
              (${org}, 'young', now() - interval '399 days', 'deal.deleted')`,
          )
          yield* unscoped(sql`select forget_audit_log(interval '400 days', 1000)`)
          assert.lengthOf(yield* entries(org), 2)
        }),
      )

      it.effect("keeps only the hash of an erased organization, when it was erased and by whom", () =>
        Effect.gen(function* () {
          const { id: org } = yield* organization
          const { sql, unscoped } = yield* Database
          yield* erase(org)
          assert.deepStrictEqual(yield* entries(org), [])
          const erased = yield* unscoped(
            sql`select actor from erasures where organization_hash = sha256(convert_to(${org}, 'UTF8'))`,
          )
          assert.deepStrictEqual(erased, [{ actor: { operator: true } }])
        }),
      )

      it.effect("shows an organization only its own entries", () =>
        Effect.gen(function* () {
          const [mine, other] = [yield* organization, yield* organization]
          const { sql, transaction } = yield* Database
          yield* transaction(mine.id, recordAct(sql, mine.id, "deal.deleted", "deal_1"))
          const seen = yield* transaction(other.id, sql`select * from audit_log where org_id = ${mine.id}`)
          assert.deepStrictEqual(seen, [])
        }),
      )
    })
  })
}
