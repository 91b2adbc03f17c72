import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"

/** Ends the leases of all running jobs, as the database's owner: the processes that hold them are dead or stopped. */
export const endLeases = SqlClient.use((sql) =>
  sql.withTransaction(
    Effect.andThen(
      sql`set local role none`,
      sql`update sightline.jobs set lease_until = now() where state = 'running'`,
    ),
  ),
)
