import { type ChildProcess, execFile, spawn } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { resource } from "../support/resources.ts"
import { until } from "../support/until.ts"
import type { Runtime } from "./matrix.ts"

const ROOT = fileURLToPath(new URL("../../", import.meta.url))
const CACHE = join(ROOT, "node_modules/.cache")
const PATH = `${join(ROOT, "node_modules/.bin")}:${process.env["PATH"]}`

interface Launch {
  /** Builds in `directory` what the command runs. */
  readonly build?: (directory: string) => ReadonlyArray<string>
  readonly command: (directory: string, binary: string | undefined) => ReadonlyArray<string>
}

const SERVE = ["src/adapters/cli/main.js", "serve", "--json"]

const LAUNCHES: Readonly<Record<Runtime, Launch>> = {
  Node: { command: () => ["node", ...SERVE] },
  Bun: { command: () => ["bun", ...SERVE] },
  Deno: { command: () => ["deno", "run", "--allow-all", ...SERVE] },
  "Deno, two permissions": {
    build: (directory) => ["node", "src/adapters/deploy/bundle.ts", directory],
    command: (directory) =>
      `deno serve --no-prompt --allow-net --allow-env --host 127.0.0.1 --port 0 ${directory}/main.js`.split(" "),
  },
  "bundled Node host": {
    build: (directory) => ["node", "test/conformance/hosts/bundleHost.ts", directory],
    command: (directory) => ["node", join(directory, "host.js")],
  },
  workerd: {
    build: (directory) => ["node", "test/conformance/hosts/bundleWorker.ts", directory],
    command: (directory) => ["node", "test/conformance/workerd/serve.ts", directory],
  },
  binary: {
    command: (_, binary) => [binary!, "serve", "--json"],
  },
}

const built = new Map<Runtime, Promise<string>>()

/** Builds what a runtime runs, once. */
const buildOnce = (runtime: Runtime): Promise<string> => {
  const made = built.get(runtime) ?? make(runtime)
  built.set(runtime, made)
  return made
}

const make = async (runtime: Runtime) => {
  // Packages that a bundle leaves out are found from here.
  mkdirSync(CACHE, { recursive: true })
  const directory = mkdtempSync(join(CACHE, "conformance-"))
  const [command, ...args] = LAUNCHES[runtime].build?.(directory) ?? []
  if (command !== undefined) await promisify(execFile)(command, args, { cwd: ROOT, env: { ...process.env, PATH } })
  return directory
}

/** Deletes what the runtimes ran. */
export const dropBuilds = async () => {
  for (const directory of built.values()) rmSync(await directory, { recursive: true, force: true })
}

export interface RunningServer {
  readonly url: string
  readonly stop: () => Promise<void>
  /** The text on stderr. */
  readonly log: () => string
}

/** Runs the service in a separate process on a free port. */
export const startServer = async (
  runtime: Runtime,
  environment: Readonly<Record<string, string>>,
): Promise<RunningServer> => {
  const [command, ...args] = LAUNCHES[runtime].command(
    await buildOnce(runtime),
    runtime === "binary" ? await resource("binary") : undefined,
  )
  const child = spawn(command!, args, {
    cwd: ROOT,
    env: { PATH, HOME: process.env["HOME"] ?? tmpdir(), PORT: "0", ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  })
  let out = ""
  let log = ""
  child.stderr.on("data", (chunk) => (log += chunk))
  child.stdout.on("data", (chunk) => (out += chunk))
  const url = await until(`${runtime} listens`, () => {
    if (child.exitCode !== null) throw new Error(`${runtime} ended with ${child.exitCode}: ${log}`)
    return /http:\/\/127\.0\.0\.1:\d+(?=\D)/.exec(out + log)?.[0]
  })
  return { url, stop: () => stop(child), log: () => log }
}

const stop = async (child: ChildProcess) => {
  child.kill("SIGTERM")
  await until(`${child.spawnfile} ends after SIGTERM`, () => child.exitCode !== null || child.signalCode !== null)
}
