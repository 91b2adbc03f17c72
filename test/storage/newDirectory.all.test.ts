import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { vector } from "@electric-sql/pglite-pgvector"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"
import { vi } from "vitest"
import { pack } from "../../build/newDirectory.ts"
import { layerPglite, layerPgliteOwner, type PgliteOptions } from "../../src/adapters/database/pglite.ts"
import { readCatalogue } from "../support/catalogue.ts"
import { migratedDirectory } from "../support/embedded.ts"

/** The package's replacement for the module of the repository. */
const carried = vi.hoisted(() => ({ packedDirectory: undefined as string | undefined }))
vi.mock("../../src/adapters/database/prebuilt/packed.ts", () => ({
  get packedDirectory() {
    return carried.packedDirectory
  },
}))

const readMigratedAt = Effect.gen(function* () {
  const [row] = yield* (yield* SqlClient)<{ ms: number }>`
    select (date_part('epoch', max(created_at)) * 1000)::float8 as ms from sightline.migrations`
  return row!.ms
})

/** State outside the schema: settings, roles, databases. */
const readCluster = Effect.gen(function* () {
  const sql = yield* SqlClient
  // A migration loads these libraries, whose settings then exist.
  yield* sql`select similarity('', '')`
  yield* sql`do $$ begin end $$`
  const lines = yield* sql<{ line: string }>`
    select concat_ws(' | ', name, setting) as line from pg_settings
    union all select concat_ws(' | ', rolname, rolsuper, rolcanlogin, rolbypassrls, rolcreaterole) from pg_roles
    union all select concat_ws(' | ', roleid::regrole, member::regrole, set_option) from pg_auth_members
    union all select concat_ws(' | ', datname, datistemplate, datallowconn, datcollate, encoding) from pg_database`
  return lines.map(({ line }) => line).toSorted()
})
const readAll = Effect.all({ catalogue: readCatalogue, cluster: readCluster, migratedAt: readMigratedAt })

const insertOrganization = Effect.flatMap(
  SqlClient,
  (sql) => sql`insert into sightline.organizations (id, name, plan) values ('acme', 'Acme', 'growth')`,
)
const countOrganizations = Effect.gen(function* () {
  const [row] = yield* (yield* SqlClient)<{ n: number }>`select count(*)::int as n from sightline.organizations`
  return row!.n
})

describe("a new database with the directory of the package", () => {
  const folder = mkdtempSync(join(tmpdir(), "sightline-new-directory-"))
  let template = ""
  let packed = ""
  let began = 0
  const at = (name: string) => join(folder, name)
  const within = <A, E>(layer: Layer.Layer<SqlClient, unknown>, effect: Effect.Effect<A, E, SqlClient>) =>
    Effect.runPromise(Effect.provide(effect, layer) as Effect.Effect<A, E>)
  const open = <A, E>(options: PgliteOptions, effect: Effect.Effect<A, E, SqlClient>) =>
    within(layerPglite({ reserve: 0, ...options }), effect)

  beforeAll(async () => {
    template = await migratedDirectory()
    const bytes = await pack(join(template, "postgres"))
    assert.isBelow(bytes.length, 2 * 1024 * 1024)
    packed = Buffer.from(bytes).toString("base64")
    began = Date.now()
  })
  afterAll(() => {
    for (const path of [folder, template]) rmSync(path, { recursive: true, force: true })
  })

  it("is one that has migrated: in its catalogue, settings, roles and databases", async () => {
    carried.packedDirectory = undefined
    const migrated = [await open({}, readAll), await open({ directory: at("migrated") }, readAll)]
    carried.packedDirectory = packed
    const loaded = [await open({}, readAll), await open({ directory: at("loaded") }, readAll)]
    for (const [n, { migratedAt, ...database }] of migrated.entries()) {
      const { migratedAt: loadedAt, ...other } = loaded[n]!
      assert.isAbove(database.catalogue.length, 1000)
      assert.deepStrictEqual(other, database)
      assert.isTrue(loadedAt < began && began <= migratedAt, `${loadedAt} ${began} ${migratedAt}`)
    }
  })

  it("keeps its rows when it starts again, and takes an extension", async () => {
    const directory = at("kept")
    await open({ directory }, Effect.void as Effect.Effect<void, never, SqlClient>)
    await within(layerPgliteOwner(directory), insertOrganization)
    const readExtension = Effect.gen(function* () {
      return yield* (yield* SqlClient)`select extname from pg_extension where extname = 'vector'`
    })
    assert.deepStrictEqual(await open({ directory, extensions: { vector } }, readExtension), [{ extname: "vector" }])
    assert.strictEqual(await within(layerPgliteOwner(directory), countOrganizations), 1)
    assert.strictEqual((await open({ extensions: { vector } }, readExtension)).length, 1)
  })

  it("replaces a copy that was cut off", async () => {
    const directory = at("cut")
    await open({ directory }, readMigratedAt)
    for (const path of ["PG_VERSION", "base/5", "global/pg_control"]) rmSync(join(directory, path), { recursive: true })
    assert.isBelow(await open({ directory }, readMigratedAt), began)
  })

  it("migrates as before with a directory of another version", async () => {
    const { packDirectory, unpackDirectory } = await import("../../src/adapters/database/prebuilt/format.ts")
    const { engine, functions, schema } = unpackDirectory(Buffer.from(packed, "base64"))
    const other = packDirectory(join(template, "postgres"), { engine, functions, schema: schema - 1 })
    carried.packedDirectory = Buffer.from(other).toString("base64")
    assert.isAtLeast(await open({}, readMigratedAt), began)
    carried.packedDirectory = packed
  })

  it("is no start for a restore, which makes its own tables", async () => {
    const readSchemas = Effect.gen(function* () {
      return yield* (yield* SqlClient)`select nspname from pg_namespace where nspname = 'sightline'`
    })
    assert.deepStrictEqual(await within(layerPgliteOwner(at("restored")), readSchemas), [])
  })
})
