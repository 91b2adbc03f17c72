import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { Database, unavailable } from "../../../core/storage/Database.ts"
import { distribute, hasCitus } from "../../../core/storage/citus.ts"
import { layerStores } from "../../backup/stores.ts"
import { configuration } from "../../configuration/configuration.ts"
import { inWorkspace, Usage } from "../connection/workspace.ts"
import { print } from "../terminal/output.ts"
import { statusLine } from "../terminal/progress.ts"

/** Moves the tables of a database that has become a Citus cluster to their places, in one transaction. */
export const distributeTables = Effect.fnUntraced(function* (json: boolean) {
  const { database, blobs } = yield* configuration
  if (database.kind !== "postgres")
    return yield* new Usage({
      message: "--distribute needs SIGHTLINE_DATABASE_URL, the address of a Citus coordinator",
    })
  // Opening it updates the schema.
  const isCitus = yield* inWorkspace(
    Database.use(({ sql }) => Effect.provideService(unavailable(hasCitus), SqlClient, sql)),
  )
  if (!isCitus)
    return yield* new Usage({ message: "the database lacks the extension citus: create it on every node first" })
  const moved: Array<string> = []
  const report = (name: string) => {
    moved.push(name)
    return statusLine(`${moved.length} ${name}`)
  }
  yield* Effect.flatMap(SqlClient, (sql) => sql.withTransaction(distribute(report))).pipe(
    Effect.provide(layerStores(database, blobs)),
    Effect.ensuring(statusLine("")),
  )
  yield* print(json, { moved }, [moved.length === 0 ? "Every table is in its place" : `Moved ${moved.length} tables`])
})
