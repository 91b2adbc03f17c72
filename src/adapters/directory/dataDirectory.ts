import { randomBytes } from "node:crypto"
import { accessSync, constants, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { dirname, join, resolve } from "node:path"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"

/** The data directory cannot be made, or not be written to. */
export class DirectoryUnusable extends Schema.TaggedError<DirectoryUnusable>()("DirectoryUnusable", {
  message: Schema.String,
}) {}

/** Makes `directory`, which `setting` names, where it is not there, for this user alone; sees that it can be written to. */
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

/** Looks whether `directory` is, or could be, one that this user may write to; makes nothing. */
export const lookAtDirectory = (directory: string): Effect.Effect<"there" | "absent", DirectoryUnusable> =>
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

/** What was kept under `name`, if anything was. */
export const readKept = (directory: string, name: string): Effect.Effect<string | undefined> =>
  Effect.sync(() => {
    try {
      return readFileSync(join(directory, name), "utf8")
    } catch {
      return undefined
    }
  })

/** Keeps a secret under `name`, readable by this user alone. */
export const keep = (directory: string, name: string, text: string) =>
  Effect.andThen(
    ensureDirectory(directory),
    Effect.try({
      try: () => writeFileSync(join(directory, name), text, { mode: 0o600 }),
      catch: (cause) => new DirectoryUnusable({ message: `cannot write to ${directory}: ${reason(cause)}` }),
    }),
  )

/** The secret that signs links: made once, so that links outlive a restart. Several instances need one in common: set it. */
export const keptSigningSecret = Effect.fnUntraced(function* (directory: string) {
  const kept = (yield* readKept(directory, SIGNING_SECRET))?.trim()
  if (kept !== undefined && kept.length >= 32) return Redacted.make(kept)
  const made = randomBytes(32).toString("base64url")
  yield* keep(directory, SIGNING_SECRET, made)
  return Redacted.make(made)
})

const SIGNING_SECRET = "signing-secret"

/** The key of `/operator`: made once, for the command line of this machine to find. */
export const keptOperatorKey = Effect.fnUntraced(function* (directory: string) {
  const kept = yield* readOperatorKey(directory)
  if (kept !== undefined) return kept
  const made = `op_${randomBytes(32).toString("base64url")}`
  yield* keep(directory, OPERATOR_KEY, `${made}\n`)
  return Redacted.make(made)
})

export const readOperatorKey = (directory: string) =>
  Effect.map(readKept(directory, OPERATOR_KEY), (text) => {
    const kept = text?.trim()
    return kept !== undefined && kept.length >= 32 ? Redacted.make(kept) : undefined
  })

const OPERATOR_KEY = "operator-key"
