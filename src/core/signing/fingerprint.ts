import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Database } from "../storage/Database.ts"

/** The database was last used with another signing secret. `message` says what to do. */
export class SigningSecretMismatch extends Schema.TaggedError<SigningSecretMismatch>()("SigningSecretMismatch", {
  message: Schema.String,
}) {}

/**
 * Compares the fingerprints of the accepted secrets, current first, with the stored one. Returns false if none matches.
 * Stores the current fingerprint if the database has none, or if the stored one is a previous one.
 */
export const adoptFingerprint = Effect.fnUntraced(function* ([current = "", ...previous]: ReadonlyArray<string>) {
  const { sql, unscoped } = yield* Database
  const readStored = Effect.map(
    unscoped<{ fingerprint: string }>(sql`select fingerprint from signing_secret`),
    ([row]) => row?.fingerprint,
  )
  let stored = yield* readStored
  if (stored === undefined) {
    yield* unscoped(sql`insert into signing_secret (fingerprint) values (${current}) on conflict do nothing`)
    // Another instance may have inserted its own first.
    stored = yield* readStored
  }
  if (stored === current) return true
  if (stored === undefined || !previous.includes(stored)) return false
  yield* unscoped(sql`update signing_secret set fingerprint = ${current}, since = now() where fingerprint = ${stored}`)
  yield* Effect.logInfo(
    "the signing secret was rotated; links, cursors and webhook secrets of the previous one still work",
  )
  return true
})

/** Deletes the stored fingerprint; the next start stores its own. */
export const forgetFingerprint = Database.use(({ sql, unscoped }) =>
  Effect.asVoid(unscoped(sql`delete from signing_secret`)),
)
