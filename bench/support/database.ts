import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { Client } from "pg"
import { layerPostgres } from "../../src/adapters/database/postgres.ts"
import { ApiKeys } from "../../src/core/keys/ApiKeys.ts"
import { renderStored } from "../../src/core/deals/rows/stored.ts"
import * as Sightline from "../../src/core/Sightline.ts"
import { Database } from "../../src/core/storage/Database.ts"
import { parentOf } from "./cpu.ts"
import { startPostgres } from "../../test/support/postgres.ts"
import { GENEROUS, ORGANIZATIONS, seed } from "./seed.ts"

/** A PostgreSQL with the rows, and a key for each of its organizations. */
export interface BenchDatabase {
  readonly url: string
  readonly deals: number
  readonly keys: ReadonlyArray<{ readonly org: string; readonly key: string }>
  /** Keys over a limit once `spendLimits` has run. */
  readonly spent: Readonly<Record<SpentLimit, { readonly org: string; readonly key: string }>>
  /** A superuser's connection. */
  readonly admin: Client
  readonly postmaster: number
}

const SPENT_LIMITS = ["key", "organization", "monthly"] as const
export type SpentLimit = (typeof SPENT_LIMITS)[number]
const orgOfSpent = (limit: SpentLimit) => `org_spent_${limit}`

export type Server = Awaited<ReturnType<typeof startPostgres>> & { readonly postmaster: number }

/** PostgreSQL with its own defaults, but without autovacuum, whose CPU time would count for the peer that runs at that moment. */
export const startServer = async (...flags: ReadonlyArray<string>): Promise<Server> => {
  const server = await startPostgres(...flags)
  const admin = await connect(server.url)
  await admin.query("alter system set autovacuum = off")
  await admin.query("alter system set track_functions = 'pl'")
  await admin.query("select pg_reload_conf()")
  const { rows } = await admin.query<{ pid: number }>("select pg_backend_pid() as pid")
  const postmaster = parentOf(rows[0]!.pid)
  await admin.end()
  return { ...server, postmaster }
}

/** A new database with our schema, `deals` rows, their stored JSON, and statistics. */
export const makeDatabase = async (server: Server, deals: number): Promise<BenchDatabase> => {
  const url = new URL(server.url)
  const name = `bench_${deals}`
  const maintenance = await connect(server.url)
  await maintenance.query(`create database ${name}`)
  await maintenance.end()
  url.pathname = `/${name}`

  const keys = await run(url.href, async (services) => {
    const admin = await connect(url.href)
    for (const statement of BEFORE) await admin.query(statement)
    const indexes = await dropIndexes(admin)
    for (const statement of [...seed(deals), GENEROUS, ...indexes, "analyze"]) await admin.query(statement)
    for (const org of SPENT_LIMITS.map(orgOfSpent)) {
      await admin.query("insert into organizations (id, name, plan) values ($1, 'Spent', 'essentials')", [org])
      await admin.query("insert into organization_usage (org_id) values ($1)", [org])
    }
    for (const org of organizations()) {
      const { rows } = await admin.query<{ id: string }>("select id from deals where org_id = $1 order by id", [org])
      for (let from = 0; from < rows.length; from += BATCH) {
        await Promise.all(
          [0, BATCH / 2].map((half) => {
            const part = rows.slice(from + half, from + half + BATCH / 2)
            return services(
              render(
                org,
                part.map(({ id }) => id),
              ),
            )
          }),
        )
      }
    }
    await admin.query("vacuum (analyze)")
    await admin.end()
    return services(
      Effect.forEach([...organizations(), ...SPENT_LIMITS.map(orgOfSpent)], (org) =>
        Effect.map(
          Effect.flatMap(ApiKeys, (apiKeys) => apiKeys.create(org, { name: "bench", role: "member" })),
          ({ key }) => ({ org, key }),
        ),
      ),
    )
  })
  return {
    url: url.href,
    deals,
    keys: keys.slice(0, ORGANIZATIONS),
    spent: Object.fromEntries(
      SPENT_LIMITS.map((limit, n) => [limit, keys[ORGANIZATIONS + n]!] as const),
    ) as BenchDatabase["spent"],
    admin: await connect(url.href),
    postmaster: server.postmaster,
  }
}

/** A window may be two minutes ahead of the clock, and then lasts until its end. */
const AHEAD = "clock_ms() / 60000 + 2"
const ALL = "1000000000"

/** Uses up the limits of the keys in `spent` for the next two minutes. */
export const spendLimits = async ({ admin }: Pick<BenchDatabase, "admin">) => {
  const isOf = (limit: SpentLimit) => `org_id = '${orgOfSpent(limit)}'`
  const used = (limit: SpentLimit) => `case when ${isOf(limit)} then ${ALL} else 0 end`
  // The window of a key is the organization's.
  await admin.query(`update organization_usage set minute = ${AHEAD}, minute_used = ${used("organization")},
    month = month_of(clock_ms()), month_used = ${used("monthly")} where org_id like 'org_spent_%'`)
  await admin.query(`update api_key_usage u set minute = o.minute, minute_used = ${ALL}
    from organization_usage o where u.${isOf("key")} and o.org_id = u.org_id`)
}

const BATCH = 10_000

/** The generated rows have valid references, and checking each would double the time. */
export const BEFORE = [
  "set session_replication_role = replica",
  "set synchronous_commit = off",
  "set maintenance_work_mem = '256MB'",
]

/** Drops the indexes without constraints. Building them over existing rows is faster. */
export const dropIndexes = async (admin: Client): Promise<ReadonlyArray<string>> => {
  const { rows } = await admin.query<{ name: string; definition: string }>(
    `select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition
     from pg_index i join pg_class c on c.oid = i.indrelid
     where c.relnamespace = 'sightline'::regnamespace and c.relname like 'deal%'
       and not exists (select from pg_constraint where conindid = i.indexrelid)`,
  )
  for (const { name } of rows) await admin.query(`drop index ${name}`)
  return rows.map(({ definition }) => definition)
}

type Services = ApiKeys | Database

/** Runs effects with Sightline's services in this process. */
export const run = <A>(
  url: string,
  use: (services: <B, E>(effect: Effect.Effect<B, E, Services>) => Promise<B>) => Promise<A>,
): Promise<A> =>
  Effect.runPromise(
    Effect.provide(
      Effect.flatMap(Effect.context<Services>(), (context) =>
        Effect.promise(() => use((effect) => Effect.runPromise(Effect.provideContext(effect, context)))),
      ),
      Sightline.layer({ database: layerPostgres({ url: Redacted.make(url), connections: 2 }) }),
    ),
  )

const render = (org: string, ids: ReadonlyArray<string>) =>
  Effect.flatMap(Database, (database) => database.transaction(org, renderStored(database.sql, org, ids)))

export const organizations = () => Array.from({ length: ORGANIZATIONS }, (_, n) => `org_bench_${n + 1}`)

export const connect = async (url: string) => {
  const client = new Client({ connectionString: url, options: "-c search_path=sightline,public -c timezone=UTC" })
  // The server stops before this connection closes.
  client.on("error", () => {})
  await client.connect()
  return client
}
