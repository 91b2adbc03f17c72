import { assert, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { engines } from "../support/engines.ts"
import { counted, counts, csv, ndjson, newOrganization, rows, services } from "../catalogue/support.ts"

const deals = (org: string) => rows<{ name: string; amount: number }>(org, "deals", "amount, name")

const RENEWALS = `Deal,Customer,Stage,Amount
Renewal,Birchmoor Ltd,Closed Won,18000
Renewal,Calder Works,Closed Lost,42000
Renewal,Dunmere Foods,Negotiation,9500`
const RENEWAL_MAP = { Deal: "name", Customer: "client", Stage: "status", Amount: "amount" }

for (const engine of engines) {
  describe(`deals with the same name, on ${engine.name}`, () => {
    layer(services(engine), { excludeTestServices: true })((it) => {
      it.effect("deals of one name and different clients are different, and none gets a stage history", () =>
        Effect.gen(function* () {
          const org = yield* newOrganization
          const options = { type: "deal", map: RENEWAL_MAP } as const
          assert.deepInclude(yield* csv(org, RENEWALS, options), { created: 3, failed: 0 })
          assert.deepInclude(yield* csv(org, RENEWALS, options), { unchanged: 3, failed: 0 })
          assert.strictEqual((yield* deals(org)).length, 3)
          assert.strictEqual((yield* rows(org, "deal_stage_changes")).length, 3)
          assert.deepInclude(
            yield* csv(org, RENEWALS.replace("9500", "9700").replace("Renewal,D", "RENEWAL,D"), options),
            {
              unchanged: 2,
              updated: 1,
            },
          )
          assert.deepStrictEqual(
            (yield* deals(org)).map(({ name, amount }) => [name, amount]),
            [
              ["Renewal", 9700],
              ["Renewal", 18000],
              ["Renewal", 42000],
            ],
          )
          // Without a client, it is another deal.
          assert.deepInclude(yield* ndjson(org, [{ type: "deal", name: "Renewal", amount: 1 }]), { created: 1 })
        }),
      )

      it.effect("rows of one file never match each other by name, and the file changes nothing the second time", () =>
        Effect.gen(function* () {
          const org = yield* newOrganization
          // Across batches, with and without a client, identical rows among them.
          const records = Array.from({ length: 620 }, (_, n) => ({
            type: "deal",
            name: "Renewal",
            amount: Math.floor(n / 2),
            ...(n % 3 === 0 && { client: "Acme" }),
          }))
          assert.deepStrictEqual(counts(yield* ndjson(org, records)), counted(620, { created: 620 }))
          assert.deepStrictEqual(counts(yield* ndjson(org, records)), counted(620, { unchanged: 620 }))
          // A row that could mean several is refused, one that is left over is not.
          const two = [
            { type: "deal", name: "Pilot", client: "Acme", amount: 1 },
            { type: "deal", name: "Pilot", client: "Acme", amount: 2 },
          ]
          yield* ndjson(org, two)
          const refused = yield* ndjson(org, [{ ...two[0], amount: 3 }])
          assert.match(refused.errors[0]!.reason, /must name one deal; 2 have the name 'Pilot'/)
          assert.deepInclude(yield* ndjson(org, [{ ...two[0], amount: 3 }, two[1]!]), { updated: 1, unchanged: 1 })
        }),
      )
    })
  })
}
