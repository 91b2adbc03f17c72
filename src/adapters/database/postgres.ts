import * as PgClient from "@effect/sql-pg/PgClient"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import type { MigrationError } from "effect/sql/Migrator"
import type { SqlClient } from "effect/sql/SqlClient"
import { isSqlError, SqlError, UnknownError } from "effect/sql/SqlError"
import { makeIdUnsafe } from "../../core/common/ids.ts"
import { redact } from "../../core/common/secret.ts"
import { BulkRead } from "../../core/ports/BulkRead.ts"
import { hasCitus } from "../../core/storage/citus.ts"
import { type CannotMigrate, isMigrated, migrate } from "../../core/storage/migrate.ts"
import { type Listener, Notifications } from "../../core/storage/notifications.ts"
import { definePlans, hasPlans, type PlansNotWritable } from "../../core/storage/plans.ts"
import { PoolSize } from "../../core/storage/Database.ts"
import {
  APPLICATION,
  Installation,
  makeInstallation,
  IsDistributed,
  ONE_CONNECTION,
  PROPAGATED,
  ScopeForm,
  sessionSettings,
} from "../../core/storage/session.ts"
import { Vacuum } from "../../core/storage/Vacuum.ts"
import { assertPostgres, type PostgresOptions } from "./options.ts"
import { assertMayMigrate } from "./rights.ts"
import { copyFrom } from "./copy.ts"
import { layerPipelined } from "./pipelined.ts"
import { vacuumServer } from "./vacuum.ts"

export { inTransaction } from "./inTransaction.ts"
export type { HostClient } from "./hostConnection.ts"
export type { PostgresOptions }
export { CannotJoin } from "../../core/storage/hostTransaction.ts"

/** PostgreSQL 15 or later. Runs pending migrations, then serves as the restricted role. */
export const layerPostgres = (
  options: PostgresOptions,
): Layer.Layer<SqlClient, SqlError | MigrationError | CannotMigrate | PlansNotWritable> => {
  assertPostgres(options)
  const url = redact(options.url)
  const { connections = 10, pooled = false, scope: given = pooled ? "transaction" : "statement" } = options
  const listens = !pooled && options.listen !== false
  const installation = makeInstallation(options)
  const common = { connectTimeout: "10 seconds", prepare: !pooled } as const
  const makeClient = (scope: "statement" | "transaction", isCitus: boolean) => {
    const settings = {
      ...sessionSettings(installation),
      ...(isCitus && { ...PROPAGATED, ...ONE_CONNECTION }),
      role: installation.role,
      statement_timeout: "30000",
    }
    const serving = {
      ...common,
      applicationName: isCitus ? APPLICATION.citus : APPLICATION.server,
      url,
      maxConnections: connections,
      ...(!pooled && { startupParameters: settings }),
    }
    return scope === "transaction"
      ? layerPipelined({ ...serving, settings: pooled ? settings : {} })
      : PgClient.layer(serving)
  }
  const channel = `${installation.schema}.due`
  const listen = (listener: Listener) =>
    Effect.flatMap(
      Effect.promise(() => import("./listen.ts")),
      ({ listenOn }) =>
        listenOn(
          {
            ...common,
            applicationName: "sightline listen",
            url,
            startupParameters: { role: installation.role },
          },
          channel,
          listener,
        ),
    )
  return Layer.effectContext(
    Effect.gen(function* () {
      const layerScope = yield* Effect.scope
      const probing = yield* Scope.fork(layerScope)
      const probed = yield* Layer.buildWithScope(makeClient(given, false), probing)
      const asOwner = <A, E>(effect: Effect.Effect<A, E, SqlClient>) =>
        effect.pipe(
          Effect.provide(
            PgClient.layer({
              ...common,
              applicationName: "sightline migrate",
              url: redact(options.migrationUrl) ?? url,
              maxConnections: 1,
            }),
          ),
          Effect.provideService(Installation, installation),
        )
      const migrated = asOwner(Effect.andThen(assertMayMigrate, migrate))
      const probe = Effect.provideContext(hasCitus, probed)
      const isCitus = yield* Effect.catchIf(
        probe,
        // The role of the session is missing.
        ({ reason }) => reason._tag !== "ConnectionError",
        () => Effect.andThen(migrated, probe),
      )
      if (isCitus) yield* Scope.close(probing, Exit.void)
      const scope = isCitus ? "transaction" : given
      const context = (isCitus ? yield* Layer.build(makeClient(scope, true)) : probed).pipe(
        Context.add(BulkRead, { _tag: "copy", copy: copyFrom(url, installation) }),
        Context.add(PoolSize, connections),
        Context.add(Installation, installation),
        Context.add(ScopeForm, scope),
        Context.add(IsDistributed, isCitus),
        Context.add(Vacuum, vacuumServer(asOwner)),
        Context.add(
          Notifications,
          isCitus ? undefined : { channel, sender: makeIdUnsafe("prc"), listen: listens ? listen : undefined },
        ),
      )
      if (!(yield* Effect.provideContext(isMigrated, context))) {
        yield* migrated
      }
      if (!(yield* Effect.provideContext(hasPlans, context))) yield* asOwner(definePlans)
      return context
    }).pipe(Effect.mapError((error) => (isRefusedByPooler(error) ? POOLER : error))),
  )
}

const isRefusedByPooler = (error: unknown) =>
  isSqlError(error) && String(error.reason.cause).includes("unsupported startup parameter")

const message =
  "its address is that of a pooler, which refuses the settings of a session: set SIGHTLINE_DATABASE_POOLED=true (`pooled: true`)"
const POOLER = new SqlError({
  reason: new UnknownError({ cause: new Error(message), message, operation: "connect" }),
})
