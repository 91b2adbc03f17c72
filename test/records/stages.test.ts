import { assert, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { Deals } from "../../src/core/deals/Deals.ts"
import { engines } from "../support/engines.ts"
import { counted, counts, deal, ndjson, newOrganization, services } from "../catalogue/support.ts"

interface StageChange {
  readonly changed_at: string
  readonly status: { readonly name: string } | null
  readonly previous_status: { readonly name: string } | null
}

const changesOf = Effect.fnUntraced(function* (org: string, id: string) {
  const { data } = JSON.parse(yield* (yield* Deals).stages(org, id)) as { readonly data: ReadonlyArray<StageChange> }
  return data.map((change) => [change.changed_at, change.previous_status?.name, change.status?.name] as const)
})

const transitions = (changes: ReadonlyArray<readonly [string, string | undefined, string | undefined]>) =>
  changes.map(([, from, to]) => `${from} > ${to}`)

const STAGES = ["Qualified", "Proposal", "Won"].map((name, position) => ({ type: "stage", id: name, name, position }))

for (const engine of engines) {
  describe(`stages of imported deals on ${engine.name}`, () => {
    layer(services(engine), { excludeTestServices: true })((it) => {
      const importing = (org: string, fields: object) =>
        ndjson(org, [{ type: "deal", id: "d1", name: "One", ...fields }])

      it.effect("the previous stage is the one before the change, or the one in the record", () =>
        Effect.gen(function* () {
          const org = yield* newOrganization
          yield* ndjson(org, STAGES)
          const stagesAfter = Effect.fnUntraced(function* (fields: object) {
            yield* importing(org, fields)
            const { previous_status_id, status_id } = yield* deal(org, "d1")
            return [previous_status_id, status_id]
          })
          assert.deepStrictEqual(yield* stagesAfter({ status: "Qualified" }), [null, "Qualified"])
          assert.deepStrictEqual(yield* stagesAfter({ amount: 5 }), [null, "Qualified"])
          assert.deepStrictEqual(yield* stagesAfter({ status: "proposal" }), ["Qualified", "Proposal"])
          assert.deepStrictEqual(yield* stagesAfter({ status: "Proposal" }), ["Qualified", "Proposal"])
          assert.deepStrictEqual(yield* stagesAfter({ status: "Won", previous_status: "Qualified" }), [
            "Qualified",
            "Won",
          ])
          assert.deepStrictEqual(yield* stagesAfter({ status: "Proposal", previous_status: null }), [null, "Proposal"])
          assert.deepStrictEqual(yield* stagesAfter({ status: null }), ["Proposal", null])
          assert.deepStrictEqual(yield* stagesAfter({ status: "Won" }), ["Proposal", "Won"])
          assert.deepStrictEqual(counts(yield* importing(org, { status: "Won" })), counted(1, { unchanged: 1 }))
        }),
      )

      it.effect("lists every change with its time, including the first stage of a new deal", () =>
        Effect.gen(function* () {
          const org = yield* newOrganization
          yield* ndjson(org, STAGES)
          yield* importing(org, { status: "Qualified", updated_at: "2026-01-01T09:00:00Z" })
          yield* importing(org, { amount: 5, updated_at: "2026-01-15T09:00:00Z" })
          yield* importing(org, { status: "Proposal", updated_at: "2026-02-01" })
          const began = new Date().toISOString()
          // Before the change that is known, in the future, and none: the time is that of the import.
          yield* importing(org, { status: "Won", updated_at: "2026-01-20T00:00:00Z" })
          yield* importing(org, { status: "Qualified", updated_at: "2199-01-01T00:00:00Z" })
          yield* importing(org, { status: null })
          const changes = yield* changesOf(org, "d1")
          assert.deepStrictEqual(transitions(changes), [
            "undefined > Qualified",
            "Qualified > Proposal",
            "Proposal > Won",
            "Won > Qualified",
            "Qualified > undefined",
          ])
          const times = changes.map(([at]) => at)
          assert.deepStrictEqual(times.slice(0, 2), ["2026-01-01T09:00:00.000Z", "2026-02-01T00:00:00.000Z"])
          for (const at of times.slice(2)) assert.isTrue(at >= began && at <= new Date().toISOString(), at)
        }),
      )

      it.effect("lists several changes of one file in the order of its lines", () =>
        Effect.gen(function* () {
          const org = yield* newOrganization
          const record = (status: string, rest: object = {}) => ({
            type: "deal",
            id: "d1",
            name: "One",
            status,
            ...rest,
          })
          yield* ndjson(org, [
            ...STAGES,
            record("Qualified"),
            record("Proposal"),
            record("Won"),
            { type: "deal", id: "d2", name: "Two", status: "Won", previous_status: "Proposal" },
            { type: "deal", id: "d3", name: "Without a stage" },
          ])
          assert.deepStrictEqual(transitions(yield* changesOf(org, "d1")), [
            "undefined > Qualified",
            "Qualified > Proposal",
            "Proposal > Won",
          ])
          assert.strictEqual((yield* deal(org, "d1")).previous_status_id, "Proposal")
          assert.deepStrictEqual(transitions(yield* changesOf(org, "d2")), ["Proposal > Won"])
          assert.deepStrictEqual(yield* changesOf(org, "d3"), [])
        }),
      )

      it.effect("refuses deal ids that are paths of the API", () =>
        Effect.gen(function* () {
          const org = yield* newOrganization
          const ids = ["report", "export", "documents", "analysis", "Report", "exports"]
          const report = yield* ndjson(
            org,
            ids.map((id) => ({ type: "deal", id, name: `Deal ${id}` })),
          )
          assert.deepStrictEqual(
            report.errors,
            ids.slice(0, 4).map((id, n) => ({
              line: n + 1,
              field: "id",
              reason: `must not be '${id}', because /deals/${id} is a path of the API; choose another id`,
            })),
          )
          assert.strictEqual(report.created, 2)
        }),
      )
    })
  })
}
