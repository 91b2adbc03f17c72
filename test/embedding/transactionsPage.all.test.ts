import { execFile } from "node:child_process"
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import * as Effect from "effect/Effect"
import { Client } from "pg"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { makeIdUnsafe } from "../../src/core/common/ids.ts"
import { migratedPostgresUrl } from "../support/engines.ts"
import { needs } from "../support/needs.ts"
import { hasPgBouncer, type PgBouncer, startPgBouncer } from "../support/pgbouncer.ts"
import { resource } from "../support/resources.ts"
import { blocksOf, fromSources, root, withPatience } from "../support/terminal.ts"

const PAGE = "docs/transactions.md"
const [grants] = blocksOf(PAGE, "sql")
const [ours, theirs] = blocksOf(PAGE, "ts")

const run = promisify(execFile)

for (const pooled of [false, true]) {
  const how = pooled ? "through PgBouncer" : "on a direct connection"
  describe(`the programs of ${PAGE}, ${how}`, pooled ? needs("pgbouncer", hasPgBouncer) : {}, () => {
    const directory = mkdtempSync(join(tmpdir(), "sightline-transactions-"))
    const login = makeIdUnsafe("shop").toLowerCase()
    let bouncer: PgBouncer | undefined
    beforeAll(async () => {
      symlinkSync(join(root, "node_modules"), join(directory, "node_modules"))
      bouncer = pooled ? await startPgBouncer(await resource("postgres"), 5, { [login]: "change-me" }) : undefined
    })
    afterAll(async () => {
      await bouncer?.close()
      rmSync(directory, { recursive: true, force: true })
    })

    /** A database with the host's table, after the grants of the page or without them. */
    const prepare = async (withGrants: boolean) => {
      const direct = await Effect.runPromise(migratedPostgresUrl)
      const admin = new Client(direct)
      await admin.connect()
      await admin.query(`do $$ begin create role ${login} login noinherit password 'change-me';
        exception when duplicate_object then null; end $$; revoke sightline_app from ${login}`)
      await admin.query(`create schema app; create table app.orders (id int primary key, deal text);
        grant usage on schema app to ${login}; grant all on app.orders to ${login}`)
      if (withGrants) await admin.query(grants!.replaceAll(/\bshop\b/g, login))
      const url = bouncer?.through(direct) ?? direct
      const shop = new URL(url)
      Object.assign(shop, { username: login, password: "change-me" })
      return {
        DATABASE_URL: url,
        SHOP_URL: shop.href,
        orders: async () => (await admin.query("select id, deal from app.orders order by id")).rows,
        close: () => admin.end(),
      }
    }
    const execute = (program: string, { DATABASE_URL, SHOP_URL }: Record<"DATABASE_URL" | "SHOP_URL", string>) => {
      const file = join(directory, "program.ts")
      const host = pooled ? program.replace("layerPostgres({ url })", "layerPostgres({ url, pooled: true })") : program
      writeFileSync(file, withPatience(fromSources(host)))
      return run(process.execPath, [file], { cwd: directory, env: { ...process.env, DATABASE_URL, SHOP_URL } })
    }

    it.each([
      ["Sightline begins", ours!, "first", "Order 1", 1],
      ["the host begins", theirs!, "commit", "commit", 6],
    ])("commit both rows or neither where %s", async (_, program, deal, name, id) => {
      const host = await prepare(true)
      const { stdout } = await execute(program, host)
      assert.strictEqual(stdout.trim(), `[ { id: '${deal}', name: '${name}' } ]`)
      assert.deepStrictEqual(await host.orders(), [{ id, deal }])
      await host.close()
    })

    it.each([
      ["Sightline begins", ours!, /permission denied for schema app/],
      ["the host begins", theirs!, /run `grant sightline_app to` that login/],
    ])("do not work without the grants where %s", async (_, program, why) => {
      const host = await prepare(false)
      const outcome = await execute(program, host).catch((error: { readonly stderr: string }) => error)
      assert.match(outcome.stderr, why)
      assert.deepStrictEqual(await host.orders(), [])
      await host.close()
    })
  })
}
