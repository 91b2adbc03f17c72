import { spawn } from "node:child_process"
import { mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { installPackages } from "../../build/installPackages.ts"
import { budgetOf } from "../../build/sizes.ts"
import { exercise } from "../runtimes/exercise.ts"
import { freshPostgresUrl } from "../support/engines.ts"
import { blocksOf, terminal, withPatience } from "../support/terminal.ts"
import { until } from "../support/until.ts"
import { bin, execute, HOSTS, pack, packagesFor, project, readHost, ROOT, textOf } from "./packed.ts"
import { testEntries } from "./testEntries.ts"

/** Deno's program and its commands in the README. */
const readmeOfDeno = () => ({
  program: /`(export \{ default \} from "sightline\/deploy")`/.exec(textOf("README.md"))![1]!,
  block: blocksOf("README.md", "sh").find((block) => block.includes("deno serve"))!,
})
const DENO_SERVE = "deno serve --allow-net --allow-env"
const MAX_PACKAGES = 25

/** Packages that hosts bring and nothing else here needs. */
const FRAMEWORKS = "test/package/hosts"
const TOOLS = "test/package/tools"

const packed = mkdtempSync(join(tmpdir(), "sightline-packed-"))
let file = ""
let tools = ""
beforeAll(async () => {
  file = await pack(packed)
  tools = join(await installPackages(TOOLS), ".bin")
})
afterAll(() => rmSync(packed, { recursive: true, force: true }))

it("the package passes publint and arethetypeswrong", async () => {
  await execute(join(tools, "publint"), ["--strict", file], packed)
  await execute(join(tools, "attw"), [file, "--profile", "esm-only"], packed)
})

describe("the package, installed with what PostgreSQL needs", () => {
  const host = project()

  beforeAll(() => host.install(file, packagesFor("embed with PostgreSQL")))
  afterAll(() => host.remove())

  it("installs few packages, which are small", () => {
    const others = host.packages().filter((name) => name !== "effect" && !name.startsWith("@effect/"))
    console.log(`${host.megabytes().toFixed(0)} MB, ${others.length} packages beyond Effect's`)
    assert.isAtMost(host.megabytes(), budgetOf("installed with what PostgreSQL needs"))
    assert.isAtMost(others.length, MAX_PACKAGES, others.join(" "))
  })

  testEntries(host)

  it("serves on Deno with two permissions, as the README says", async () => {
    const { block, program } = readmeOfDeno()
    const lines = block.trim().split("\n")
    assert.deepStrictEqual([lines.shift(), lines.pop()], ["npm install sightline", `${DENO_SERVE} main.ts`])
    host.write("main.ts", program)
    const url = await Effect.runPromise(freshPostgresUrl)
    const settings = { SIGHTLINE_DATABASE_URL: url, SIGHTLINE_SIGNING_SECRET: "s".repeat(64) }
    const setting = (name: keyof typeof settings, text: string) =>
      text.replace(new RegExp(`${name}=(?:\\$\\(.*?\\)|\\S+)`), `${name}=${settings[name]}`)
    const pasted = setting("SIGHTLINE_SIGNING_SECRET", setting("SIGHTLINE_DATABASE_URL", lines.join("\n")))
    const shown = terminal(host.directory, { PATH: `${bin("")}:${process.env["PATH"]}` })
    const [key = ""] = /sl_live_\w+/.exec(await shown.paste(pasted)) ?? []
    shown.close()
    const args = [...DENO_SERVE.split(" ").slice(1), "--no-prompt", "--host", "127.0.0.1", "--port", "0", "main.ts"]
    const server = spawn(bin("deno"), args, { cwd: host.directory, env: { ...process.env, ...settings } })
    let printed = ""
    for (const stream of [server.stdout, server.stderr]) stream.on("data", (chunk) => (printed += chunk))
    const address = () => /http:\/\/127\.0\.0\.1:\d+/.exec(printed)?.[0]
    try {
      await until("it serves", () => address() !== undefined || server.exitCode !== null)
      const reply = await fetch(`${address()}/api/v1/deals`, { headers: { authorization: `Bearer ${key}` } })
      assert.deepStrictEqual([reply.status, await reply.json()], [200, []], printed)
      // With its database closed, nothing keeps the process.
      server.kill("SIGTERM")
      await until("it ends", () => server.exitCode !== null || server.signalCode !== null)
    } finally {
      server.kill("SIGKILL")
    }
  })

  it.each(["node", "bun", "deno"])("exports deals from PostgreSQL by COPY on %s", async (runtime) => {
    host.write("exportDeals.mjs", textOf("test/package/exportDeals.mjs"))
    const url = await Effect.runPromise(freshPostgresUrl)
    const args = [...(runtime === "deno" ? ["run", "-A"] : []), "exportDeals.mjs", url]
    const printed = await execute(bin(runtime), args, host.directory)
    assert.match(printed, /^\W*name\W*\r\nRenewal\r\n/)
  })
})

describe("the package, installed with what PGlite needs", () => {
  const host = project()
  beforeAll(() => host.install(file, packagesFor("embed with the embedded database (PGlite)")))
  afterAll(() => host.remove())

  it.each(["node", "bun", "deno"])("starts a new database with its own directory on %s", async (runtime) => {
    host.write(
      "newDatabase.mjs",
      `import { layerPglite } from "sightline/pglite"
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
const began = new Date().toISOString()
const program = Effect.flatMap(SqlClient, (sql) =>
  sql\`select count(*)::int as n from sightline.migrations where created_at < \${began}::timestamptz\`)
const [inMemory] = await Effect.runPromise(Effect.provide(program, layerPglite()))
const [inDirectory] = await Effect.runPromise(Effect.provide(program, layerPglite({ directory: process.argv[2] })))
console.log(inMemory.n > 0, inDirectory.n > 0)
process.exit()
`,
    )
    const args = [...(runtime === "deno" ? ["run", "-A"] : []), "newDatabase.mjs", host.path(`data-${runtime}`)]
    assert.strictEqual((await execute(bin(runtime), args, host.directory)).trim(), "true true")
  })
})

describe("the package, installed with everything", () => {
  const host = project()
  beforeAll(() => host.install(file, packagesFor("the command line and server, with everything")))
  afterAll(() => host.remove())

  it("has a demo, imports, reads documents, answers and exports", async () => {
    console.log(`${host.megabytes().toFixed(0)} MB, ${host.packages().length} packages`)
    await exercise([bin("node"), host.path("node_modules/sightline/dist/cli/main.js")], host.directory)
  })
})

describe(`the hosts of ${HOSTS}`, () => {
  const files = readdirSync(join(ROOT, HOSTS))
  const host = project()
  beforeAll(async () => {
    const packages = new Set(files.flatMap((name) => readHost(name).packages))
    // 300 MB; `next.ts` runs without it.
    packages.delete("next")
    const { dependencies } = JSON.parse(textOf(`${FRAMEWORKS}/package.json`)) as { readonly dependencies: object }
    for (const name of ["package.json", "package-lock.json"]) host.write(name, textOf(`${FRAMEWORKS}/${name}`))
    await host.install(
      file,
      [...packages].filter((name) => !(name in dependencies)),
    )
    for (const name of files) host.write(name, withPatience(readHost(name).source))
  })
  afterAll(() => host.remove())

  it.each(files)("%s answers a call over a socket, and ends", async (name) => {
    const [runtime = "", ...args] = readHost(name).command
    assert.strictEqual(args.at(-1), name)
    const printed = await execute(bin(runtime), args, host.directory)
    assert.match(printed, /“Orvanta charges \$40 per seat\.” — \[prices\.md\]|name: 'Orvanta', amount: 40/)
  })

  it("next.ts answers each method that Next calls", async () => {
    host.write(
      "serveNext.ts",
      `import { serve } from "@hono/node-server"
import * as route from "./next.ts"
const fetchRoute = (request: Request) => route[request.method as "GET"](request)
const server = serve({ fetch: fetchRoute, port: 0 }, async ({ port }) => {
  for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]) {
    const { status } = await fetch(\`http://localhost:\${port}/api/v1/deals/deal\`, { method })
    console.log(method, status)
  }
  process.exit()
})
`,
    )
    const printed = await execute(bin("node"), ["serveNext.ts"], host.directory)
    assert.strictEqual(printed.trim(), "GET 401\nPOST 405\nPUT 405\nPATCH 401\nDELETE 401\nOPTIONS 204")
  })

  it("read documents in a thread when esbuild bundles them as docs/embedding.md says", async () => {
    const command = blocksOf("docs/embedding.md", "sh").find((block) => block.startsWith("esbuild "))!
    host.write("main.ts", withPatience(readHost("node.ts").source))
    const shown = terminal(host.directory, { PATH: `${tools}:${bin("")}:${process.env["PATH"]}` })
    await shown.paste(command)
    shown.close()
    assert.include(await execute(bin("node"), ["dist/main.js"], host.directory), "Orvanta charges $40 per seat")
  })

  it("compile, and so does the worker beside them", async () => {
    host.write("worker.ts", textOf("docs/examples/worker.ts"))
    // Express has no types of its own, and those of Deno are in Deno. Elysia's own types have errors.
    const typed = files.filter((name) => name !== "express.ts" && name !== "deno.ts")
    const types = ["--typeRoots", join(bin(".."), "@types") + "," + join(bin("..")), "--types", "node,bun-types"]
    const target = ["--module", "nodenext", "--target", "es2024", "--lib", "es2024,dom,dom.iterable,dom.asynciterable"]
    await execute(
      bin("tsc"),
      ["--ignoreConfig", "--strict", "--skipLibCheck", "--noEmit", ...target, ...types, ...typed, "worker.ts"],
      host.directory,
    )
  })
})
