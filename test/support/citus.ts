import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { SqlClient } from "effect/sql/SqlClient"
import { layerPostgres } from "../../src/adapters/database/postgres.ts"
import { makeIdUnsafe } from "../../src/core/common/ids.ts"
import { oneConnection } from "./oneConnection.ts"
import { resource } from "./resources.ts"

export { hasCitus } from "./citusCluster.ts"

/** Few shards: each table of each test's database has as many. */
const SHARDS = 4

interface Node {
  readonly host: string
  readonly port: number
}

const run = (url: URL, ...statements: ReadonlyArray<string>) =>
  Effect.provide(
    Effect.flatMap(SqlClient, (sql) => Effect.forEach(statements, (text) => sql.unsafe(text), { discard: true })),
    oneConnection(url.href),
  )

const at = (url: URL, { host, port }: Node, database: string) => {
  const node = new URL(url)
  node.host = `${host}:${port}`
  node.pathname = `/${database}`
  return node
}

const clusterUrl = Effect.promise(() => resource("citus"))

/** Creates a migrated database on every node of the cluster. Returns its address at the coordinator. */
const freshUrl = (refusesManyShards: boolean) =>
  Effect.gen(function* () {
    const url = new URL(yield* clusterUrl)
    return yield* Effect.provide(
      Effect.flatMap(SqlClient, (sql) => sql.withTransaction(create(url, sql, refusesManyShards))),
      oneConnection(url.href),
    )
  })

/** Refuses statements that read or write several shards, except those of background functions. */
export const freshCitusUrl = freshUrl(true)
/** For tests whose own statements name no organization. */
export const freshCitusUrlOverShards = freshUrl(false)

const create = Effect.fnUntraced(function* (url: URL, sql: SqlClient, refusesManyShards: boolean) {
  // Roles belong to all databases of a cluster, and Citus alters them without a lock.
  yield* sql`select pg_advisory_xact_lock(hashtext('sightline.tests'))`
  const name = makeIdUnsafe("test").toLowerCase()
  const own = { host: url.hostname, port: Number(url.port) }
  const workers =
    yield* sql<Node>`select nodename as host, nodeport as port from pg_dist_node where groupid > 0 order by nodeid`
  for (const node of [own, ...workers]) {
    yield* run(at(url, node, url.pathname.slice(1)), `create database ${name}`)
    yield* run(at(url, node, name), `create extension citus`)
  }
  const fresh = at(url, own, name)
  yield* run(
    fresh,
    `alter database ${name} set citus.shard_count = ${SHARDS}`,
    `select citus_set_coordinator_host('${own.host}', ${own.port})`,
    ...workers.map(({ host, port }) => `select citus_add_node('${host}', ${port})`),
  )
  yield* Effect.scoped(Layer.build(layerPostgres({ url: Redacted.make(fresh.href), connections: 1 })))
  if (refusesManyShards) yield* run(fresh, `alter database ${name} set citus.multi_task_query_log_level = 'error'`)
  return fresh.href
})
