import * as PgClient from "@effect/sql-pg/PgClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import { BulkRead } from "../../core/ports/BulkRead.ts"
import { APPLICATION_ROLE, migrate, SESSION_SETTINGS } from "../../core/storage/migrate.ts"
import { copyFrom } from "./copy.ts"

/**
 * PostgreSQL 16 or later. Migrates first, as the user of `url`; serves as the restricted role.
 * `connections` (default 10) is the size of this process's pool.
 */
export const layerPostgres = (options: { readonly url: Redacted.Redacted; readonly connections?: number }) => {
  const common = { url: options.url, applicationName: "sightline", connectTimeout: "10 seconds" } as const
  const migrated = Layer.effectDiscard(migrate).pipe(Layer.provide(PgClient.layer({ ...common, maxConnections: 1 })))
  const serving = PgClient.layer({
    ...common,
    maxConnections: options.connections ?? 10,
    startupParameters: { ...SESSION_SETTINGS, role: APPLICATION_ROLE, statement_timeout: "30000" },
  })
  const reading = Layer.succeed(BulkRead, { _tag: "copy", copy: copyFrom(options.url) })
  return Layer.unwrap(Effect.as(Layer.build(migrated), Layer.merge(serving, reading)))
}
