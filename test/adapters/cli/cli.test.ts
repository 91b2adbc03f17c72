import { once } from "node:events"
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { VERSION } from "../../../src/adapters/version.ts"
import { LATEST } from "../../../src/core/storage/migrate.ts"
import { freshPostgresUrl, migratedPostgresUrl } from "../../support/engines.ts"
import { until } from "../../support/until.ts"
import { type Finished, onFreePort, run, start } from "../processes.ts"

interface Printed {
  readonly id: string
  readonly key: string
  readonly name: string
  readonly revoked_at: string | null
  readonly migrations: ReadonlyArray<object>
  readonly errors: ReadonlyArray<object>
  readonly ok: boolean
  readonly plan: string
  readonly created: number
  readonly failed: number
  readonly received: number
  readonly checks: ReadonlyArray<{ readonly name: string; readonly state: string; readonly remedy?: string }>
}

const json = ({ stdout }: Finished): Printed => JSON.parse(stdout) as Printed

const directory = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "sightline-cli-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true })),
)

describe("the command line", () => {
  it.effect("creates an organization and its keys, and prints only JSON if asked for it", () =>
    Effect.gen(function* () {
      const url = yield* freshPostgresUrl
      const ask = (...args: ReadonlyArray<string>) =>
        Effect.promise(() => run([...args, "--json"], { SIGHTLINE_DATABASE_URL: url }))
      const org = json(yield* ask("orgs", "create", "--name", "Acme", "--plan", "enterprise"))
      assert.deepInclude(org, { name: "Acme", plan: "enterprise" })
      const own = yield* ask("orgs", "create", "--name", "Own", "--id", "tenant 7")
      assert.deepInclude(json(own), { id: "tenant 7", name: "Own", plan: "growth" })
      const made = json(yield* ask("keys", "create", "--org", org.id, "--role", "admin", "--name", "ci"))
      assert.match(made.key, /^sl_live_[0-9A-Za-z]{49}$/)
      for (const [wrong, told] of [
        [["create", "--org", org.id, "--per-minute", "3000000000"], /--per-minute must be 1 to 100000/],
        [["rotate", made.id, "--org", org.id, "--grace", "2592001"], /--grace must be 0 to 2592000/],
      ] as const) {
        const refused = yield* ask("keys", ...wrong)
        assert.strictEqual(refused.code, 2)
        assert.match(refused.stderr, told)
      }
      const rotated = json(yield* ask("keys", "rotate", made.id, "--org", org.id, "--grace", "0"))
      assert.notStrictEqual(rotated.key, made.key)
      assert.isNotNull(json(yield* ask("keys", "revoke", made.id, "--org", org.id)).revoked_at)
      const listed = JSON.parse((yield* ask("keys", "list", "--org", org.id)).stdout) as ReadonlyArray<object>
      assert.deepStrictEqual(
        listed.map((key) => "key" in key),
        [false],
      )
      const foreign = yield* ask("keys", "list", "--org", "org_of_nobody")
      assert.deepInclude(foreign, { code: 1, stdout: "" })
      assert.deepStrictEqual(json(yield* ask("migrate")).migrations[0], { id: 39, name: "baseline" })
    }),
  )

  it.effect("imports a file, reports each record, and exits with 1 if one failed", () =>
    Effect.gen(function* () {
      const settings = { SIGHTLINE_DATABASE_URL: yield* migratedPostgresUrl }
      const at = yield* directory
      const file = join(at, "deals.ndjson")
      writeFileSync(
        file,
        '{"type":"deal","name":"First","owner":"Ada","amount":5}\n{"type":"deal","name":"Second","amount":"much"}\n',
      )
      const sheet = join(at, "deals.csv")
      writeFileSync(sheet, "Opportunity,Value\nThird,7\n")
      const { stdout } = yield* Effect.promise(() => run(["orgs", "create", "--name", "Acme", "--json"], settings))
      const { id } = JSON.parse(stdout) as { readonly id: string }
      const imported = (...args: ReadonlyArray<string>) =>
        Effect.promise(() => run(["import", "--org", id, ...args, "--json"], settings))

      const first = yield* imported(file)
      assert.strictEqual(first.code, 1)
      assert.deepInclude(json(first), { received: 2, created: 1, failed: 1 })
      assert.deepInclude(json(first).errors[0], { line: 2, field: "amount" })
      const rows = yield* imported(sheet, "--type", "deal", "--map", "Opportunity=name,Value=amount")
      assert.deepInclude({ ...json(rows), code: rows.code }, { received: 1, created: 1, failed: 0, code: 0 })

      assert.strictEqual((yield* imported(sheet)).code, 2)
      assert.strictEqual((yield* imported(join(at, "absent.ndjson"))).code, 1)
    }).pipe(Effect.scoped),
  )

  it.effect("exits with 2 after wrong use or wrong settings, with an explanation on stderr", () =>
    Effect.gen(function* () {
      const ask = (args: ReadonlyArray<string>, settings: Record<string, string> = {}) =>
        Effect.promise(() => run(args, { SIGHTLINE_DATABASE_URL: "memory:", ...settings }))
      for (const wrong of [["frob"], ["orgs", "create"], ["keys", "list", "--org"], ["serve", "--frob"]]) {
        const { code, stdout, stderr } = yield* ask(wrong)
        assert.deepStrictEqual([code, stdout], [2, ""], wrong.join(" "))
        assert.match(stderr, /^sightline: /)
      }
      const settings = yield* ask(["serve"], { PORT: "http" })
      assert.strictEqual(settings.code, 2)
      assert.match(settings.stderr, /^sightline: PORT must be .*\n$/)
      const help = yield* ask(["keys", "create", "--help"])
      assert.strictEqual(help.code, 0)
      assert.include(help.stdout, "--role")
      assert.include((yield* ask(["--version"])).stdout, VERSION)
      const manifest = new URL("../../../package.json", import.meta.url)
      assert.strictEqual((JSON.parse(readFileSync(manifest, "utf8")) as { version: string }).version, VERSION)
    }),
  )

  it.effect("doctor names what is wrong and what to do", () =>
    Effect.gen(function* () {
      const at = yield* directory
      const url = yield* freshPostgresUrl
      const look = (settings: Record<string, string>) =>
        run(["doctor", "--json"], { SIGHTLINE_DATA_DIR: at, PORT: "0", ...settings })
      const lookWell = async (port: number) => {
        const well = await look({ SIGHTLINE_DATABASE_URL: url, PORT: String(port) })
        assert.deepInclude({ code: well.code, ...json(well) }, { code: 0, ok: true })
      }
      yield* Effect.promise(() => onFreePort(lookWell))
      const illSettings = {
        SIGHTLINE_DATABASE_URL: "postgres://nobody:hunter2@127.0.0.1:1/none",
        SIGHTLINE_MODEL_URL: "http://127.0.0.1:1/v1",
        SIGHTLINE_MODEL_MODEL: "tiny",
        SIGHTLINE_EMBEDDING_URL: "http://127.0.0.1:1/v1",
        SIGHTLINE_EMBEDDING_MODEL: "tiny",
        SIGHTLINE_BLOBS: "s3://files?endpoint=http://127.0.0.1:1",
        AWS_ACCESS_KEY_ID: "none",
        AWS_SECRET_ACCESS_KEY: "hunter2",
      }
      const ill = yield* Effect.promise(() => look(illSettings))
      assert.strictEqual(ill.code, 1)
      const checks = json(ill).checks
      const database = checks.find(({ name }) => name === "database")
      assert.strictEqual(database?.state, "problem")
      assert.isString(database?.remedy)
      for (const name of ["answers", "search", "files"]) {
        assert.strictEqual(checks.find((check) => check.name === name)?.state, "problem", name)
      }
      assert.notInclude(ill.stdout, "hunter2")
    }).pipe(Effect.scoped),
  )

  it.effect("doctor says that a server of another kind is no PostgreSQL", () =>
    Effect.gen(function* () {
      const at = yield* directory
      const web = yield* Effect.acquireRelease(
        Effect.promise(async () => {
          const server = createServer((_, reply) => void reply.end("a page"))
          await once(server.listen(0, "127.0.0.1"), "listening")
          return server
        }),
        (server) => Effect.sync(() => server.close()),
      )
      const url = `postgres://ops:hunter2@127.0.0.1:${(web.address() as AddressInfo).port}/sales`
      const looked = yield* Effect.promise(() =>
        run(["doctor", "--json"], { SIGHTLINE_DATA_DIR: at, PORT: "0", SIGHTLINE_DATABASE_URL: url }),
      )
      const database = json(looked).checks.find(({ name }) => name === "database")
      assert.strictEqual(database?.state, "problem")
      assert.include(JSON.stringify(database), "what answers there is no PostgreSQL server")
    }).pipe(Effect.scoped),
  )

  it.live("ends quietly when its reader has enough", () =>
    Effect.gen(function* () {
      const { child, finished } = start("Node", ["--help"], {})
      child.stdout.destroy()
      const { code, stderr } = yield* Effect.promise(() => finished)
      assert.deepStrictEqual([code, stderr], [0, ""])
    }),
  )

  it.effect("doctor creates nothing: no database, no directory", () =>
    Effect.gen(function* () {
      const at = yield* directory
      const files = () => readdirSync(at, { recursive: true }).toSorted()
      const look = (data: string) =>
        Effect.promise(() => run(["doctor", "--json"], { SIGHTLINE_DATA_DIR: join(at, data), PORT: "0" }))
      for (const data of ["none", "."]) {
        const absent = yield* look(data)
        assert.deepInclude({ code: absent.code, ...json(absent) }, { code: 0, ok: true })
        assert.match(absent.stdout, /has no database yet: serve creates it/)
        assert.deepStrictEqual(files(), [])
      }
      yield* Effect.promise(() => run(["migrate"], { SIGHTLINE_DATA_DIR: join(at, "made") }))
      const before = files()
      const made = yield* look("made")
      assert.match(made.stdout, new RegExp(`it opens, schema at ${LATEST}\\b`))
      assert.deepStrictEqual(files(), before)
    }).pipe(Effect.scoped),
  )

  it.live(
    "the demo ends without a complaint while it loads documents, starts again as the same demo, and its requests work as printed",
    () =>
      Effect.gen(function* () {
        const at = yield* directory
        const settings = { SIGHTLINE_DATA_DIR: join(at, "data"), PORT: "0" }
        const keys: Array<string> = []
        for (const isFirst of [true, false]) {
          const demo = start("Node", ["demo", "--json"], settings)
          yield* Effect.promise(() =>
            until("the demo serves", () => demo.stdout().includes("\n") || demo.child.exitCode !== null),
          )
          const { url, key, curl } = JSON.parse(demo.stdout()) as {
            url: string
            key: string
            curl: ReadonlyArray<string>
          }
          keys.push(key)
          if (isFirst) {
            demo.child.kill("SIGTERM")
            assert.strictEqual((yield* Effect.promise(() => demo.finished)).code, 0)
            assert.notInclude(demo.stderr(), "could not load")
            continue
          }
          const headers = { authorization: `Bearer ${key}` }
          for (const line of curl) {
            const address = /'(http[^']*)'/.exec(line)?.[1] ?? ""
            const query = [...line.matchAll(/--data-urlencode '([^=]+)=([^']*)'/g)].map((match) => [
              match[1]!,
              match[2]!,
            ])
            const asked = / -d '(.*)'$/.exec(line)?.[1]
            const response = yield* Effect.promise(() =>
              asked === undefined
                ? fetch(`${address}?${new URLSearchParams(query)}`, { headers })
                : fetch(address, {
                    method: "POST",
                    headers: { ...headers, "content-type": "application/json" },
                    body: asked,
                  }),
            )
            const body = (yield* Effect.promise(() => response.json())) as {
              data?: ReadonlyArray<object>
              message?: { citations: ReadonlyArray<object> }
            }
            assert.strictEqual(response.status, 200)
            const rows = Array.isArray(body) ? body : (body.data ?? body.message?.citations ?? [])
            assert.isAbove(rows.length, 0, line)
          }
          // Through the server, which holds the directory.
          const busy = yield* Effect.promise(() => run(["keys", "list", "--org", "demo_quellaria"], settings))
          assert.strictEqual(busy.code, 0, busy.stderr)
          assert.include(busy.stdout, "demo")
          assert.match(url, /^http:\/\/127\.0\.0\.1:\d+$/)
          demo.child.kill("SIGINT")
          assert.strictEqual((yield* Effect.promise(() => demo.finished)).code, 0)
        }
        assert.strictEqual(keys[0], keys[1])
        assert.strictEqual(statSync(join(settings.SIGHTLINE_DATA_DIR, "demo.json")).mode & 0o777, 0o600)
      }).pipe(Effect.scoped),
  )
})
