import { type ChildProcess, fork } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"
import * as NodeRedis from "@effect/platform-node/NodeRedis"
import * as PgClient from "@effect/sql-pg/PgClient"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { Redis } from "effect/persistence/Redis"
import { SqlClient } from "effect/sql/SqlClient"
import { layerPostgres } from "../../src/adapters/database/postgres.ts"
import { layerRedis } from "../../src/adapters/limits/redis.ts"
import { Admission } from "../../src/core/access/Admission.ts"
import { ApiKeys, type NewKey } from "../../src/core/keys/ApiKeys.ts"
import { Usage } from "../../src/core/keys/Usage.ts"
import { Database } from "../../src/core/storage/Database.ts"
import { IdentityRequests, type Plan } from "../../src/core/access/plans.ts"
import { Organizations } from "../../src/core/catalogue/Organizations.ts"
import { migratedPostgresUrl } from "../support/engines.ts"
import { redisUrl } from "../support/redis.ts"
import type { Job, Reply, Setup } from "./worker.ts"
import { oneConnection } from "../support/oneConnection.ts"
import { layerOrganizations } from "../support/organizations.ts"

/** Gives tests control over a store of counters: a superuser, the clock, and processes that use it. */
export class Store extends Context.Service<
  Store,
  {
    readonly superuser: SqlClient
    /** Counts the statements that `Admission` sent to the database. */
    readonly statements: () => number
    /** Moves the time by which `Admission` keeps keys and refusals. Only tests move it. */
    readonly advance: (ms: number) => Effect.Effect<void>
    /** Runs a test in one window of the store. Runs it again if the minute of Redis ends meanwhile. */
    readonly inOneWindow: <A, E, R>(test: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
    /** Sets the monthly usage of an organization that has used this month already. */
    readonly spend: (
      org: string,
      spent: { readonly monthUsed: number; readonly exportsUsed: number },
    ) => Effect.Effect<void>
    readonly setup: Omit<Setup, "clockShiftMs">
  }
>()("test/limits/Store") {}

/** The initial time of the test clock in PostgreSQL, in Unix milliseconds; only tests move it. */
export const START = Date.parse("2031-05-17T10:00:20.000Z")

/** Makes `clock_ms()` of PostgreSQL read a row that tests write. */
const holdClock = (sql: SqlClient) =>
  Effect.forEach(
    [
      `create table sightline.test_clock (ms bigint not null)`,
      `insert into sightline.test_clock values (${START})`,
      `create or replace function sightline.clock_ms() returns bigint language sql volatile security definer
        as $$ select ms from sightline.test_clock $$`,
    ],
    (text) => sql.unsafe(text),
    { discard: true },
  )

export const setClock = (sql: SqlClient, ms: number) => sql`update sightline.test_clock set ms = ${ms}::float8::bigint`

const minuteNow = () => Math.floor(Date.now() / 60_000)

const repeatAcrossMinutes = Effect.fnUntraced(function* <A, E, R>(test: Effect.Effect<A, E, R>) {
  for (;;) {
    const minute = minuteNow()
    const exit = yield* Effect.exit(test)
    if (minuteNow() === minute) return yield* exit
  }
})

export const inOneWindow = <A, E, R>(test: Effect.Effect<A, E, R>) =>
  Effect.flatMap(Store, (store) => store.inOneWindow(test))

const make = (kind: "PostgreSQL" | "Redis") =>
  Layer.unwrap(
    Effect.gen(function* () {
      const databaseUrl = yield* Effect.orDie(migratedPostgresUrl)
      const redis = kind === "Redis" ? yield* redisUrl : undefined
      const url = Redacted.make(databaseUrl)
      const database = yield* Layer.build(Database.layer.pipe(Layer.provide(layerPostgres({ url, connections: 4 }))))
      const superuser = Context.get(yield* Layer.build(oneConnection(url)), PgClient.PgClient)
      yield* superuser`insert into sightline.plans values
        ('unbounded', 1000000000, 1000000000, 1000000000, 1000000000), ('small', 8, 4, 60, 3)`
      if (redis === undefined) yield* holdClock(superuser)

      const client =
        redis === undefined ? undefined : Context.get(yield* Layer.build(NodeRedis.layer({ url: redis })), Redis)

      let statements = 0
      const inner = Context.get(database, Database)
      const counting = Layer.succeed(Database, {
        ...inner,
        unscoped: (statement) => {
          statements++
          return inner.unscoped(statement)
        },
      })
      const limits =
        redis === undefined
          ? Layer.mergeAll(Admission.layerDatabase, Usage.layerDatabase)
          : layerRedis({ url: Redacted.make(redis) })
      let monotonicMs = 0
      const clock: Clock.Clock = Object.assign(Object.create(yield* Clock.Clock), {
        monotonicTimeNanosUnsafe: () => BigInt(monotonicMs) * 1_000_000n,
      })
      return Layer.mergeAll(
        Layer.provide(limits, [Layer.succeed(Clock.Clock, clock), Layer.succeed(IdentityRequests, 400)]),
        ApiKeys.layer,
        layerOrganizations,
        Layer.succeed(Store, {
          superuser,
          statements: () => statements,
          advance: (ms) => Effect.sync(() => void (monotonicMs += ms)),
          inOneWindow: (test) => (redis === undefined ? test : repeatAcrossMinutes(test)),
          spend: (org, { monthUsed, exportsUsed }) =>
            client === undefined
              ? Effect.orDie(
                  Effect.asVoid(superuser`update sightline.organization_usage
                    set month_used = ${monthUsed}, exports_used = ${exportsUsed} where org_id = ${org}`),
                )
              : Effect.orDie(
                  Effect.asVoid(
                    client.send(
                      "HSET",
                      `sightline:limits:{${org}}`,
                      "month_used",
                      `${monthUsed}`,
                      "exports_used",
                      `${exportsUsed}`,
                    ),
                  ),
                ),
          setup: { databaseUrl, redisUrl: redis },
        }),
      ).pipe(Layer.provideMerge(counting))
    }),
  )

export const stores = {
  PostgreSQL: make("PostgreSQL"),
  Redis: make("Redis"),
} as const

/** Creates an organization with a key for each entry of `keys`. */
export const tenant = Effect.fnUntraced(function* (plan: Plan, keys: ReadonlyArray<Partial<NewKey>>) {
  const { id } = yield* (yield* Organizations).create({ name: "Acme", plan })
  const apiKeys = yield* ApiKeys
  const made = yield* Effect.forEach(keys, (key, index) =>
    apiKeys.create(id, { name: `key ${index}`, role: "admin", ...key }),
  )
  return { id, keys: made, tokens: made.map(({ key }) => key) }
})

/** Starts a process that uses the store; kills it when the scope closes. */
export const worker = (store: Store["Service"], clockShiftMs = 0) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const setup: Setup = { ...store.setup, clockShiftMs }
      const child = fork(fileURLToPath(new URL("worker.ts", import.meta.url)), [JSON.stringify(setup)])
      await new Promise((resolve, reject) => {
        child.once("message", resolve)
        child.once("exit", () => reject(new Error("the worker ended at its start")))
      })
      return child
    }),
    (child) => Effect.promise(() => kill(child)),
  )

export const kill = async (child: ChildProcess) => {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill("SIGKILL")
  await once(child, "exit")
}

export const ask = (child: ChildProcess, job: Job) =>
  Effect.promise(async () => {
    child.send(job)
    const [reply] = (await once(child, "message")) as [Reply]
    return reply.decisions
  })
