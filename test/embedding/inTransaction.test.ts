import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import { Client, type ClientBase, Pool, type PoolClient } from "pg"
import { afterAll, beforeAll } from "vitest"
import { CannotJoin, type HostClient, inTransaction, layerPostgres } from "../../src/adapters/database/postgres.ts"
import { layerLibrary } from "../../src/adapters/library.ts"
import { makeIdUnsafe } from "../../src/core/common/ids.ts"
import {
  Changes,
  Database,
  Deals,
  Exports,
  Import,
  open,
  Organizations,
  type Sightline,
} from "../../src/core/Sightline.ts"
import { migratedPostgresUrl } from "../support/engines.ts"
import { needs } from "../support/needs.ts"
import { hasPgBouncer, type PgBouncer, startPgBouncer } from "../support/pgbouncer.ts"
import { resource } from "../support/resources.ts"
import { until } from "../support/until.ts"
import { UNLIMITED } from "../support/unlimited.ts"

const withLogin = (url: string, login: string) => {
  const changed = new URL(url)
  changed.username = login
  changed.password = "host"
  return changed.href
}

const addDeal = (org: string, id: string) =>
  Import.use(({ records }) => records(org, Stream.make({ type: "deal", id, name: `Deal ${id}` })))
const dealsOf = (org: string) =>
  Effect.map(
    Deals.use(({ rows }) => rows(org, { columns: ["name"], sort: "name", sortOrder: "asc" })),
    ({ data }) => data.map(({ id }) => id),
  )

/** State of the connection on which a host's own statements depend. */
const SESSION = `select current_user::text as role, current_setting('search_path') as path,
  current_setting('timezone') as zone, current_setting('statement_timeout') as timeout,
  coalesce(current_setting('sightline.organization', true), '') as organization`

for (const pooled of [false, true]) {
  const name = pooled ? "through PgBouncer" : "on a direct connection"
  describe(`a transaction that a host began, ${name}`, pooled ? needs("pgbouncer", hasPgBouncer) : {}, () => {
    let sightline: Sightline
    let bouncer: PgBouncer | undefined
    let pool: Pool
    let url = ""
    const login = makeIdUnsafe("host").toLowerCase()

    beforeAll(async () => {
      url = await Effect.runPromise(migratedPostgresUrl)
      const admin = new Client(url)
      await admin.connect()
      await admin.query(`create role ${login} login noinherit password 'host' in role sightline_app;
        create role ${login}_bare login password 'host';
        create schema app authorization ${login};
        create table app.orders (id int primary key, deal text not null); alter table app.orders owner to ${login};
        alter role ${login} set search_path = app; alter role ${login} set timezone = 'Europe/Berlin'`)
      await admin.end()
      bouncer = pooled
        ? await startPgBouncer(await resource("postgres"), 5, { [login]: "host", [`${login}_bare`]: "host" })
        : undefined
      url = bouncer?.through(url) ?? url
      pool = new Pool({ connectionString: withLogin(url, login), max: 3 })
      sightline = await open({
        database: layerPostgres({ url: Redacted.make(url), pooled, connections: 3 }),
        library: layerLibrary(),
        background: false,
      })
      await sightline.ready({ seconds: 600 })
      for (const id of ["acme", "other"])
        await sightline.run(Organizations.use(({ create }) => create({ id, name: id, plan: UNLIMITED })))
      await sightline.run(addDeal("other", "secret"))
    })
    afterAll(async () => {
      await sightline.dispose()
      await pool.end()
      await bouncer?.close()
    })

    /** Begins a transaction with one order in it, and ends it as `end` says. */
    const within = async <A>(end: "commit" | "rollback", work: (client: PoolClient) => Promise<A>): Promise<A> => {
      const client = await pool.connect()
      try {
        await client.query("begin")
        const result = await work(client)
        await client.query(end)
        return result
      } finally {
        client.release(true)
      }
    }
    const orders = async () => (await pool.query("select id from app.orders order by id")).rows.map(({ id }) => id)

    it("commits the host's rows and ours, and nobody sees ours before", async () => {
      await within("commit", async (client) => {
        await client.query("insert into app.orders values (1, 'd1')")
        await sightline.run(inTransaction(client, addDeal("acme", "d1")))
        assert.deepStrictEqual(await sightline.run(inTransaction(client, dealsOf("acme"))), ["d1"])
        assert.deepStrictEqual(await sightline.run(dealsOf("acme")), [])
      })
      assert.deepStrictEqual(await orders(), [1])
      assert.deepStrictEqual(await sightline.run(dealsOf("acme")), ["d1"])
      const { changes } = await sightline.run(
        Changes.use(({ page }) => page("acme", { since: undefined, types: ["deal"], size: 10 })),
      )
      assert.deepStrictEqual(
        changes.map(({ id }) => id),
        ["d1"],
      )
    })

    it("rolls back the host's rows and ours", async () => {
      await within("rollback", async (client) => {
        await client.query("insert into app.orders values (2, 'd2')")
        await sightline.run(inTransaction(client, addDeal("acme", "d2")))
      })
      assert.deepStrictEqual(await orders(), [1])
      assert.deepStrictEqual(await sightline.run(dealsOf("acme")), ["d1"])
    })

    it.each([
      ["fails", Effect.fail("wrong")],
      ["dies", Effect.die("broken")],
      ["runs a statement that the database refuses", Database.use(({ sql }) => sql`select 1 / 0`)],
      ["is interrupted", Effect.timeoutOption(Effect.never, 1).pipe(Effect.andThen(Effect.interrupt))],
    ] as const)("takes back what an effect did that %s, and keeps the host's", async (_, end) => {
      await within("commit", async (client) => {
        await client.query("insert into app.orders values (3, 'd3')")
        const before = (await client.query(SESSION)).rows
        const failing = Effect.andThen(addDeal("acme", "d3"), end as Effect.Effect<never, unknown>)
        const exit = await sightline.run(Effect.exit(inTransaction(client, failing)))
        assert.strictEqual(exit._tag, "Failure")
        assert.deepStrictEqual((await client.query(SESSION)).rows, before)
        // The same organization again: a rollback also undoes the row that announced it to the database.
        assert.deepStrictEqual(await sightline.run(inTransaction(client, dealsOf("acme"))), ["d1"])
      })
      assert.deepStrictEqual(await orders(), [1, 3])
      assert.deepStrictEqual(await sightline.run(dealsOf("acme")), ["d1"])
      await pool.query("delete from app.orders where id = 3")
    })

    it("gives each statement its own organization, and the host's nothing of it", async () => {
      await within("commit", async (client) => {
        await client.query("set local statement_timeout = '7s'")
        const before = (await client.query(SESSION)).rows
        assert.deepInclude(before[0], {
          role: login,
          path: "app",
          zone: "Europe/Berlin",
          timeout: "7s",
          organization: "",
        })
        const both = Effect.all([dealsOf("acme"), dealsOf("other"), dealsOf("acme")], { concurrency: 3 })
        assert.deepStrictEqual(await sightline.run(inTransaction(client, both)), [["d1"], ["secret"], ["d1"]])
        const nothing = Database.use(({ transaction, sql }) =>
          transaction("acme", sql`select id from deals where org_id <> 'acme'`),
        )
        assert.deepStrictEqual(await sightline.run(inTransaction(client, nothing)), [])
        assert.deepStrictEqual((await client.query(SESSION)).rows, before)
        const refused = await client.query("select from sightline.deals").catch((error: Error) => error)
        assert.include(String(refused), "permission denied for schema sightline")
      })
    })

    it("is joined by effects inside it, and by none in a transaction of our own", async () => {
      await within("commit", async (client) => {
        const inner = Effect.flip(inTransaction(client, Effect.andThen(addDeal("acme", "d4"), Effect.fail("no"))))
        const outer = Effect.andThen(Effect.zip(inner, inTransaction(client, addDeal("acme", "d5"))), inner)
        assert.strictEqual(await sightline.run(inTransaction(client, outer)), "no")
        const own = Database.use(({ transaction }) => transaction("acme", inTransaction(client, dealsOf("acme"))))
        const error = await sightline.run(Effect.flip(own))
        assert.instanceOf(error, CannotJoin)
      })
      assert.deepStrictEqual(await sightline.run(dealsOf("acme")), ["d1", "d5"])
    })

    it("sends one statement at a time, and none is in flight once an effect was interrupted", async () => {
      await within("commit", async (client) => {
        let [inFlight, most] = [0, 0]
        const counting = {
          query: async (config: Parameters<HostClient["query"]>[0]) => {
            most = Math.max(most, ++inFlight)
            return client.query(config).finally(() => inFlight--)
          },
        }
        const sleep = Database.use(({ sql, unscoped }) => unscoped(sql`select pg_sleep(0.05)`))
        const three = Effect.all([sleep, sleep, sleep], { concurrency: 3 })
        await sightline.run(inTransaction(counting, three))
        await sightline.run(Effect.timeoutOption(inTransaction(counting, three), 10))
        assert.deepStrictEqual([inFlight, most], [0, 1])
      })
    })

    it("says what is missing: a transaction, the grant, the schema", async () => {
      const refusal = async (client: ClientBase) => {
        const error = await sightline.run(Effect.flip(inTransaction(client, dealsOf("acme"))))
        assert.instanceOf(error, CannotJoin)
        return error.message
      }
      const idle = await pool.connect()
      assert.match(await refusal(idle), /no open transaction: run `begin` on it first/)
      await idle.query("begin")
      await idle.query("select 1 / 0").catch(() => {})
      assert.match(await refusal(idle), /a statement failed in the transaction/)
      idle.release(true)

      const bare = new Client(withLogin(url, `${login}_bare`))
      await bare.connect()
      await bare.query("begin")
      assert.match(await refusal(bare), /may not take the role sightline_app: run `grant sightline_app to` that login/)
      // The refusal leaves the transaction as it was.
      assert.lengthOf((await bare.query("select 1")).rows, 1)
      await bare.end()

      if (pooled) return
      const elsewhere = new URL(withLogin(url, login))
      elsewhere.pathname = "/postgres"
      const other = new Client(elsewhere.href)
      await other.connect()
      await other.query("begin")
      assert.match(await refusal(other), /has no schema 'sightline' of this service/)
      await other.end()
    })

    it("notifies every process of due work once the host commits, this one too", async () => {
      if (pooled) return
      const listener = new Client(url)
      await listener.connect()
      const heard: Array<string> = []
      listener.on("notification", ({ payload }) => void heard.push(payload ?? ""))
      await listener.query(`listen "sightline.due"`)
      const asked = Exports.use(({ submit }) => submit("acme", { columns: ["name"], filters: {}, csvSafe: true }))
      await within("commit", async (client) => {
        await sightline.run(inTransaction(client, asked))
        await listener.query("select 1")
        assert.deepStrictEqual(heard, [])
      })
      await until("the notification arrives", () => heard.length > 0)
      assert.match(heard[0]!, /^prc_\w+\.host acme export\b/)
      await listener.end()
    })

    it("sends parameters and reads values as our own driver does", async () => {
      const values = [true, 0, -7, 2 ** 40, 1.5, 9n, "a'b\\", "", new Uint8Array([0, 255]), new Date(1234567890123)]
      const arrays = [[], ["x", null, 'q"\\,{}', "NULL", ""], [1, 2], [true, false], [1.5]]
      await within("rollback", async (client) => {
        const ask = Database.use(({ unscoped, sql }) =>
          Effect.all([
            ...values.map((value) =>
              typeof value === "string"
                ? unscoped(sql`select ${value}::text as text`)
                : unscoped(sql`select ${value}::text as text, pg_typeof(${value})::text as type`),
            ),
            ...arrays.map((value) => unscoped(sql`select ${value}::text[] as list`)),
            unscoped(
              sql`select ${null}::text as nothing, ${[9, 8]}::int[] as ints, ${new Uint8Array([1, 2])}::bytea as bytes`,
            ),
            unscoped(sql`select true as b, 1::int2 as i2, 2 as i4, 9007199254740993 as i8, 0.1::float4 as f4, 'NaN'::float8 as f8,
              1.50::numeric as n, 'x'::name as name, 'y'::varchar as v, '{"a":[1,"b"]}'::jsonb as jb, '[null]'::json as j,
              date '2026-02-03' as d, timestamptz '2026-02-03 04:05:06.789012+00' as tz, timestamp '2026-02-03 04:05:06' as t,
              timestamptz '1969-12-31 23:59:59.5+00' as early, null::text as missing,
              gen_random_uuid()::text ~ '-' as u, '\\x00ff'::bytea as bytes, array['a b', null, 'c,"d"', E'e\\nf\\\\g'] as texts,
              array[1.5, 'NaN']::numeric[] as numerics, array[true, null] as bools, array[1::int8] as longs,
              array[timestamptz '2026-02-03 04:05:06.789+00'] as times, array['{"a,b": "}"}']::jsonb[] as objects`),
          ]),
        )
        assert.deepStrictEqual(await sightline.run(inTransaction(client, ask)), await sightline.run(ask))
      })
    })
  })
}
