import process from "node:process"
import { assertOptions } from "../../core/common/InvalidOptions.ts"
import { isRecord } from "../../core/common/isRecord.ts"
import { callable, check, type Checks, flag, integer, shown, text } from "../../core/common/options.ts"
import type { Secret } from "../../core/common/secret.ts"
import { IDENTIFIER, IDENTIFIER_RULE } from "../../core/storage/session.ts"
import { bytes, revealed } from "../optionChecks.ts"
import type { PgliteExtension } from "./engine.ts"

export interface PgliteOptions {
  /**
   * The directory of the data, open in one process at a time; left out, the data lives in memory and ends with the process. Undefined is
   * refused: an unset variable would lose the data.
   */
  readonly directory?: string
  /** Extensions by name: `{ vector }`. A directory opened with one needs it ever after. */
  readonly extensions?: Readonly<Record<string, PgliteExtension>> | undefined
  /** Bytes that must stay free on the disk, so that running work can finish; default 256 MiB. */
  readonly reserve?: number | undefined
  /** Returns the free bytes of the disk; default: the system's figure. */
  readonly free?: (() => number) | undefined
  /** Called once with the reason when the engine ends by itself: queries then fail until a new process starts. */
  readonly onEnd?: ((why: string) => void) | undefined
}

export interface PostgresOptions {
  /** The login that serves. Its sessions take the restricted role, so it needs to own nothing: see docs/deploy.md. */
  readonly url: Secret
  /** The login that migrates and owns the tables. Default: `url`. */
  readonly migrationUrl?: Secret | undefined
  /** Connections of this process's pool; default 10. */
  readonly connections?: number | undefined
  /** Whether a pooler that shares sessions between transactions is in front: PgBouncer, Neon, Supabase, RDS Proxy. */
  readonly pooled?: boolean | undefined
  /**
   * Whether background work listens for notifications of other processes, on one more connection; default true. Behind a pooler, which
   * delivers none, it polls.
   */
  readonly listen?: boolean | undefined
  /** The schema of the tables; default `sightline`. */
  readonly schema?: string | undefined
  /** The restricted role; default `<schema>_app`. */
  readonly role?: string | undefined
  /** How a statement gets its organization; default `statement`. A pooler needs `transaction`, and so does Citus, which always has it. */
  readonly scope?: "statement" | "transaction" | undefined
}

const POSTGRES_URL = "postgres://user:password@host:5432/database"

/** The address may hold a password, so the message does not repeat it. */
const postgresUrl = (value: unknown) => {
  const found = revealed(value)
  const url = typeof found === "string" && URL.canParse(found) ? new URL(found) : undefined
  if (url === undefined || !["postgres:", "postgresql:"].includes(url.protocol)) {
    const what = found === "" ? "is empty" : typeof found === "string" ? "is another text" : `is ${shown(found)}`
    return `must be ${POSTGRES_URL}, but ${what}`
  }
  const user = url.username || url.searchParams.get("user") || process.env["USER"] || process.env["USERNAME"]
  return user ? undefined : `must name the user, as ${POSTGRES_URL} does: the environment names none in USER`
}

const identifier = check((value) => typeof value === "string" && IDENTIFIER.test(value), IDENTIFIER_RULE)

const POSTGRES: Checks<PostgresOptions> = {
  url: postgresUrl,
  migrationUrl: postgresUrl,
  connections: integer(1),
  pooled: flag,
  listen: flag,
  schema: identifier,
  role: identifier,
  scope: check((value) => value === "statement" || value === "transaction", 'must be "statement" or "transaction"'),
}

export const assertPostgres = (options: unknown) => assertOptions("layerPostgres", POSTGRES, options, ["url"])

const PGLITE: Checks<PgliteOptions> = {
  directory: text("the directory of the data, or be left out for a database in memory, which ends with the process"),
  extensions: check(isRecord, "must be an object of extensions by name"),
  reserve: bytes,
  free: callable("a function that returns the free bytes"),
  onEnd: callable("a function that takes the reason"),
}

/** A `directory` that is undefined, such as an unset variable, would keep the data in memory without a word. */
export const assertPglite = (options: unknown) =>
  assertOptions("layerPglite", PGLITE, options, isRecord(options) && "directory" in options ? ["directory"] : [])
