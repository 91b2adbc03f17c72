import * as PgClient from "@effect/sql-pg/PgClient"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import { BulkRead } from "../../core/ports/BulkRead.ts"
import { isMigrated, migrate } from "../../core/storage/migrate.ts"
import { PoolSize } from "../../core/storage/Database.ts"
import { APPLICATION_ROLE, SESSION_SETTINGS } from "../../core/storage/session.ts"
import { copyFrom } from "./copy.ts"

export interface PostgresOptions {
  /** The login that serves. Its sessions take the restricted role, so it needs to own nothing: see docs/storage.md. */
  readonly url: Redacted.Redacted
  /** The login that migrates and owns the tables. Default: `url`. */
  readonly migrationUrl?: Redacted.Redacted | undefined
  /** Connections of this process's pool; default 10. */
  readonly connections?: number
}

/** PostgreSQL 15 or later. Runs pending migrations, then serves as the restricted role. */
export const layerPostgres = (options: PostgresOptions) => {
  const { connections = 10 } = options
  const common = { applicationName: "sightline", connectTimeout: "10 seconds" } as const
  const migrating = PgClient.layer({ ...common, url: options.migrationUrl ?? options.url, maxConnections: 1 })
  const serving = PgClient.layer({
    ...common,
    url: options.url,
    maxConnections: connections,
    startupParameters: { ...SESSION_SETTINGS, role: APPLICATION_ROLE, statement_timeout: "30000" },
  })
  return Layer.effectContext(
    Effect.gen(function* () {
      const context = yield* Layer.build(serving)
      if (!(yield* Effect.provideContext(isMigrated, context))) yield* Effect.provide(migrate, migrating)
      return context.pipe(
        Context.add(BulkRead, { _tag: "copy", copy: copyFrom(options.url) }),
        Context.add(PoolSize, connections),
      )
    }),
  )
}
