import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Database } from "../storage/Database.ts"

/** The database was last used with another signing secret. The message says what to do. */
export class SigningSecretMismatch extends Schema.TaggedError<SigningSecretMismatch>()("SigningSecretMismatch", {
  message: Schema.String,
}) {}

/**
 * Compares the fingerprints of the accepted secrets, the current one first, with the one that the database keeps; false:
 * it is none of them. The first secret used with a database is remembered, and a rotation replaces it.
 */
export const adoptFingerprint = Effect.fnUntraced(function* (
  { sql, unscoped }: Database["Service"],
  [current = "", ...previous]: ReadonlyArray<string>,
) {
  const kept = Effect.map(
    unscoped<{ fingerprint: string }>(sql`select fingerprint from signing_secret`),
    ([row]) => row?.fingerprint,
  )
  let found = yield* kept
  if (found === undefined) {
    yield* unscoped(sql`insert into signing_secret (fingerprint) values (${current}) on conflict do nothing`)
    // Another instance may have been first.
    found = yield* kept
  }
  if (found === current) return true
  if (found === undefined || !previous.includes(found)) return false
  yield* unscoped(sql`update signing_secret set fingerprint = ${current}, since = now() where fingerprint = ${found}`)
  yield* Effect.logInfo(
    "the signing secret was rotated; links, cursors and webhook secrets of the previous one still work",
  )
  return true
})

/** Forgets which secret the database was used with: the next start remembers its own. */
export const forgetFingerprint = ({ sql, unscoped }: Database["Service"]) =>
  Effect.asVoid(unscoped(sql`delete from signing_secret`))
