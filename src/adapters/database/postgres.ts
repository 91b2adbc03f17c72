import * as PgClient from "@effect/sql-pg/PgClient"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import { BulkRead } from "../../core/ports/BulkRead.ts"
import { APPLICATION_ROLE, isMigrated, migrate, SESSION_SETTINGS } from "../../core/storage/migrate.ts"
import { copyFrom } from "./copy.ts"

/**
 * PostgreSQL 16 or later. Serves as the restricted role; what is left to migrate is done first, as the user of `url`.
 * `connections` (default 10) is the size of this process's pool.
 */
export const layerPostgres = (options: { readonly url: Redacted.Redacted; readonly connections?: number }) => {
  const common = { url: options.url, applicationName: "sightline", connectTimeout: "10 seconds" } as const
  const migrating = PgClient.layer({ ...common, maxConnections: 1 })
  const serving = PgClient.layer({
    ...common,
    maxConnections: options.connections ?? 10,
    startupParameters: { ...SESSION_SETTINGS, role: APPLICATION_ROLE, statement_timeout: "30000" },
  })
  return Layer.effectContext(
    Effect.gen(function* () {
      const context = yield* Layer.build(serving)
      if (!(yield* Effect.provideContext(isMigrated, context))) yield* Effect.provide(migrate, migrating)
      return Context.add(context, BulkRead, { _tag: "copy", copy: copyFrom(options.url) })
    }),
  )
}
