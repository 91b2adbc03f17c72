import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { DatabaseChoice } from "../configuration/choices.ts"
import { ensureDirectory } from "../directory/dataDirectory.ts"

/** Bytes of a reply: a backup reads whole texts of documents. */
const MAX_MESSAGE_BYTES = 512 * 1024 * 1024

/**
 * One connection as the tables' owner, for backup and restore. Neither migrates nor sets anything for the session, so it also works
 * through a pooler.
 */
export const layerOwner = (choice: Exclude<DatabaseChoice, { kind: "memory" }>) =>
  Layer.unwrap(
    Effect.promise(async () => {
      if (choice.kind === "directory") {
        const { layerPgliteOwner } = await import("./pglite.ts")
        return Layer.unwrap(Effect.as(ensureDirectory(choice.directory), layerPgliteOwner(choice.directory)))
      }
      const { layer } = await import("@effect/sql-pg/PgClient")
      return layer({
        url: choice.migrationUrl ?? choice.url,
        applicationName: "sightline",
        connectTimeout: "10 seconds",
        prepare: choice.pooled !== true,
        maxConnections: 1,
        maxMessageSize: MAX_MESSAGE_BYTES,
      })
    }),
  )
