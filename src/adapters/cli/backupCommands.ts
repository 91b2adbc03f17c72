import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { json, lazily, toggle } from "./flags.ts"

const archive = Argument.String("file").pipe(Argument.withDescription("The file of the backup, a .tar.gz"))
const passphraseFile = Flag.String("passphrase-file").pipe(
  Flag.withDescription("A file with the passphrase that authenticates the backup, instead of SIGHTLINE_BACKUP_KEY"),
  Flag.optional,
)

export const backup = Command.make(
  "backup",
  { file: archive, passphraseFile, json },
  lazily(async () => (await import("./data/backup.ts")).backup),
).pipe(Command.withDescription("Write every row and file into one file, as of one moment"))

export const restore = Command.make(
  "restore",
  {
    file: archive,
    passphraseFile,
    insecure: toggle(
      "insecure",
      "Restore a backup that nothing authenticates, without its keys, plans and webhooks' secrets",
    ),
    json,
  },
  lazily(async () => (await import("./data/restore.ts")).restore),
).pipe(Command.withDescription("Check a backup, and write it into an empty database"))
