import { assert, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Admission } from "../../src/core/access/Admission.ts"
import { ApiKeys } from "../../src/core/keys/ApiKeys.ts"
import { Usage } from "../../src/core/keys/Usage.ts"
import { Database } from "../../src/core/storage/Database.ts"
import { Organizations } from "../../src/core/catalogue/Organizations.ts"
import { engines } from "../support/engines.ts"
import { layerOrganizations } from "../support/organizations.ts"

for (const engine of engines) {
  const services = Layer.mergeAll(ApiKeys.layer, layerOrganizations, Admission.layerDatabase, Usage.layerDatabase).pipe(
    Layer.provideMerge(Database.layer),
    Layer.provide(engine.database),
  )
  describe(`usage on ${engine.name}`, () => {
    layer(services, { excludeTestServices: true })((it) => {
      it.effect("reports what the organization and each of its keys used, and nothing of other organizations", () =>
        Effect.gen(function* () {
          const keys = yield* ApiKeys
          const admission = yield* Admission
          const usage = yield* Usage
          const { id: org } = yield* (yield* Organizations).create({ name: "Acme", plan: "growth" })
          const other = yield* (yield* Organizations).create({ name: "Other", plan: "essentials" })
          const ci = yield* keys.create(org, { name: "ci", role: "admin" })
          const console = yield* keys.create(org, { name: "console", role: "viewer", requestsPerMinute: 7 })
          const unused = yield* keys.create(org, { name: "unused", role: "viewer" })
          yield* admission.admit(ci.key)
          yield* admission.takeExport(org)
          yield* admission.admit(ci.key)
          yield* admission.admit(console.key)
          yield* keys.revoke(org, console.id)
          yield* keys.revoke(org, unused.id)

          const report = yield* usage.read(org)
          const { window_reset_at, month_reset_at, minute_used, ...organization } = report.organization
          assert.deepStrictEqual(organization, {
            plan: "growth",
            requests_per_minute: 60,
            requests_per_month: 30_000,
            month_used: 3,
            exports_per_month: 200,
            exports_used: 1,
            link_views: 0,
          })
          assert.strictEqual(Date.parse(window_reset_at) % 60_000, 0)
          assert.match(window_reset_at, /T\d\d:\d\d:00\.000Z$/)
          assert.match(month_reset_at, /-01T00:00:00\.000Z$/)
          assert.isAbove(Date.parse(month_reset_at), Date.now())
          assert.strictEqual(
            minute_used,
            report.keys.reduce((sum, key) => sum + key.minute_used, 0),
          )
          assert.deepStrictEqual(
            report.keys.map(({ minute_used: _, ...key }) => key),
            [
              {
                id: ci.id,
                identity: null,
                name: "ci",
                display: ci.display,
                role: "admin",
                revoked: false,
                requests_per_minute: 20,
                month_used: 2,
              },
              {
                id: console.id,
                identity: null,
                name: "console",
                display: console.display,
                role: "viewer",
                revoked: true,
                requests_per_minute: 7,
                month_used: 1,
              },
            ],
          )
          assert.deepStrictEqual((yield* usage.read(other.id)).keys, [])
        }),
      )
    })
  })
}
