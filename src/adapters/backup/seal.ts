import { createHmac, randomBytes, scryptSync, timingSafeEqual } from "node:crypto"
import * as Redacted from "effect/Redacted"

/** The secrets that can authenticate a backup, as its last entry and the command line name them. */
const SEALED_BY = ["SIGHTLINE_BACKUP_KEY", "passphrase", "signing secret"] as const
export type SealedBy = (typeof SEALED_BY)[number]

export interface BackupKey {
  readonly by: SealedBy
  readonly secret: Redacted.Redacted
}

/** Proves that the holder of a secret wrote the backup with this SHA-256. */
export interface Seal {
  readonly by: SealedBy
  /** In hexadecimal, like `hmac`. */
  readonly salt: string
  readonly hmac: string
}

/** A passphrase is short: each guess costs 16 MiB and some 50 ms. */
const hmacOf = (secret: Redacted.Redacted, salt: string, sha256: string): Buffer =>
  createHmac("sha256", scryptSync(Redacted.value(secret), Buffer.from(salt, "hex"), 32))
    .update(`sightline backup 1\n${sha256}`)
    .digest()

export const sealBy =
  ({ by, secret }: BackupKey) =>
  (sha256: string): Seal => {
    const salt = randomBytes(16).toString("hex")
    return { by, salt, hmac: hmacOf(secret, salt, sha256).toString("hex") }
  }

/** The key among `keys` that sealed the backup. */
export const openedBy = (seal: Seal, sha256: string, keys: ReadonlyArray<BackupKey>): SealedBy | undefined => {
  const given = Buffer.from(seal.hmac, "hex")
  const found = keys.find(({ secret }) => {
    const expected = hmacOf(secret, seal.salt, sha256)
    return given.length === expected.length && timingSafeEqual(given, expected)
  })
  return found?.by
}

/** The seal in the last entry of a backup; undefined if it has none, as before version 1 had seals. */
export const readSeal = (end: unknown): Seal | undefined => {
  const { seal } = end as { readonly seal?: Partial<Seal> }
  const { by, salt, hmac } = seal ?? {}
  return typeof salt === "string" && typeof hmac === "string" && SEALED_BY.some((one) => one === by)
    ? { by: by as SealedBy, salt, hmac }
    : undefined
}
