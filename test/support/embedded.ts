import { cpSync, rmSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { layerPglite } from "../../src/adapters/database/pglite.ts"
import { resource, temporaryDatabases } from "./resources.ts"

/** A data directory of its own, whose embedded database is empty and migrated: opening it takes a tenth of creating it. The caller deletes it. */
export const migratedDirectory = async (): Promise<string> => {
  const directory = temporaryDatabases("embedded")
  cpSync(await resource("embeddedTemplate"), directory, { recursive: true })
  return directory
}

/** An embedded database that is empty and migrated, for one test file. */
export const layerEmbedded = Layer.unwrap(
  Effect.gen(function* () {
    const directory = yield* Effect.acquireRelease(Effect.promise(migratedDirectory), (path) =>
      Effect.sync(() => rmSync(path, { recursive: true, force: true })),
    )
    return layerPglite({ directory: join(directory, "postgres"), reserve: 0 })
  }),
)
