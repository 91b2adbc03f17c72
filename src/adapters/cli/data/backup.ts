import * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import { BlobStore } from "../../../core/ports/BlobStore.ts"
import { writeArchive } from "../../backup/archive.ts"
import { type Counts, withSnapshot } from "../../backup/backup.ts"
import { explain, layerStores, type StoredDatabase } from "../../backup/stores.ts"
import { sealBy } from "../../backup/seal.ts"
import { configuration } from "../../configuration/configuration.ts"
import { VERSION } from "../../version.ts"
import { Usage } from "../connection/workspace.ts"
import { backupKeys } from "./backupKeys.ts"
import { print } from "../terminal/output.ts"
import { bar, count, statusLine } from "../terminal/progress.ts"
import { stopAtSignal } from "../terminal/signal.ts"

/** Writes everything of the configured database and its store of files into one file. */
export const backup = Effect.fnUntraced(function* (input: {
  readonly file: string
  readonly passphraseFile: Option.Option<string>
  readonly json: boolean
}) {
  const settings = yield* configuration
  const database = yield* requireStored(settings.database)
  const [key] = yield* backupKeys(settings, input.passphraseFile)
  const began = performance.now()
  const result = yield* Effect.gen(function* () {
    const blobs = yield* BlobStore
    return yield* withSnapshot(
      { version: VERSION, blobs, onProgress: showOrganizations },
      (entries, manifest, counts) =>
        Effect.map(writeArchive(input.file, entries, key && sealBy(key)), (bytes) => ({
          ...counts,
          bytes,
          schema: manifest.schema,
          authenticatedBy: key?.by ?? null,
        })),
    )
  }).pipe(
    Effect.provide(layerStores(database, settings.blobs)),
    Effect.ensuring(statusLine("")),
    explain,
    stopAtSignal("no file was written"),
  )
  yield* print(input.json, { file: input.file, ...result }, [
    `Wrote ${input.file}: ${summarize(result)}, ${count(result.bytes)} bytes, in ${secondsSince(began)} s`,
    key === undefined
      ? "Nothing authenticates it, and a restore will leave out its keys: set SIGHTLINE_BACKUP_KEY, or give --passphrase-file."
      : `The ${key.by} authenticates it: restore needs the same one.`,
    "It does not contain the signing secret: keep SIGHTLINE_SIGNING_SECRET, or the file signing-secret of the data directory, with it.",
  ])
})

export const requireStored = Effect.fnUntraced(function* (database: StoredDatabase | { readonly kind: "memory" }) {
  if (database.kind !== "memory") return database
  return yield* new Usage({
    message:
      "SIGHTLINE_DATABASE_URL=memory: ends with each process; set it to postgres://…, or unset it for the data directory",
  })
})

export const summarize = ({ organizations, rows, files }: Counts) =>
  `${count(organizations)} organization${organizations === 1 ? "" : "s"}, ${count(rows)} rows, ${count(files)} files`

export const secondsSince = (began: number) => ((performance.now() - began) / 1000).toFixed(1)

export const showOrganizations = ({ organizations, rows, files }: Counts, all: number) =>
  statusLine(
    `[${bar(organizations / Math.max(all, 1))}] ${count(organizations)} of ${count(all)} organizations, ${count(rows)} rows, ${count(files)} files`,
  )
