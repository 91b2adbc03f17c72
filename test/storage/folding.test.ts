import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, layer } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { SqlClient } from "effect/sql/SqlClient"
import { layerPglite, layerPgliteOwner } from "../../src/adapters/database/pglite.ts"
import { layerPostgres } from "../../src/adapters/database/postgres.ts"
import { layerImport } from "../../src/core/import/layerImport.ts"
import { JobQueue } from "../../src/core/jobs/JobQueue.ts"
import { layerUnconfigured } from "../../src/core/library/unconfigured.ts"
import { Database } from "../../src/core/storage/Database.ts"
import { Catalogue } from "../../src/core/catalogue/Catalogue.ts"
import { layerCatalogue } from "../../src/core/catalogue/layerCatalogue.ts"
import { createTables } from "../../src/core/storage/migrate.ts"
import { fold } from "../../src/core/common/fold.ts"
import { run } from "../adapters/processes.ts"
import { engines, freshPostgresUrl } from "../support/engines.ts"
import { oneConnection } from "../support/oneConnection.ts"
import { layerOrganizations } from "../support/organizations.ts"
import { ndjson, rows } from "../catalogue/support.ts"

const SPELLINGS = ["Müller GmbH", "Müller\u00a0GmbH", "MÜLLER  GMBH", "Plain Ltd", "A  B", "R&amp;D", "\u200b"]

/** A database as version 40 left it, with names and ids that are alike only for this one. Its owner is bound by row-level security. */
const makeVersion40 = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql.withTransaction(
    Effect.gen(function* () {
      yield* createTables(40)
      const own = (org: string) => sql`select set_config('sightline.organization', ${org}, true)`
      for (const org of ["acme", "other"]) {
        yield* own(org)
        yield* sql`insert into organizations (id, name, plan) values (${org}, 'Acme', 'growth')`
        yield* sql`insert into organization_usage (org_id) values (${org})`
        for (const [n, name] of SPELLINGS.entries()) {
          yield* sql`insert into clients (org_id, id, name, industry) values (${org}, ${`c${9 - n}`}, ${name}, 'Groß')`
        }
        yield* sql`insert into owners (org_id, id, name, email) values (${org}, 'o', 'José', 'JOSE@acme.example')`
        yield* sql`insert into metrics (org_id, id, name) values (${org}, 'm', 'Champion Strength')`
        yield* sql`insert into deals (org_id, id, name, crm_one_id, crm_two_id, region, created_at, updated_at) values
          (${org}, 'short', 'Harbor', '0065g00000AbCdE', '7', 'Nordrhein Straße', '2026-01-01', '2026-01-01'),
          (${org}, 'long', 'Harbor again', '0065g00000AbCdEAAV', '8', null, '2026-01-02', '2026-01-02'),
          (${org}, 'case', 'Other', '0065g00000aBcDe', null, 'emea', '2026-01-03', '2026-01-03')`
        yield* sql`insert into deal_product_labels (org_id, deal_id, label) values (${org}, 'short', 'Flow')`
      }
    }),
  )
})

const postgres = Effect.gen(function* () {
  const url = new URL(yield* freshPostgresUrl)
  const owner = new URL(url)
  owner.username = owner.password = `folding_${url.pathname.slice(1)}`
  yield* Effect.provide(
    Effect.flatMap(SqlClient, (sql) =>
      Effect.forEach(
        [
          `create role ${owner.username} login createrole password '${owner.password}'`,
          `do $$ begin create role sightline_app; exception when duplicate_object then null; end $$`,
          `grant sightline_app to ${owner.username} with admin option`,
          `alter database ${url.pathname.slice(1)} owner to ${owner.username}`,
        ],
        (text) => sql.unsafe(text),
      ),
    ),
    oneConnection(url.href),
  )
  yield* Effect.provide(makeVersion40, oneConnection(owner.href))
  return owner.href
})

class Settings extends Context.Service<Settings, Readonly<Record<string, string>>>()("test/Settings") {}

const version40 = {
  PGlite: Layer.unwrap(
    Effect.gen(function* () {
      const directory = yield* Effect.acquireRelease(
        Effect.sync(() => mkdtempSync(join(tmpdir(), "sightline-version-40-"))),
        (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true })),
      )
      yield* Effect.scoped(Effect.provide(makeVersion40, layerPgliteOwner(join(directory, "postgres"))))
      return Layer.merge(
        layerPglite({ directory: join(directory, "postgres"), reserve: 0 }),
        Layer.succeed(Settings, Settings.of({})),
      )
    }),
  ),
  PostgreSQL: Layer.unwrap(
    Effect.map(postgres, (url) =>
      Layer.merge(
        layerPostgres({ url: Redacted.make(url) }),
        Layer.succeed(Settings, Settings.of({ SIGHTLINE_DATABASE_URL: url })),
      ),
    ),
  ),
}

for (const engine of engines) {
  describe(`a database of version 40 on ${engine.name}`, () => {
    const database = Layer.orDie(version40[engine.name])
    const all = Layer.merge(layerCatalogue, layerImport).pipe(
      Layer.provideMerge(layerOrganizations),
      Layer.provide(Layer.merge(JobQueue.layer, layerUnconfigured)),
      Layer.provideMerge(Database.layer),
      Layer.provideMerge(database),
    )
    layer(all, { excludeTestServices: true })((it) => {
      it.effect("has every folded column filled, of every organization", () =>
        Effect.gen(function* () {
          for (const org of ["acme", "other"]) {
            assert.deepStrictEqual(
              (yield* rows<any>(org, "clients", "id desc")).map(({ folded, folded_industry }) => [
                folded,
                folded_industry,
              ]),
              SPELLINGS.map((name) => [fold(name), "gross"]),
            )
            assert.deepInclude((yield* rows<any>(org, "owners"))[0], {
              folded: "josé",
              folded_email: "jose@acme.example",
            })
            assert.deepInclude((yield* rows<any>(org, "metrics"))[0], { folded: "championstrength" })
            assert.deepInclude((yield* rows<any>(org, "deal_product_labels"))[0], { folded_label: "flow" })
            assert.deepStrictEqual(
              (yield* rows<any>(org, "deals", "created_at")).map((deal) => [
                deal.folded,
                deal.folded_region,
                deal.crm_one_key,
                deal.crm_two_key,
              ]),
              [
                ["harbor", "nordrhein strasse", "0065g00000AbCdE", "7"],
                ["harbor again", null, "0065g00000AbCdE", "8"],
                ["other", "emea", "0065g00000aBcDe", null],
              ],
            )
          }
        }),
      )

      it.effect("lists the deals that share a CRM id, merges none, and gives each its own records", () =>
        Effect.gen(function* () {
          const { duplicates } = yield* Effect.flatMap(Catalogue, ({ overview }) => overview("acme"))
          assert.deepStrictEqual(duplicates, [
            {
              type: "deal",
              field: "crm_one_id",
              key: "0065g00000AbCdE",
              records: [
                { id: "short", name: "Harbor", crm_id: "0065g00000AbCdE" },
                { id: "long", name: "Harbor again", crm_id: "0065g00000AbCdEAAV" },
              ],
            },
          ])
          const report = yield* ndjson("acme", [
            { type: "deal", crm_one_id: "0065g00000AbCdE", amount: 15 },
            { type: "deal", crm_one_id: "0065g00000AbCdEAAV", amount: 18 },
          ])
          assert.deepInclude(report, { updated: 2, failed: 0 })
          assert.deepStrictEqual(
            (yield* rows<any>("acme", "deals", "created_at")).map(({ amount, crm_one_id }) => [amount, crm_one_id]),
            [
              [15, "0065g00000AbCdE"],
              [18, "0065g00000AbCdEAAV"],
              [null, "0065g00000aBcDe"],
            ],
          )
        }),
      )

      it.effect("gives a name that several rows have when folded to the oldest", () =>
        Effect.gen(function* () {
          const report = yield* ndjson("other", [{ type: "deal", id: "new", name: "New", client: "Mül\u00adler GmbH" }])
          assert.strictEqual((yield* rows<any>("other", "deals", "created_at desc"))[0].client_id, "c9")
          assert.deepStrictEqual(
            report.warnings.map(({ code }) => code),
            ["name_merged"],
          )
        }),
      )

      if (engine.name === "PostgreSQL") {
        it.effect("is a warning of `doctor`, which names the organizations", () =>
          Effect.gen(function* () {
            const settings = yield* Settings
            const { stdout } = yield* Effect.promise(() => run(["doctor", "--json"], { ...settings, PORT: "0" }))
            const { checks } = JSON.parse(stdout) as {
              checks: ReadonlyArray<{ name: string; state: string; detail: string }>
            }
            assert.deepInclude(
              checks.find(({ name }) => name === "ids"),
              {
                state: "warning",
                detail: "deals or clients share a CRM id, in its short and its long form: 1 in acme, 1 in other",
              },
            )
          }),
        )
      }
    })
  })
}
