import { execFile } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync, statfsSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { inject } from "vitest"
import type { TestProject } from "vitest/node"
import { installPackages } from "../../build/installPackages.ts"
import { startCitus } from "./citusCluster.ts"
import { startPostgres } from "./postgres.ts"

/** The resources that all test files of a run share. Each is made once, at the first request. */
export type Resource =
  /** The address of a PostgreSQL server, as a superuser. */
  | "postgres"
  /** The name of a migrated database on that server, to which no test connects. */
  | "postgresTemplate"
  /** A data directory whose embedded database is migrated, to copy. */
  | "embeddedTemplate"
  /** The address of a Citus coordinator. */
  | "citus"
  /** The path of the compiled program. */
  | "binary"
  /** The packages of `test/conformance/workerd`. */
  | "workerd"

interface Made {
  readonly value: string
  readonly drop?: () => unknown
}

declare module "vitest" {
  interface ProvidedContext {
    /** Replies to `GET /<resource>` with its value. */
    readonly resources: string
  }
}

const PROJECT = fileURLToPath(new URL("../../", import.meta.url))
const TEMPLATE_PROGRAM = fileURLToPath(new URL("./templateProgram.ts", import.meta.url))
const TEMPLATE = "sightline_template"
const MIN_MEMORY_BYTES = 4 * 1024 ** 3

/** The folder of this run's temporary databases: in memory, where there is enough of it. */
const folderOfDatabases = () => {
  try {
    const { bavail, bsize } = statfsSync("/dev/shm")
    if (bavail * bsize >= MIN_MEMORY_BYTES) return "/dev/shm"
  } catch {
    // macOS has no such folder.
  }
  return tmpdir()
}

export const temporaryDatabases = (name: string) => mkdtempSync(join(folderOfDatabases(), `sightline-${name}-`))

const run = promisify(execFile)

/** Opening an embedded database blocks its process for seconds: a process of its own makes each template. */
const makeTemplate = (...args: ReadonlyArray<string>) => run(process.execPath, [TEMPLATE_PROGRAM, ...args])

const MAKERS: Readonly<Record<Resource, (get: (name: Resource) => Promise<string>) => Promise<Made>>> = {
  postgres: async () => {
    const given = process.env["TEST_POSTGRES_URL"]
    if (given !== undefined) return { value: given }
    // The files do not outlive the run, so nothing waits for the disk.
    const unsafe = ["fsync", "synchronous_commit", "full_page_writes"].flatMap((name) => ["-c", `${name}=off`])
    const server = await startPostgres(...unsafe)
    return { value: server.url, drop: server.stop }
  },
  postgresTemplate: async (get) => {
    await makeTemplate("postgres", await get("postgres"), TEMPLATE)
    return { value: TEMPLATE }
  },
  embeddedTemplate: async () => {
    const directory = temporaryDatabases("template")
    await makeTemplate("embedded", directory)
    return { value: directory, drop: () => rmSync(directory, { recursive: true, force: true }) }
  },
  citus: async () => {
    const cluster = await startCitus()
    return { value: cluster.url, drop: cluster.stop }
  },
  binary: async () => {
    const directory = mkdtempSync(join(tmpdir(), "sightline-binary-"))
    const file = join(directory, "sightline")
    await run(join(PROJECT, "node_modules/.bin/bun"), ["build/binary.ts", file], { cwd: PROJECT })
    return { value: file, drop: () => rmSync(directory, { recursive: true, force: true }) }
  },
  workerd: async () => ({ value: await installPackages("test/conformance/workerd") }),
}

/** Vitest's global setup. */
export default async (project: TestProject) => {
  const made = new Map<Resource, Promise<Made>>()
  const get = async (name: Resource): Promise<string> => {
    const making = made.get(name) ?? MAKERS[name](get)
    made.set(name, making)
    return (await making).value
  }
  const server = createServer((request, response) => {
    get(request.url!.slice(1) as Resource).then(
      (value) => response.end(value),
      (error: unknown) => response.writeHead(500).end(String(error)),
    )
  })
  server.requestTimeout = 0
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  project.provide("resources", `http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  return async () => {
    server.close()
    for (const making of [...made.values()].toReversed()) {
      const resource = await making.catch(() => undefined)
      await resource?.drop?.()
    }
  }
}

/** Makes the resource, or waits for the file that makes it. Returns its value. */
export const resource = async (name: Resource): Promise<string> => {
  const reply = await fetch(`${inject("resources")}/${name}`)
  const text = await reply.text()
  if (!reply.ok) throw new Error(`the run cannot make its ${name}: ${text}`)
  return text
}
