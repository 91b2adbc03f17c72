import { execFile } from "node:child_process"
import { chmodSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { Client } from "pg"
import { startServer } from "../adapters/processes.ts"
import { CITUS_PROGRAM } from "../support/citusCluster.ts"
import { freePort } from "../support/postgres.ts"
import { until } from "../support/until.ts"
import { SIGNING_SECRET } from "./protocol.ts"

const run = promisify(execFile)

/** Few shards, so that a test moves them often. */
const SHARDS = 4

/** A Citus cluster of its own, whose workers can be killed. The programs of PostgreSQL refuse to run as root. */
export const startCluster = (parent: string) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      chmodSync(parent, 0o755)
      const directory = join(parent, "cluster")
      const port = await freePort()
      const { stdout } = await run(CITUS_PROGRAM!, ["start", directory, String(port)])
      const url = stdout.trim()
      const coordinator = new Client({ connectionString: url })
      await coordinator.connect()
      const select = async <Row extends object>(statement: string, parameters: ReadonlyArray<unknown> = []) =>
        (await coordinator.query<Row>(statement, [...parameters])).rows
      await select(`alter database sightline set citus.shard_count = ${SHARDS}`)
      return {
        url,
        select,
        ports: [port + 1, port + 2],
        /** Makes the coordinator one again, after `drop extension citus`. */
        addExtension: async () => {
          await select("create extension citus")
          await select(`select citus_set_coordinator_host('127.0.0.1', $1)`, [port])
          for (const worker of [port + 1, port + 2]) await select(`select citus_add_node('127.0.0.1', $1)`, [worker])
        },
        /** Ends every process of the worker at once, as a crash would. */
        kill: (worker: number) => {
          const n = worker - port
          const pid = Number(readFileSync(join(directory, `n${n}`, "postmaster.pid"), "utf8").split("\n")[0])
          process.kill(pid, "SIGQUIT")
          return waitUntilGone(pid)
        },
        start: (worker: number) => {
          const data = join(directory, `n${worker - port}`)
          return run("su", [
            "postgres",
            "-s",
            "/bin/sh",
            "-c",
            `cd / && ${PG_CTL} -D ${data} -l ${data}.log -w start >/dev/null`,
          ])
        },
        stop: async () => {
          await coordinator.end()
          await run(CITUS_PROGRAM!, ["stop", directory])
        },
      }
    }),
    (cluster) => Effect.promise(cluster.stop),
  )
export type Cluster = Effect.Success<ReturnType<typeof startCluster>>

const PG_CTL = "/usr/lib/postgresql/15/bin/pg_ctl"

const waitUntilGone = (pid: number) =>
  until(`process ${pid} is gone`, () => {
    try {
      process.kill(pid, 0)
      return false
    } catch {
      return true
    }
  })

export const OPERATOR_KEY = "operator-key-of-the-tests-with-32-characters"

/** Starts processes of the service on the cluster, one after the other. */
export const startServers = (cluster: Cluster, directory: string, count: number) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const settings = {
        SIGHTLINE_DATABASE_URL: cluster.url,
        SIGHTLINE_DATA_DIR: directory,
        SIGHTLINE_SIGNING_SECRET: SIGNING_SECRET,
        SIGHTLINE_OPERATOR_KEY: OPERATOR_KEY,
        SIGHTLINE_DATABASE_CONNECTIONS: "4",
      }
      const servers = []
      for (let n = 0; n < count; n++) servers.push(await startServer("Node", settings))
      return servers
    }),
    (servers) => Effect.sync(() => servers.forEach(({ child }) => child.kill("SIGKILL"))),
  ).pipe(Effect.map((servers) => servers.map(({ url }) => new URL(url).origin)))

export interface Reply {
  readonly status: number
  readonly retryAfter: string | null
  readonly json: any
}

/** Sends a request; a string is sent as JSON Lines. */
export const send = async (
  origin: string,
  key: string,
  method: string,
  path: string,
  body?: unknown,
): Promise<Reply> => {
  const type = typeof body === "string" ? "application/x-ndjson" : "application/json"
  const reply = await fetch(`${origin}${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, ...(body !== undefined && { "content-type": type }) },
    ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
  })
  const text = await reply.text()
  const isJson = reply.headers.get("content-type")?.startsWith("application/json") === true
  return { status: reply.status, retryAfter: reply.headers.get("retry-after"), json: isJson ? JSON.parse(text) : text }
}

/** Whether a request waits or is refused as it should be: a 503 in the envelope that says when to retry. Anything else but success fails. */
export const isRefused = (what: string, { status, retryAfter, json }: Reply): boolean => {
  if (status < 300) return false
  assert.strictEqual(status, 503, `${what}: ${JSON.stringify(json)}`)
  assert.strictEqual(json.error.code, "service_unavailable", what)
  assert.isAbove(Number(retryAfter), 0, what)
  return true
}

export interface Tenant {
  readonly id: string
  readonly key: string
  /** The port of the worker that has its rows. */
  readonly worker: number
}

export const workerOf = async ({ select }: Cluster, org: string) => {
  const [row] = await select<{ port: number; shard: string }>(
    `select nodeport as port, shardid::text as shard from pg_dist_shard_placement
      where shardid = get_shard_id_for_distribution_column('sightline.deals', $1::text)`,
    [org],
  )
  return row!
}

export const createTenantOn = async (origin: string, plan = "enterprise") => {
  const { json } = await send(origin, OPERATOR_KEY, "POST", "/operator/organizations", { name: "Acme", plan })
  const key = { role: "admin", name: "tests" }
  const made = await send(origin, OPERATOR_KEY, "POST", `/operator/organizations/${json.id}/keys`, key)
  return { id: json.id as string, key: made.json.key as string }
}

export const createTenant = async (cluster: Cluster, origin: string, plan?: string): Promise<Tenant> => {
  const tenant = await createTenantOn(origin, plan)
  return { ...tenant, worker: (await workerOf(cluster, tenant.id)).port }
}

/** Creates organizations until each worker has one. */
export const tenantOfEach = async (cluster: Cluster, origin: string): Promise<readonly [Tenant, Tenant]> => {
  const found = new Map<number, Tenant>()
  while (found.size < cluster.ports.length) {
    const tenant = await createTenant(cluster, origin)
    found.set(tenant.worker, tenant)
  }
  return [found.get(cluster.ports[0]!)!, found.get(cluster.ports[1]!)!]
}
