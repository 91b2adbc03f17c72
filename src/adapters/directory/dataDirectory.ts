import { randomBytes } from "node:crypto"
import { accessSync, constants, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { dirname, join, resolve } from "node:path"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"

/** The data directory cannot be created or written to. */
export class DirectoryUnusable extends Schema.TaggedError<DirectoryUnusable>()("DirectoryUnusable", {
  message: Schema.String,
}) {}

/** Creates `directory`, for this user only, if it is missing, and checks that it is writable. `setting` names it, for a message. */
export const ensureDirectory = (directory: string, setting = "SIGHTLINE_DATA_DIR") =>
  Effect.try({
    try: () => {
      mkdirSync(directory, { recursive: true, mode: 0o700 })
      accessSync(directory, constants.R_OK | constants.W_OK | constants.X_OK)
    },
    catch: (cause) =>
      new DirectoryUnusable({
        message: `${setting} must be a writable directory, but ${directory}: ${reason(cause)}`,
      }),
  })

/** Checks whether `directory` is, or could become, writable for this user; creates nothing. */
export const inspectDirectory = (directory: string): Effect.Effect<"there" | "absent", DirectoryUnusable> =>
  Effect.try({
    try: () => {
      const isThere = existsSync(directory)
      let nearest = resolve(directory)
      while (!existsSync(nearest)) nearest = dirname(nearest)
      if (!statSync(nearest).isDirectory()) throw new Error("it is not a directory")
      accessSync(nearest, constants.R_OK | constants.W_OK | constants.X_OK)
      return isThere ? "there" : "absent"
    },
    catch: (cause) => new DirectoryUnusable({ message: `${directory}: ${reason(cause)}` }),
  })

export const reason = (cause: unknown) => (cause instanceof Error ? cause.message.split(", ")[0] : String(cause))

/** The text stored under `name`, if any. */
export const readStored = (directory: string, name: string): Effect.Effect<string | undefined> =>
  Effect.sync(() => {
    try {
      return readFileSync(join(directory, name), "utf8")
    } catch {
      return undefined
    }
  })

/** Stores a secret under `name`, readable by this user only. */
export const keep = (directory: string, name: string, text: string) =>
  Effect.andThen(
    ensureDirectory(directory),
    Effect.try({
      try: () => writeFileSync(join(directory, name), text, { mode: 0o600 }),
      catch: (cause) => new DirectoryUnusable({ message: `cannot write to ${directory}: ${reason(cause)}` }),
    }),
  )

/** The secret that signs links, created once so that links survive a restart. Several instances need to share one: set it there. */
export const loadSigningSecret = Effect.fnUntraced(function* (directory: string) {
  const kept = yield* readSigningSecret(directory)
  if (kept !== undefined) return kept
  const made = Redacted.make(randomBytes(32).toString("base64url"))
  yield* keepSigningSecret(directory, made)
  return made
})

/** The secret of a data directory, if it has one. */
export const readSigningSecret = (directory: string) =>
  Effect.map(readStored(directory, SIGNING_SECRET), (text) => {
    const kept = text?.trim() ?? ""
    return kept.length >= 32 ? Redacted.make(kept) : undefined
  })

export const keepSigningSecret = (directory: string, secret: Redacted.Redacted) =>
  keep(directory, SIGNING_SECRET, Redacted.value(secret))

const SIGNING_SECRET = "signing-secret"

/** The key of `/operator`, created once, where this machine's command line finds it. */
export const loadOperatorKey = Effect.fnUntraced(function* (directory: string) {
  const kept = yield* readOperatorKey(directory)
  if (kept !== undefined) return kept
  const made = `op_${randomBytes(32).toString("base64url")}`
  yield* keep(directory, OPERATOR_KEY, `${made}\n`)
  return Redacted.make(made)
})

export const readOperatorKey = (directory: string) =>
  Effect.map(readStored(directory, OPERATOR_KEY), (text) => {
    const kept = text?.trim()
    return kept !== undefined && kept.length >= 32 ? Redacted.make(kept) : undefined
  })

const OPERATOR_KEY = "operator-key"
