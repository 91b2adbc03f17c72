import { assert, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { Database } from "../../src/core/storage/Database.ts"
import { Import } from "../../src/core/import/Import.ts"
import { engines } from "../support/engines.ts"
import { bytesOf, csv, ndjson, newOrganization, rows, services } from "../catalogue/support.ts"

for (const engine of engines) {
  describe(`imports on ${engine.name} that lose their database`, () => {
    layer(services(engine), { excludeTestServices: true })((it) => {
      it.effect("fail if deferred records are lost, instead of reporting only the others", () =>
        Effect.gen(function* () {
          const org = yield* newOrganization
          const { sql, transaction } = yield* Database
          const deals = Array.from({ length: 1600 }, (_, n) => ({ type: "deal", id: `d${n}`, name: `Deal ${n}` }))
          // A server empties an unlogged table after a crash.
          const lost = transaction(org, sql`delete from import_pages where org_id = ${org}`)
          const error = yield* Effect.flip(
            (yield* Import).records(org, Stream.fromIterable([{ type: "owner", name: "O" }, ...deals]), {
              inMemory: 1,
              onProgress: () => Effect.orDie(lost),
            }),
          )
          assert.strictEqual(error._tag, "DatabaseUnavailable")
          assert.include(error.message, "import it again")
        }),
      )
    })
  })
}

layer(services(engines[0]), { excludeTestServices: true })("a server without room", (it) => {
  it.effect("is unreachable, and its records are not reported as invalid", () =>
    Effect.gen(function* () {
      const org = yield* newOrganization
      const { sql, scoped } = yield* Database
      for (const text of [
        "reset role",
        `create function sightline.full() returns trigger language plpgsql as $$
          begin raise 'could not extend file' using errcode = '53100'; end $$`,
        "create trigger a_full before insert on sightline.stages for each row execute function sightline.full()",
        "set role sightline_app",
      ]) {
        yield* sql.unsafe(text)
      }
      const error = yield* Effect.flip(ndjson(org, [{ type: "stage", name: "Open", category: "open", position: 1 }]))
      assert.strictEqual(error._tag, "DatabaseUnavailable")
      assert.deepStrictEqual(yield* rows(org, "stages"), [])
      const file = "Deal name,Stage,Amount (EUR),Seats\nFirst,New,10,3\n"
      const failed = yield* Effect.flip(csv(org, file, { type: "deal", keepUnmapped: "crm_one" }))
      assert.strictEqual(failed._tag, "DatabaseUnavailable")
      assert.deepStrictEqual(yield* rows(org, "crm_properties"), [])
      assert.deepStrictEqual(yield* rows(org, "import_log"), [])
      const settings = scoped(org, sql`select currency from organizations where id = scope.org`)
      assert.deepStrictEqual(yield* settings, [{ currency: null }])
    }),
  )

  it.effect("can undo an import that ended after it registered properties, and before it wrote a record", () =>
    Effect.gen(function* () {
      const org = yield* newOrganization
      const header = "Deal name,Owner,Seats\n"
      const options = { type: "deal", keepUnmapped: "crm_one", create: "none" } as const
      const { plan_id: planId } = yield* csv(org, `${header}First,Zelda,3\n`, { ...options, dryRun: true })
      const refused = Array.from({ length: 600 }, (_, n) => `Deal ${n},Zelda,${n}\n`).join("")
      const cut = Stream.fromIterable([header, ...Array.from({ length: 20 }, () => refused)]).pipe(
        Stream.flatMap(bytesOf),
        Stream.concat(Stream.fail("the connection was lost")),
      )
      const error = yield* Effect.flip((yield* Import).run(org, { planId, bytes: cut }))
      assert.include(JSON.stringify(error), "the connection was lost")
      assert.strictEqual((yield* rows(org, "crm_properties")).length, 1)
      const [started] = yield* rows<{ id: string }>(org, "imports")
      const found = yield* (yield* Import).find(org, started!.id)
      assert.deepInclude(found, { created: 0, undo: true })
      assert.isAbove(found.failed, 0)
    }),
  )
})
