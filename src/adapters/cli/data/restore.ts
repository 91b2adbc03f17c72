import { statSync } from "node:fs"
import * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { BlobStore } from "../../../core/ports/BlobStore.ts"
import { fingerprintOfSecret } from "../../../core/signing/SigningKeys.ts"
import { readArchive, Unreadable } from "../../backup/archive.ts"
import type { Manifest } from "../../backup/backup.ts"
import { CannotRestore, restoreEntries } from "../../backup/restore.ts"
import { explain, layerStores } from "../../backup/stores.ts"
import { openedBy, type Seal, type SealedBy } from "../../backup/seal.ts"
import { type Configuration, configuration } from "../../configuration/configuration.ts"
import { readSigningSecret } from "../../directory/dataDirectory.ts"
import { backupKeys } from "./backupKeys.ts"
import { print } from "../terminal/output.ts"
import { bar, statusLine } from "../terminal/progress.ts"
import { stopAtSignal } from "../terminal/signal.ts"
import { requireStored, secondsSince, summarize } from "./backup.ts"

/** Checks the whole file, then writes it into the configured database, which must be empty. */
export const restore = Effect.fnUntraced(function* ({
  file,
  passphraseFile,
  insecure,
  json,
}: {
  readonly file: string
  readonly passphraseFile: Option.Option<string>
  readonly insecure: boolean
  readonly json: boolean
}) {
  const settings = yield* configuration
  const database = yield* requireStored(settings.database)
  const keys = yield* backupKeys(settings, passphraseFile)
  const began = performance.now()
  const size = yield* Effect.try({
    try: () => statSync(file).size,
    catch: () => new Unreadable({ message: `${file} cannot be read: there is no such file` }),
  })
  let isSecretKnown = true
  let authenticatedBy: SealedBy | undefined
  const check = (seal: Seal | undefined, sha256: string) =>
    Effect.fnUntraced(function* (manifest: Manifest) {
      isSecretKnown = yield* checkSecret(settings, manifest)
      authenticatedBy = seal === undefined ? undefined : openedBy(seal, sha256, keys)
      if (authenticatedBy === undefined && seal !== undefined && !insecure) {
        return yield* new CannotRestore({ message: notAuthentic(seal) })
      }
      return authenticatedBy !== undefined
    })
  const shown = (verb: string) => {
    let read = 0
    return (bytes: number) => {
      read += bytes
      Effect.runSync(statusLine(`${verb}: [${bar(read / size)}]`))
    }
  }
  const counts = yield* Effect.gen(function* () {
    const blobs = yield* BlobStore
    const { sha256, seal } = yield* readArchive(file, ({ bytes }) => Stream.runDrain(bytes), shown("checking"))
    const counts = yield* restoreEntries({ blobs, check: check(seal, sha256) }, (take) =>
      Effect.flatMap(readArchive(file, take, shown("restoring")), (again) =>
        again.sha256 === sha256
          ? Effect.void
          : Effect.fail(new Unreadable({ message: `${file} changed meanwhile; nothing was restored` })),
      ),
    )
    return counts
  }).pipe(
    Effect.provide(layerStores(database, settings.blobs)),
    Effect.ensuring(statusLine("")),
    explain,
    stopAtSignal("nothing was restored"),
  )
  yield* print(
    json,
    { file, ...counts, signingSecret: isSecretKnown ? "known" : "needed", authenticatedBy: authenticatedBy ?? null },
    [
      `Restored ${file}: ${summarize(counts)}, in ${secondsSince(began)} s`,
      ...(authenticatedBy === undefined ? [KEYS_LEFT_OUT] : [`The ${authenticatedBy} authenticates it.`]),
      ...(isSecretKnown ? [] : [SECRET_NEEDED]),
    ],
  )
})

const KEYS_LEFT_OUT = `Nothing authenticates this backup, so its keys, sessions, plans and webhooks' secrets were left out, and webhooks are paused.
Make a first key: sightline keys create --org ID --role owner (sightline orgs list shows the ids)`

const notAuthentic = ({ by }: Seal) =>
  `the ${by} authenticates this backup, and none of this machine matches: somebody changed the backup, or the secret is another one
${
  by === "passphrase"
    ? "give the file of the passphrase with --passphrase-file"
    : by === "signing secret"
      ? "set SIGHTLINE_SIGNING_SECRET, or SIGHTLINE_SIGNING_SECRET_PREVIOUS, to the secret that was in use at the time of the backup"
      : "set SIGHTLINE_BACKUP_KEY to the key that was in use at the time of the backup"
}
to restore it without its keys, sessions, plans and webhooks' secrets, add --insecure`

const SECRET_NEEDED =
  "Start with the signing secret that was in use at the time of the backup: set SIGHTLINE_SIGNING_SECRET, or put the file signing-secret into the data directory. With another one the server does not start."

/** Whether a secret of this machine is the backup's. Fails if it has another one. */
const checkSecret = Effect.fnUntraced(function* (settings: Configuration, { signingSecret }: Manifest) {
  if (signingSecret === null) return true
  const secret = settings.signingSecret ?? (yield* readSigningSecret(settings.dataDirectory))
  const known = [secret, settings.previousSigningSecret].filter((one) => one !== undefined)
  if (known.length === 0) return false
  const fingerprints = yield* Effect.promise(() => Promise.all(known.map(fingerprintOfSecret)))
  if (fingerprints.includes(signingSecret)) return true
  return yield* new CannotRestore({
    message: `the signing secret differs from the one that was in use at the time of the backup: links would stop and webhooks could not be signed
set SIGHTLINE_SIGNING_SECRET to that one; to use a new secret from now on, also set SIGHTLINE_SIGNING_SECRET_PREVIOUS to the old one
if the old secret is lost, unset SIGHTLINE_SIGNING_SECRET, restore into a data directory without the file signing-secret, and run 'sightline signing-secret replace'`,
  })
})
