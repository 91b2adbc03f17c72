import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { isMigrated } from "../../../core/storage/migrate.ts"
import { Installation, makeInstallation, sessionSettings } from "../../../core/storage/session.ts"
import { selectDuplicates, MAX_DUPLICATES } from "../../../core/catalogue/duplicatesSql.ts"
import type { Configuration } from "../../configuration/configuration.ts"
import { type Check, ok } from "./checks.ts"

/** Organizations that it reads. It names the first few. */
const MAX_ORGANIZATIONS = 1000
const MAX_NAMED = 5

/** Lists CRM ids that two records of an organization share. Undefined if the database cannot be read yet: another check says why. */
export const checkDuplicates = ({ database }: Configuration): Effect.Effect<Check | undefined> => {
  if (database.kind === "memory") return Effect.succeed(undefined)
  const opened = Effect.promise(async () => {
    if (database.kind === "postgres") {
      const { layer } = await import("@effect/sql-pg/PgClient")
      return layer({ url: database.url, maxConnections: 1, connectTimeout: "5 seconds", prepare: false })
    }
    const [{ isThere }, { layerPgliteOwner }] = await Promise.all([
      import("../../database/engine.ts"),
      import("../../database/pglite.ts"),
    ])
    return isThere(database.directory) ? layerPgliteOwner(database.directory) : undefined
  })
  return Effect.flatMap(opened, (layer) =>
    layer === undefined
      ? Effect.succeed(undefined)
      : read.pipe(
          Effect.provide(layer),
          Effect.provideService(Installation, makeInstallation(database.kind === "postgres" ? database : {})),
        ),
  ).pipe(Effect.catchCause(() => Effect.succeed(undefined)))
}

const read = Effect.gen(function* () {
  const sql = yield* SqlClient
  const installation = yield* Installation
  return yield* sql.withTransaction(
    Effect.gen(function* () {
      yield* sql`set local role ${sql(installation.role)}`
      yield* sql`select set_config('search_path', ${sessionSettings(installation).search_path}, true)`
      if (!(yield* isMigrated)) return undefined
      const organizations = yield* sql<{ id: string }>`select id from list_organizations('', ${MAX_ORGANIZATIONS}::int)`
      const found: Array<readonly [org: string, count: number]> = []
      for (const { id } of organizations) {
        yield* sql`select set_config('sightline.organization', ${id}, true)`
        const duplicates = yield* sql`${selectDuplicates(sql, sql`${id}`)}`
        if (duplicates.length > 0) found.push([id, duplicates.length])
      }
      return describe(found)
    }),
  )
})

const describe = (found: ReadonlyArray<readonly [org: string, count: number]>): Check => {
  if (found.length === 0) return ok("ids", "no CRM id is stored in two forms")
  const named = found
    .slice(0, MAX_NAMED)
    .map(([org, count]) => `${count === MAX_DUPLICATES ? `${count} or more` : count} in ${org}`)
  const others = found.length > MAX_NAMED ? ` and ${found.length - MAX_NAMED} more organizations` : ""
  return {
    name: "ids",
    state: "warning",
    detail: `deals or clients share a CRM id, in its short and its long form: ${named.join(", ")}${others}`,
    remedy: "`duplicates` of GET /workspace lists them: keep one of each",
  }
}
