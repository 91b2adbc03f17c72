import type * as Effect from "effect/Effect"
import type { DatabaseUnavailable } from "../../core/ports/DatabaseUnavailable.ts"
import { Database } from "../../core/storage/Database.ts"
import type { CannotJoin } from "../../core/storage/hostTransaction.ts"
import { makeConnection, type HostClient } from "./hostConnection.ts"

/**
 * Runs services in a transaction that the host has begun on a client of node-postgres: both commit, or neither does. If the effect
 * fails, what it did is rolled back, and the host's transaction goes on. Until the effect ends, the client is ours alone.
 */
export const inTransaction = <A, E, R>(
  client: HostClient,
  effect: Effect.Effect<A, E, R>,
): Effect.Effect<A, E | CannotJoin | DatabaseUnavailable, R | Database> =>
  Database.use(({ join }) => join(client, () => makeConnection(client), effect))
