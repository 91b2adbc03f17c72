import { rmSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import type { SqlClient } from "effect/sql/SqlClient"
import { layerPglite } from "../../src/adapters/database/pglite.ts"
import { layerPostgres } from "../../src/adapters/database/postgres.ts"
import { ApiKeys } from "../../src/core/keys/ApiKeys.ts"
import { hash } from "../../src/core/access/secret.ts"
import * as Sightline from "../../src/core/Sightline.ts"
import { Database } from "../../src/core/storage/Database.ts"
import { Organizations } from "../../src/core/catalogue/Organizations.ts"
import { freshCitusUrl } from "../support/citus.ts"
import { migratedDirectory } from "../support/embedded.ts"
import { migratedPostgresUrl } from "../support/engines.ts"
import { startPgBouncer } from "../support/pgbouncer.ts"
import type { Target } from "./Client.ts"
import type { Engine } from "./matrix.ts"

/** `twins` are pairs like `key` and `otherKey`: all checks exceed the limits of one organization in a minute, and would wait for the next. */
type Keys = Omit<Target, "baseUrl"> & { readonly twins: ReadonlyArray<Pick<Target, "key" | "otherKey">> }

const TWINS = 3

/** A separate database with its organizations, and the settings with which a server finds it. */
export interface Prepared {
  readonly environment: Readonly<Record<string, string>>
  readonly keys: Keys
  readonly drop: () => Promise<void>
}

const OLDER_KEY = "a-key-from-before-there-was-a-prefix"

const tenants = Effect.gen(function* () {
  const organizations = yield* Organizations
  const keys = yield* ApiKeys
  const database = yield* Database
  const make = Effect.fnUntraced(function* (plan: "enterprise" | "essentials", requestsPerMinute: number) {
    const { id } = yield* organizations.create({ name: plan, plan })
    return { id, key: (yield* keys.create(id, { name: "conformance", role: "owner", requestsPerMinute })).key }
  })
  const large = make("enterprise", 300)
  const [main, other, small] = [yield* large, yield* large, yield* make("essentials", 50)]
  const twins = yield* Effect.replicateEffect(Effect.all([large, large]), TWINS)
  const older = yield* keys.create(other.id, { name: "older", role: "viewer" })
  const digest = yield* hash(OLDER_KEY)
  yield* database.transaction(
    other.id,
    database.sql`update api_keys set hash = ${digest} where org_id = ${other.id} and id = ${older.id}`,
  )
  return {
    key: main.key,
    otherKey: other.key,
    twins: twins.map(([{ key }, { key: otherKey }]) => ({ key, otherKey })),
    smallKey: small.key,
    olderKey: OLDER_KEY,
    write: true,
  } satisfies Keys
})

const prepareIn = <E>(database: Layer.Layer<SqlClient, E>): Promise<Keys> =>
  Effect.runPromise(Effect.orDie(Effect.provide(tenants, Sightline.layer({ database }))))

export const prepare = async (engine: Engine): Promise<Prepared> => {
  const directory = await migratedDirectory()
  const drop = async () => rmSync(directory, { recursive: true, force: true })
  const environment = { SIGHTLINE_DATA_DIR: directory, SIGHTLINE_SIGNING_SECRET: "a secret that only these checks use" }
  if (engine === "PGlite") {
    return { environment, keys: await prepareIn(layerPglite({ directory: join(directory, "postgres") })), drop }
  }
  const url = await Effect.runPromise(engine === "Citus" ? freshCitusUrl : migratedPostgresUrl)
  const keys = await prepareIn(layerPostgres({ url: Redacted.make(url), connections: 2 }))
  if (engine !== "PgBouncer") return { environment: { ...environment, SIGHTLINE_DATABASE_URL: url }, keys, drop }
  const pooler = await startPgBouncer(url)
  return {
    environment: { ...environment, SIGHTLINE_DATABASE_URL: pooler.through(url), SIGHTLINE_DATABASE_POOLED: "true" },
    keys,
    drop: () => pooler.close().then(drop),
  }
}
