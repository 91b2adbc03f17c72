import type { Configuration } from "../../configuration/configuration.ts"
import { type Check, ok, warning } from "./checks.ts"

/** Says which secret authenticates backups, and whether it survives this machine. */
export const checkBackups = ({ backupKey, signingSecret }: Configuration): Check => {
  if (backupKey !== undefined) return ok("backups", "authenticated by SIGHTLINE_BACKUP_KEY")
  if (signingSecret !== undefined) return ok("backups", "authenticated by SIGHTLINE_SIGNING_SECRET")
  return warning(
    "backups",
    "authenticated by the signing secret in the data directory, which is lost with this machine: set SIGHTLINE_BACKUP_KEY, or back up with --passphrase-file",
  )
}
