import { assert, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { Database } from "../../src/core/storage/Database.ts"
import { Import } from "../../src/core/import/Import.ts"
import { engines } from "../support/engines.ts"
import { ndjson, newOrganization, rows, services } from "../catalogue/support.ts"

interface AuditRow {
  readonly action: string
  readonly target: string
  readonly details: object | null
}

const entries = (org: string) =>
  Effect.map(rows<AuditRow>(org, "audit_log", "at"), (all) => all.filter(({ action }) => action.startsWith("records.")))

for (const engine of engines) {
  describe(`audit entries of imports on ${engine.name}`, () => {
    layer(services(engine), { excludeTestServices: true })((it) => {
      it.effect("start with the first batch, so that a killed import leaves one, and end with the counts", () =>
        Effect.gen(function* () {
          const org = yield* newOrganization
          const context = yield* Effect.context<Database>()
          const after: Array<ReadonlyArray<AuditRow>> = []
          const records = [
            { type: "owner", name: "Ada" },
            { type: "deal", id: "d1", name: "Deal" },
          ]
          yield* (yield* Import).records(org, Stream.fromIterable(records), {
            onProgress: () =>
              Effect.map(Effect.orDie(Effect.provideContext(entries(org), context)), (found) => void after.push(found)),
          })
          assert.lengthOf(after, 2)
          for (const found of after) assert.deepStrictEqual(actions(found), ["records.import_started"])
          const [started, ended] = yield* entries(org)
          assert.strictEqual(ended!.action, "records.imported")
          assert.strictEqual(ended!.target, started!.target)
          assert.deepInclude(ended!.details, { received: 2, created: 2, complete: true })
        }),
      )

      it.effect("record no start if no batch writes anything", () =>
        Effect.gen(function* () {
          const org = yield* newOrganization
          const owner = { type: "owner", id: "o1", name: "Ada" }
          yield* ndjson(org, [owner])
          yield* ndjson(org, [owner, { type: "deal", id: "d1" }])
          assert.deepStrictEqual(actions(yield* entries(org)), [
            "records.import_started",
            "records.imported",
            "records.imported",
          ])
        }),
      )
    })
  })
}

// The trigger needs the owner's rights and stays in the database, so these tests use their own.
layer(services(engines[0]), { excludeTestServices: true })("an audit log that cannot be written", (it) => {
  it.effect("prevents the first batch of an import from being written", () =>
    Effect.gen(function* () {
      const org = yield* newOrganization
      const { sql } = yield* Database
      for (const text of [
        "reset role",
        `create function sightline.refuse() returns trigger language plpgsql as $$
          begin raise 'no entry today' using errcode = '53100'; end $$`,
        "create trigger refuse before insert on sightline.audit_log for each row execute function sightline.refuse()",
        "set role sightline_app",
      ]) {
        yield* sql.unsafe(text)
      }
      yield* Effect.flip(ndjson(org, [{ type: "owner", name: "Ada" }]))
      assert.deepStrictEqual(yield* rows(org, "owners"), [])
    }),
  )
})

const actions = (found: ReadonlyArray<AuditRow>) => found.map(({ action }) => action)
