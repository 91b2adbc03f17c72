import { spawn } from "node:child_process"
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { isBuiltin } from "node:module"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { OPTIONAL_PACKAGES } from "../../src/core/common/optionalPackage.ts"
import { waitUntil } from "../adapters/processes.ts"
import { exercise } from "../runtimes/exercise.ts"
import { freshPostgresUrl } from "../support/engines.ts"
import { blocksOf, terminal, withPatience } from "../support/terminal.ts"
import {
  bin,
  bytesBelow,
  ENTRIES,
  execute,
  filesBelow,
  HOSTS,
  LIBRARY_ENTRIES,
  MANIFEST,
  pack,
  packagesFor,
  project,
  readHost,
  ROOT,
  textOf,
} from "./packed.ts"

/** Deno's program and its commands in the README. */
const readmeOfDeno = () => ({
  program: /`(export \{ default \} from "sightline\/deploy")`/.exec(textOf("README.md"))![1]!,
  block: blocksOf("README.md", "sh").find((block) => block.includes("deno serve"))!,
})
const DENO_SERVE = "deno serve --allow-net --allow-env"

const MAX_DIST_BYTES = 4.3e6
const MAX_INSTALLED_MB = 90
const MAX_PACKAGES = 25

const packed = mkdtempSync(join(tmpdir(), "sightline-packed-"))
let file = ""
beforeAll(async () => {
  file = await pack(packed)
})
afterAll(() => rmSync(packed, { recursive: true, force: true }))

describe("the package, embedded in an empty project with PostgreSQL", () => {
  const host = project()
  const installed = host.path("node_modules/sightline")

  beforeAll(() => host.install(file, packagesFor("embed with PostgreSQL")))
  afterAll(() => host.remove())

  it("is small, and so is what it installs", () => {
    const others = host.packages().filter((name) => name !== "effect" && !name.startsWith("@effect/"))
    const dist = bytesBelow(join(installed, "dist"))
    console.log(
      `${host.megabytes().toFixed(0)} MB, ${others.length} packages beyond Effect's, dist ${(dist / 1e6).toFixed(2)} MB`,
    )
    assert.isAtMost(dist, MAX_DIST_BYTES)
    assert.isAtMost(host.megabytes(), MAX_INSTALLED_MB)
    assert.isAtMost(others.length, MAX_PACKAGES, others.join(" "))
  })

  it("imports only packages that it declares", () => {
    const declared = new Set([...Object.keys(MANIFEST.dependencies), ...Object.keys(MANIFEST.peerDependencies)])
    for (const name of filesBelow(join(installed, "dist")).filter((name) => /\.(?:js|d\.ts)$/.test(name))) {
      const text = readFileSync(join(installed, "dist", name), "utf8")
      const imports = text.matchAll(/\b(?:from|import)\s*\(?\s*"((?:@[\w-]+\/)?[\w-]+(?:\.js)?)(?:\/[^"]*)?"/g)
      for (const [, imported] of imports)
        assert.isTrue(declared.has(imported!) || isBuiltin(imported!), `${name} imports ${imported}`)
    }
  })

  it("states the tested version of each optional package", () => {
    const optional = Object.keys(MANIFEST.peerDependenciesMeta)
    assert.sameMembers(optional, Object.keys(OPTIONAL_PACKAGES))
    for (const [name, { version }] of Object.entries(OPTIONAL_PACKAGES)) {
      assert.strictEqual(MANIFEST.devDependencies[name], version)
      assert.strictEqual(MANIFEST.peerDependencies[name]?.slice(1), version)
    }
  })

  it.each(["node", "bun", "deno"])("has entries that %s imports", async (runtime) => {
    host.write(
      "entries.mjs",
      `for (const entry of ${JSON.stringify(LIBRARY_ENTRIES)}) await import(entry)\nconsole.log("done")\n`,
    )
    const args = runtime === "deno" ? ["run", "-A", "entries.mjs"] : ["entries.mjs"]
    assert.strictEqual((await execute(bin(runtime), args, host.directory)).trim(), "done")
  })

  it("has declarations that compile without skipLibCheck, and lead to the sources", async () => {
    host.write("entries.ts", ENTRIES.map((entry, n) => `export * as entry${n} from "${entry}"\n`).join(""))
    const types = join(bin(".."), "@types")
    const strict = ["--strict", "--exactOptionalPropertyTypes", "--noUncheckedIndexedAccess", "--noEmit"]
    const target = ["--module", "nodenext", "--target", "es2024", "--lib", "es2024,dom,dom.iterable"]
    const args = ["--ignoreConfig", ...strict, ...target, "--typeRoots", types, "--types", "node", "entries.ts"]
    await execute(bin("tsc"), args, host.directory)
    const maps = filesBelow(join(installed, "dist")).filter((name) => name.endsWith(".d.ts.map"))
    assert.isAbove(maps.length, 50)
    for (const name of maps) {
      const { sources } = JSON.parse(readFileSync(join(installed, "dist", name), "utf8")) as { sources: Array<string> }
      for (const source of sources) assert.isTrue(existsSync(join(installed, "dist", dirname(name), source)), source)
    }
  })

  it("passes publint and arethetypeswrong", async () => {
    await execute(bin("publint"), ["--strict", file], host.directory)
    await execute(bin("attw"), [file, "--profile", "esm-only"], host.directory)
  })

  it("has pages whose links lead to files in the package", () => {
    const pages = filesBelow(installed).filter((name) => name.endsWith(".md"))
    assert.include(pages, "docs/install.md")
    for (const page of pages) {
      const links = [...readFileSync(join(installed, page), "utf8").matchAll(/\]\(([^)\s#]+)[^)]*\)/g)]
      for (const [, link] of links.filter(([, link]) => !/^[a-z]+:/.test(link!)))
        assert.isTrue(existsSync(join(installed, dirname(page), link!)), `${page} links to ${link}`)
    }
  })

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
      await waitUntil(() => address() !== undefined || server.exitCode !== null)
      const reply = await fetch(`${address()}/api/v1/deals`, { headers: { authorization: `Bearer ${key}` } })
      assert.deepStrictEqual([reply.status, await reply.json()], [200, []], printed)
    } finally {
      // At SIGTERM, `deno serve` waits for as long as the database is open.
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

  it("names the install line of a package that a call needs", async () => {
    host.write(
      "missing.mjs",
      `import { layerPglite } from "sightline/pglite"
import { layerRedis } from "sightline/redis"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
for (const layer of [layerPglite(), layerRedis({ url: Redacted.make("redis://127.0.0.1:1") })]) {
  const exit = await Effect.runPromiseExit(Effect.scoped(Layer.build(layer)))
  console.log(Exit.isFailure(exit) ? Cause.squash(exit.cause).message : "opened")
}
process.exit()
`,
    )
    for (const runtime of ["node", "bun", "deno"]) {
      const args = runtime === "deno" ? ["run", "-A", "missing.mjs"] : ["missing.mjs"]
      const [pglite = "", redis = ""] = (await execute(bin(runtime), args, host.directory)).split("\n")
      assert.match(pglite, /`npm install @electric-sql\/pglite@[\d.]+`/, runtime)
      assert.match(redis, /`npm install redis@[\d.]+`/, runtime)
    }
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
    await host.install(file, [...packages])
    for (const name of files) host.write(name, withPatience(readHost(name).source))
  })
  afterAll(() => host.remove())

  it("are nine", () => {
    const names = ["bun", "deno", "effect", "elysia", "express", "fastify", "hono", "next", "node"]
    assert.sameMembers(
      files,
      names.map((name) => `${name}.ts`),
    )
  })

  it.each(files)("%s has less than 40 lines, and installs what it imports", (name) => {
    const { source, packages, imported } = readHost(name)
    assert.isBelow(source.trimEnd().split("\n").length, 40)
    for (const module of imported.filter((module) => !isBuiltin(module))) assert.include(packages, module)
  })

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
    const shown = terminal(host.directory, { PATH: `${bin("")}:${process.env["PATH"]}` })
    await shown.paste(command)
    shown.close()
    assert.include(await execute(bin("node"), ["dist/main.js"], host.directory), "Orvanta charges $40 per seat")
  })

  it("compile", async () => {
    // Express has no types of its own, and those of Deno are in Deno. Elysia's own types have errors.
    const typed = files.filter((name) => name !== "express.ts" && name !== "deno.ts")
    const types = ["--typeRoots", join(bin(".."), "@types") + "," + join(bin("..")), "--types", "node,bun-types"]
    const target = ["--module", "nodenext", "--target", "es2024", "--lib", "es2024,dom,dom.iterable,dom.asynciterable"]
    await execute(
      bin("tsc"),
      ["--ignoreConfig", "--strict", "--skipLibCheck", "--noEmit", ...target, ...types, ...typed],
      host.directory,
    )
  })
})
