import process from "node:process"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import { SqlClient } from "effect/sql/SqlClient"
import { SqlError } from "effect/sql/SqlError"
import { Database, isTransient, unavailable } from "../../../core/storage/Database.ts"
import { finishTables, hasCitus, moveTables, prepareTables } from "../../../core/storage/citus.ts"
import { APPLICATION } from "../../../core/storage/session.ts"
import { explain, layerStores } from "../../backup/stores.ts"
import { configuration } from "../../configuration/configuration.ts"
import { inWorkspace, Usage } from "../connection/workspace.ts"
import { print } from "../terminal/output.ts"

/** A distributed deadlock ends the transaction of the command or of a request. */
const MAX_RETRIES = 10

/**
 * Moves the tables of a database that has become a Citus cluster to their places. Instances go on reading; their writes wait, or get a
 * 503, while the rows move. After a failure, the command continues.
 */
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
  const began = performance.now()
  const seconds = () => ((performance.now() - began) / 1000).toFixed(1)
  const moved: Array<string> = []
  const report = (text: string) =>
    json ? Effect.void : Effect.sync(() => void process.stderr.write(`${seconds()} s: ${text}\n`))
  yield* Effect.gen(function* () {
    const sql = yield* SqlClient
    /** Each transaction takes tables that requests hold, in another order than they do. */
    const transaction = <A, E, R>(step: Effect.Effect<A, E | SqlError, R>) =>
      Effect.retry(sql.withTransaction(step), {
        while: (error) => error instanceof SqlError && isTransient(error),
        times: MAX_RETRIES,
        schedule: Schedule.spaced("1 second"),
      })
    yield* refuseOldInstances
    const moving = yield* transaction(prepareTables)
    yield* transaction(
      Effect.suspend(() => {
        moved.length = 0
        return moveTables(moving, (name) => {
          moved.push(name)
          return report(`${moved.length} of ${moving.length}: ${name}`)
        })
      }),
    )
    yield* report("the rows are in their places; checking references")
    for (const step of yield* transaction(finishTables)) yield* transaction(step)
  }).pipe(Effect.provide(layerStores(database, blobs)), explain)
  yield* print(json, { moved }, [moved.length === 0 ? "Every table is in its place" : `Moved ${moved.length} tables`])
})

/** An instance that started before the extension was there would read no rows from the workers. */
const refuseOldInstances = Effect.gen(function* () {
  const sql = yield* SqlClient
  const [row] = yield* sql<{ old: number }>`select count(distinct client_addr)::int as old from pg_stat_activity
    where datname = current_database() and application_name = ${APPLICATION.server} and pid <> pg_backend_pid()`
  if ((row?.old ?? 0) > 0)
    return yield* new Usage({
      message:
        "instances that started before the extension citus was created are connected: restart them first, then they can go on reading",
    })
})
