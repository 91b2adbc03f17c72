import { join } from "node:path"
import * as Effect from "effect/Effect"
import { layerPglite } from "../../src/adapters/database/pglite.ts"
import { ApiKeys } from "../../src/core/keys/ApiKeys.ts"
import * as Sightline from "../../src/core/Sightline.ts"
import { Database } from "../../src/core/storage/Database.ts"
import { makeInstallation } from "../../src/core/storage/session.ts"
import { GENEROUS, seed } from "./seed.ts"

/** Makes an embedded database with the same deals below `directory`, for a server to open. Returns a key. */
export const makeEmbedded = (directory: string, deals: number): Promise<string> =>
  Effect.runPromise(
    Effect.provide(
      Effect.gen(function* () {
        const { sql } = yield* Database
        yield* sql.unsafe("reset role")
        yield* sql.unsafe("set session_replication_role = replica")
        for (const statement of [...seed(deals, 1), GENEROUS, "analyze"]) yield* sql.unsafe(statement)
        yield* sql.unsafe("set session_replication_role = origin")
        yield* sql.unsafe(`set role ${makeInstallation({}).role}`)
        return (yield* (yield* ApiKeys).create("org_bench_1", { name: "bench", role: "admin" })).key
      }),
      Sightline.layer({ database: layerPglite({ directory: join(directory, "postgres") }) }),
    ),
  )
