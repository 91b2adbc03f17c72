import { readFileSync } from "node:fs"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import type { BackupKey, SealedBy } from "../../backup/seal.ts"
import type { Configuration } from "../../configuration/configuration.ts"
import { readSigningSecret } from "../../directory/dataDirectory.ts"
import { Usage } from "../connection/workspace.ts"

const MIN_PASSPHRASE = 12

/** The secrets of this machine that may authenticate a backup, the one for a new backup first. */
export const backupKeys = Effect.fnUntraced(function* (settings: Configuration, passphraseFile: Option.Option<string>) {
  const passphrase = Option.isNone(passphraseFile) ? undefined : yield* readPassphrase(passphraseFile.value)
  const signingSecret = settings.signingSecret ?? (yield* readSigningSecret(settings.dataDirectory))
  const given: ReadonlyArray<readonly [SealedBy, Redacted.Redacted | undefined]> = [
    ["passphrase", passphrase],
    ["SIGHTLINE_BACKUP_KEY", settings.backupKey],
    ["signing secret", signingSecret],
    ["signing secret", settings.previousSigningSecret],
  ]
  return given.flatMap(([by, secret]): ReadonlyArray<BackupKey> => (secret === undefined ? [] : [{ by, secret }]))
})

const readPassphrase = Effect.fnUntraced(function* (file: string) {
  const text = yield* Effect.try({
    try: () => readFileSync(file, "utf8").trim(),
    catch: (cause) => new Usage({ message: `--passphrase-file ${file} cannot be read: ${String(cause)}` }),
  })
  if (text.length >= MIN_PASSPHRASE) return Redacted.make(text)
  return yield* new Usage({
    message: `--passphrase-file ${file} must have a passphrase of ${MIN_PASSPHRASE} characters or more, but has ${text.length}`,
  })
})
