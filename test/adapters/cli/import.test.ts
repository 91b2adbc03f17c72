import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { importOrUndo } from "../../../src/adapters/cli/data/import.ts"
import { Question } from "../../../src/adapters/cli/terminal/question.ts"
import { layerPostgres } from "../../../src/adapters/database/postgres.ts"
import { Database } from "../../../src/core/storage/Database.ts"
import { Organizations } from "../../../src/core/catalogue/Organizations.ts"
import { migratedPostgresUrl } from "../../support/engines.ts"
import { layerOrganizations } from "../../support/organizations.ts"
import { UNLIMITED } from "../../support/unlimited.ts"

const NONE = {
  map: Option.none(),
  dates: Option.none(),
  decimal: Option.none(),
  rates: Option.none(),
  stage: Option.none(),
  create: Option.none(),
  encoding: Option.none(),
  sheet: Option.none(),
  empty: Option.none(),
  keepUnmapped: Option.none(),
}

describe("sightline import on a terminal", () => {
  it.live("makes a dry run first, asks if that warns, and undoes an import", () =>
    Effect.gen(function* () {
      const url = yield* migratedPostgresUrl
      const at = yield* Effect.acquireRelease(
        Effect.sync(() => mkdtempSync(join(tmpdir(), "sightline-import-"))),
        (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true })),
      )
      const doubtful = join(at, "doubtful.csv")
      const clear = join(at, "clear.csv")
      writeFileSync(doubtful, "Deal Name;Stage\nFirst;Frozen\n")
      writeFileSync(clear, "Deal Name;Amount\nSecond;5\n")
      yield* Effect.gen(function* () {
        const { id: organization } = yield* (yield* Organizations).create({ name: "Acme", plan: UNLIMITED })
        const { sql, transaction } = yield* Database
        const stored = (table: string) =>
          transaction(
            organization,
            Effect.map(sql`select * from ${sql.literal(table)} where org_id = ${organization}`, ({ length }) => length),
          )
        const importing = Effect.fnUntraced(function* (file: string | undefined, answer: boolean, given: object = {}) {
          let asked = 0
          const input = {
            ...NONE,
            file: Option.fromUndefinedOr(file),
            undo: Option.none(),
            organization,
            type: Option.some("deal"),
            dryRun: false,
            yes: false,
            json: false,
            ...given,
          }
          const ask = () => Effect.sync(() => (asked++, answer))
          const message = yield* importOrUndo(input).pipe(
            Effect.as("imported"),
            Effect.catch(({ message }) => Effect.succeed(message)),
            Effect.provideService(Question, { canAsk: true, ask }),
            Effect.provide(
              ConfigProvider.layer(
                ConfigProvider.fromUnknown({ SIGHTLINE_DATABASE_URL: url, SIGHTLINE_DATA_DIR: join(at, "data") }),
              ),
            ),
          )
          return { message, asked, deals: yield* stored("deals"), plans: yield* stored("import_plans") }
        })
        const refused = { message: "nothing was imported", asked: 1, deals: 0, plans: 1 }
        assert.deepStrictEqual(yield* importing(doubtful, false), refused)
        assert.deepStrictEqual(yield* importing(doubtful, true), { message: "imported", asked: 1, deals: 1, plans: 2 })
        assert.deepStrictEqual(yield* importing(clear, false), { message: "imported", asked: 0, deals: 2, plans: 3 })
        const atOnce = { message: "imported", asked: 0, deals: 2, plans: 3 }
        assert.deepStrictEqual(yield* importing(doubtful, false, { yes: true }), atOnce)
        const [last] = yield* transaction(
          organization,
          sql<{
            id: string
          }>`select import_id as id from import_log where org_id = ${organization} order by created_at desc limit 1`,
        )
        const undo = Option.some(last!.id)
        const undone = { message: "imported", asked: 0, deals: 1, plans: 3 }
        assert.deepStrictEqual(yield* importing(undefined, false, { undo }), undone)
        assert.match((yield* importing(clear, false, { undo })).message, /^--undo takes no file/)
        assert.match((yield* importing(undefined, false)).message, /^name a file to import/)
        const keepUnmapped = Option.some("crm_one")
        const ofTables = yield* importing(join(at, "records.ndjson"), false, { keepUnmapped })
        assert.match(ofTables.message, /^--keep-unmapped works with tables only/)
      }).pipe(
        Effect.provide(
          layerOrganizations.pipe(
            Layer.provideMerge(Database.layer),
            Layer.provide(layerPostgres({ url: Redacted.make(url) })),
          ),
        ),
      )
    }).pipe(Effect.scoped),
  )
})
