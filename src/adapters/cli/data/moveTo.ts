import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import { BlobStore } from "../../../core/ports/BlobStore.ts"
import { withSnapshot } from "../../backup/backup.ts"
import { restoreEntries } from "../../backup/restore.ts"
import { explain, layerStores, type StoredDatabase } from "../../backup/stores.ts"
import type { BlobsChoice } from "../../configuration/choices.ts"
import { type Configuration, configuration } from "../../configuration/configuration.ts"
import { Invalid, postgresUrl } from "../../configuration/values.ts"
import { keepSigningSecret, readSigningSecret } from "../../directory/dataDirectory.ts"
import { VERSION } from "../../version.ts"
import { Usage } from "../connection/workspace.ts"
import { print } from "../terminal/output.ts"
import { statusLine } from "../terminal/progress.ts"
import { stopAtSignal } from "../terminal/signal.ts"
import { requireStored, secondsSince, showOrganizations, summarize } from "./backup.ts"

/** Copies everything of the configured database into an empty one: a PostgreSQL's, or an embedded one in another data directory. */
export const moveTo = Effect.fnUntraced(function* (to: string, json: boolean) {
  const settings = yield* configuration
  const source = yield* requireStored(settings.database)
  const target = yield* resolveTarget(settings, to)
  const began = performance.now()
  const counts = yield* Effect.gen(function* () {
    const from = yield* BlobStore
    const blobs = target.movesFiles ? from : undefined
    return yield* withSnapshot({ version: VERSION, blobs, onProgress: showOrganizations }, (entries) =>
      Effect.flatMap(BlobStore, (blobs) => restoreEntries({ blobs }, (take) => Stream.runForEach(entries, take))).pipe(
        Effect.provide(layerStores(target.database, target.blobs)),
      ),
    )
  }).pipe(
    Effect.provide(layerStores(source, settings.blobs)),
    Effect.ensuring(statusLine("")),
    explain,
    stopAtSignal("nothing was copied"),
  )
  if (target.directory !== undefined) {
    const secret = settings.signingSecret ?? (yield* readSigningSecret(settings.dataDirectory))
    if (secret !== undefined) yield* keepSigningSecret(target.directory, secret)
  }
  yield* print(json, counts, [
    `Copied ${summarize(counts)}, in ${secondsSince(began)} s`,
    target.directory === undefined
      ? `Start with SIGHTLINE_DATABASE_URL set to the new address; keep ${settings.signingSecret === undefined ? "the data directory, which has the signing secret" : "SIGHTLINE_SIGNING_SECRET"}${target.movesFiles ? "" : ", and the store of files"}.`
      : `Start with SIGHTLINE_DATA_DIR=${target.directory}.`,
  ])
})

interface Target {
  readonly database: StoredDatabase
  readonly blobs: BlobsChoice
  /** Whether the files go to another store. */
  readonly movesFiles: boolean
  /** The new data directory, if the target is one. */
  readonly directory?: string
}

/** Files in the database move with it, those of the default folder move to another data directory; others stay where they are. */
const resolveTarget = Effect.fnUntraced(function* (settings: Configuration, to: string) {
  const { blobs, dataDirectory, database } = settings
  if (/^postgres(?:ql)?:/.test(to)) {
    const url = postgresUrl(to)
    if (url instanceof Invalid)
      return yield* new Usage({ message: "--to must be postgres://user:password@host:5432/database, or a directory" })
    if (database.kind === "postgres" && Redacted.value(database.url) === to)
      return yield* new Usage({ message: "--to is the database that SIGHTLINE_DATABASE_URL names" })
    const { schema, role } = settings.installation
    const found: Target = {
      database: { kind: "postgres", url, schema, role },
      blobs,
      movesFiles: blobs.kind === "database",
    }
    return found
  }
  const isDefault = blobs.kind === "files" && blobs.directory === `${dataDirectory}/blobs`
  const found: Target = {
    database: { kind: "directory", directory: join(to, "postgres") },
    blobs: isDefault ? { kind: "files", directory: join(to, "blobs") } : blobs,
    movesFiles: isDefault || blobs.kind === "database",
    directory: to,
  }
  return found
})
