import { execFile } from "node:child_process"
import { chmodSync, mkdtempSync } from "node:fs"
import { createServer } from "node:http"
import { once } from "node:events"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import type { TestProject } from "vitest/node"
import { CITUS_PROGRAM, givenCluster } from "./citusProgram.ts"
import { freePort } from "./postgres.ts"

declare module "vitest" {
  interface ProvidedContext {
    /** Answers with the cluster's address; the first request starts it. */
    readonly citusStarter: string
  }
}

/** Vitest's global setup: starts one Citus cluster for the run, once a test asks for it, since that takes seconds. */
export default async (project: TestProject) => {
  let started: Promise<{ readonly url: string; readonly directory: string }> | undefined
  const start = async () => {
    const parent = mkdtempSync(join(tmpdir(), "sightline-citus-"))
    // The servers run under their own user.
    chmodSync(parent, 0o755)
    const directory = join(parent, "cluster")
    // Its workers have the two ports that follow.
    const { stdout } = await run(CITUS_PROGRAM, ["start", directory, String(await freePort())])
    return { url: stdout.trim(), directory }
  }
  const server = createServer((_, response) => {
    if (givenCluster !== undefined) return void response.end(givenCluster)
    started ??= start()
    started.then(
      ({ url }) => response.end(url),
      (error: unknown) => response.writeHead(500).end(String(error)),
    )
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  project.provide("citusStarter", `http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  return async () => {
    server.close()
    const cluster = await started?.catch(() => undefined)
    if (cluster !== undefined) await run(CITUS_PROGRAM, ["stop", cluster.directory])
  }
}

const run = promisify(execFile)
