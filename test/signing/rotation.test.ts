import { assert, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { SigningKeys } from "../../src/core/signing/SigningKeys.ts"
import { Database } from "../../src/core/storage/Database.ts"
import { reseal } from "../../src/core/webhooks/resealing.ts"
import { makeSecretBox } from "../../src/core/webhooks/secrets.ts"
import { engines } from "../support/engines.ts"
import { layerSettings } from "../support/settings.ts"
import { layerLibrary, layerWeb, Web } from "../support/web.ts"
import { untilEffect } from "../support/until.ts"
import { startEndpoint } from "../webhooks/endpoint.ts"
import { tools } from "../webhooks/tools.ts"

const endpoint = await startEndpoint()

/** Builds the keys of an instance with this signing secret. */
const keysOf = Effect.fnUntraced(function* (current: string, previous?: string) {
  const settings = layerSettings({
    signingSecret: Redacted.make(current.repeat(32)),
    previousSigningSecret: previous === undefined ? undefined : Redacted.make(previous.repeat(32)),
  })
  return yield* Effect.provide(SigningKeys, Layer.fresh(SigningKeys.layer.pipe(Layer.provide(settings))))
})

for (const engine of engines) {
  describe(`a changed signing secret on ${engine.name}`, () => {
    layer(layerWeb(engine.database, layerLibrary([endpoint.port])), { excludeTestServices: true })((it) => {
      const { newPath, send, createWebhook, importDeals, receivedBy, listDeliveries, runSql } = tools(
        endpoint,
        engine.name,
      )

      it.effect("holds a delivery that cannot be signed, with a notice, and sends it after resealing", () =>
        Effect.gen(function* () {
          const { org, key } = yield* (yield* Web).tenant()
          const path = newPath()
          const { id, secret } = yield* createWebhook(key, path)
          const { sql, transaction, scoped, unscoped } = yield* Database
          const former = yield* keysOf("f")
          const lost = yield* makeSecretBox(former, org, id).seal(secret)
          yield* transaction(
            org,
            sql`update webhooks set secret = ${lost}, previous_secret = ${lost} where org_id = ${org} and id = ${id}`,
          )
          yield* importDeals(key, ["d1"])
          const webhook = Effect.map(send(key, "GET", `/webhooks/${id}`), ({ json }) => json)
          yield* untilEffect(
            "the notice",
            Effect.map(webhook, ({ notice }) => notice !== null),
          )
          const { status, notice, failing_since } = yield* webhook
          assert.deepStrictEqual([status, failing_since], ["enabled", null])
          assert.match(notice, /^deliveries wait: .*SIGHTLINE_SIGNING_SECRET_PREVIOUS/)
          const [waiting] = yield* listDeliveries(key, id)
          assert.deepStrictEqual([waiting.status, waiting.attempts, waiting.error], ["pending", 0, notice])
          assert.deepStrictEqual(receivedBy(path), [])

          const own = yield* SigningKeys
          const rotated = { current: own.current, accepted: [own.current, former.current] }
          assert.isAtLeast(yield* Effect.provideService(reseal, SigningKeys, rotated), 1)
          assert.strictEqual(yield* Effect.provideService(reseal, SigningKeys, rotated), 0)
          const [row] = yield* scoped<{ secret: Uint8Array; previous_secret: Uint8Array }>(
            org,
            sql`select secret, previous_secret from webhooks where org_id = scope.org and id = ${id}`,
          )
          const box = makeSecretBox(own, org, id)
          assert.deepStrictEqual(
            [yield* box.open(row!.secret), yield* box.open(row!.previous_secret)],
            [secret, secret],
          )
          yield* runSql(org, `update webhook_deliveries set due_at = now() where org_id = '${org}'`)
          yield* untilEffect(
            "the delivery",
            Effect.map(webhook, ({ notice }) => notice === null),
          )
          assert.deepStrictEqual(receivedBy(path), ["deal.created d1"])
          yield* unscoped(sql`delete from signing_secret`)
        }),
      )

      it.effect("stops an instance without the previous secret from starting, and accepts one that has it", () =>
        Effect.gen(function* () {
          const { sql, unscoped } = yield* Database
          yield* unscoped(sql`delete from signing_secret`)
          yield* keysOf("a")
          yield* keysOf("a")
          for (const refused of [keysOf("b"), keysOf("b", "c")]) {
            const { message } = yield* Effect.flip(refused)
            assert.match(message, /^the signing secret differs from the one/)
            assert.match(message, /signing-secret replace/)
          }
          const { current, accepted } = yield* keysOf("b", "a")
          assert.lengthOf(accepted, 2)
          assert.strictEqual(accepted[0], current)
          assert.match((yield* Effect.flip(keysOf("a"))).message, /differs from the one/)
          yield* keysOf("b")
          yield* unscoped(sql`delete from signing_secret`)
        }),
      )
    })
  })
}
