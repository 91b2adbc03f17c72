import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { isSqlError } from "effect/sql/SqlError"
import { Database } from "../../core/storage/Database.ts"
import { Installation, makeInstallation } from "../../core/storage/session.ts"
import type { BlobsChoice, DatabaseChoice } from "../configuration/choices.ts"
import { layerBlobs } from "../configuration/options.ts"
import { layerOwner } from "../database/owner.ts"

/** A step of a backup or restore failed. */
export class Failed extends Schema.TaggedError<Failed>()("Failed", { message: Schema.String }) {}

export type StoredDatabase = Exclude<DatabaseChoice, { kind: "memory" }>

/** The database as its owner, its installation, and the store of files. */
export const layerStores = (database: StoredDatabase, blobs: BlobsChoice) =>
  layerBlobs(blobs).pipe(
    Layer.provide(Database.layerOwner),
    Layer.provideMerge(layerOwner(database)),
    Layer.provideMerge(
      Layer.succeed(Installation, database.kind === "postgres" ? makeInstallation(database) : makeInstallation({})),
    ),
  )

/** Gives each failure a message for the command line. */
export const explain = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.mapError(effect, (error): { readonly _tag: string; readonly message: string } => {
    if (isSqlError(error)) {
      const { cause } = error.reason
      return new Failed({ message: `the database failed: ${cause instanceof Error ? cause.message : error.message}` })
    }
    const { _tag, message } = error as Partial<Failed>
    return _tag !== undefined && message !== undefined && message !== ""
      ? (error as unknown as Failed)
      : new Failed({ message: String(error) })
  })
