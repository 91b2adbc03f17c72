import { type ChildProcess, spawn } from "node:child_process"
import { cpSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import type { SqlClient } from "effect/sql/SqlClient"
import { layerPglite } from "../../src/adapters/database/pglite.ts"
import { layerPostgres } from "../../src/adapters/database/postgres.ts"
import { ApiKeys } from "../../src/core/access/ApiKeys.ts"
import { hash } from "../../src/core/access/secret.ts"
import * as Sightline from "../../src/core/Sightline.ts"
import { Database } from "../../src/core/storage/Database.ts"
import { Organizations } from "../../src/core/workspace/Organizations.ts"
import { freshPostgresUrl } from "../support/engines.ts"
import type { Target } from "./Client.ts"

const ROOT = fileURLToPath(new URL("../../", import.meta.url))

/** The command line in each runtime. */
const RUNTIMES = {
  Node: ["node"],
  Bun: ["bun"],
  Deno: ["deno", "run", "--allow-all"],
} as const
export type Runtime = keyof typeof RUNTIMES
export type Engine = "PGlite" | "PostgreSQL"

export const MATRIX: ReadonlyArray<readonly [Runtime, Engine]> = (["PostgreSQL", "PGlite"] as const).flatMap((engine) =>
  (["Node", "Bun", "Deno"] as const).map((runtime) => [runtime, engine] as const),
)

/** `twin` is like the first organization and takes half of the requests, which exceed one organization's limit per minute. */
type Keys = Omit<Target, "baseUrl"> & { readonly twin: string }

/** A separate database with four organizations, and the settings with which a server finds it. */
export interface Prepared {
  readonly environment: Readonly<Record<string, string>>
  readonly keys: Keys
  readonly drop: () => void
}

const OLDER_KEY = "a-key-from-before-there-was-a-prefix"

const tenants = Effect.gen(function* () {
  const organizations = yield* Organizations
  const keys = yield* ApiKeys
  const database = yield* Database
  const make = Effect.fnUntraced(function* (plan: "enterprise" | "essentials", requestsPerMinute: number) {
    const { id } = yield* organizations.create({ name: plan, plan })
    return { id, key: (yield* keys.create(id, { name: "conformance", role: "owner", requestsPerMinute })).key }
  })
  const [main, twin, other, small] = [
    yield* make("enterprise", 300),
    yield* make("enterprise", 300),
    yield* make("enterprise", 300),
    yield* make("essentials", 50),
  ]
  const older = yield* keys.create(other.id, { name: "older", role: "viewer" })
  const digest = yield* hash(OLDER_KEY)
  yield* database.transaction(
    other.id,
    database.sql`update api_keys set hash = ${digest} where org_id = ${other.id} and id = ${older.id}`,
  )
  return {
    key: main.key,
    twin: twin.key,
    otherKey: other.key,
    smallKey: small.key,
    olderKey: OLDER_KEY,
    write: true,
  } satisfies Keys
})

const prepareIn = <E>(database: Layer.Layer<SqlClient, E>): Promise<Keys> =>
  Effect.runPromise(Effect.orDie(Effect.provide(tenants, Sightline.layer({ database }))))

const temporary = (name: string) => mkdtempSync(join(tmpdir(), `sightline-${name}-`))

/** Creating an embedded database takes seconds, so it is created once and copied. */
let template: Promise<{ readonly directory: string; readonly keys: Keys }> | undefined
const pgliteTemplate = () =>
  (template ??= (async () => {
    const directory = temporary("template")
    return { directory, keys: await prepareIn(layerPglite({ directory: join(directory, "postgres") })) }
  })())

export const dropTemplate = async () => {
  if (template !== undefined) rmSync((await template).directory, { recursive: true, force: true })
}

export const prepare = async (engine: Engine): Promise<Prepared> => {
  const directory = temporary("conformance")
  const drop = () => rmSync(directory, { recursive: true, force: true })
  const environment = { SIGHTLINE_DATA_DIR: directory }
  if (engine === "PGlite") {
    const made = await pgliteTemplate()
    cpSync(made.directory, directory, { recursive: true })
    return { environment, keys: made.keys, drop }
  }
  const url = await Effect.runPromise(freshPostgresUrl)
  const keys = await prepareIn(layerPostgres({ url: Redacted.make(url), connections: 2 }))
  return { environment: { ...environment, SIGHTLINE_DATABASE_URL: url }, keys, drop }
}

export interface RunningServer {
  readonly url: string
  readonly stop: () => Promise<void>
  /** The text on stderr. */
  readonly log: () => string
}

/** Runs `serve` in a separate process on a free port. */
export const startServer = (runtime: Runtime, environment: Readonly<Record<string, string>>): Promise<RunningServer> =>
  new Promise((resolve, reject) => {
    const [command, ...args] = RUNTIMES[runtime]
    const child = spawn(command, [...args, "src/adapters/cli/main.js", "serve", "--json"], {
      cwd: ROOT,
      env: {
        PATH: `${join(ROOT, "node_modules/.bin")}:${process.env["PATH"]}`,
        HOME: process.env["HOME"] ?? tmpdir(),
        PORT: "0",
        ...environment,
      },
      stdio: ["ignore", "pipe", "pipe"],
    })
    let out = ""
    let log = ""
    const deadline = setTimeout(() => {
      child.kill("SIGKILL")
      reject(new Error(`${runtime} did not listen within 60 s: ${log}`))
    }, 60_000)
    child.stderr.on("data", (chunk) => (log += chunk))
    child.stdout.on("data", (chunk) => {
      out += chunk
      if (!out.includes("\n")) return
      clearTimeout(deadline)
      resolve({ url: JSON.parse(out.split("\n")[0] ?? "").url, stop: () => stop(child), log: () => log })
    })
    child.once("error", reject)
    child.once("exit", (code) => {
      clearTimeout(deadline)
      reject(new Error(`${runtime} ended with ${code}: ${log}`))
    })
  })

const stop = (child: ChildProcess) =>
  new Promise<void>((resolve) => {
    if (child.exitCode !== null) return resolve()
    const force = setTimeout(() => child.kill("SIGKILL"), 10_000)
    child.once("exit", () => {
      clearTimeout(force)
      resolve()
    })
    child.kill("SIGTERM")
  })
