import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { isBuiltin } from "node:module"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { OPTIONAL_PACKAGES } from "../../src/core/common/optionalPackage.ts"
import {
  bin,
  execute,
  filesBelow,
  HOSTS,
  filesOfEntries,
  MANIFEST,
  pack,
  packagesFor,
  project,
  readHost,
  ROOT,
  textOf,
} from "./packed.ts"
import { testEntries } from "./testEntries.ts"

const packed = mkdtempSync(join(tmpdir(), "sightline-packed-"))
afterAll(() => rmSync(packed, { recursive: true, force: true }))

describe("the package, in a project that has its dependencies and those for PostgreSQL", () => {
  const host = project()
  const installed = host.path("node_modules/sightline")
  let file = ""

  beforeAll(async () => {
    file = await pack(packed)
    await host.link(file, [...packagesFor("embed with PostgreSQL"), ...Object.keys(MANIFEST.dependencies)])
  })
  afterAll(() => host.remove())

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
    // `sightline` needs Effect, and its other entries do not. React is the host's own, of any version since 18.
    const optional = Object.keys(MANIFEST.peerDependenciesMeta).filter((name) => !/^@?effect|^react$/.test(name))
    assert.sameMembers(optional, Object.keys(OPTIONAL_PACKAGES))
    for (const [name, { version }] of Object.entries(OPTIONAL_PACKAGES)) {
      assert.strictEqual(MANIFEST.devDependencies[name], version)
      assert.strictEqual(MANIFEST.peerDependencies[name]?.slice(1), version)
    }
  })

  testEntries(host)

  it("has a file for each entry of `exports` and each program of `bin`, its types included", () => {
    for (const [entry, { types, default: module }] of Object.entries(filesOfEntries())) {
      for (const file of [types, module]) assert.isTrue(existsSync(join(installed, file)), `${entry}: ${file}`)
    }
    for (const file of Object.values(MANIFEST.bin)) assert.isTrue(existsSync(join(installed, file)), file)
  })

  it("has maps by which Node names the file and line of src in a stack trace", async () => {
    host.write(
      "trace.mjs",
      `import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { open } from "sightline"
import { layerRedis } from "sightline/redis"
import { open as openStandalone } from "sightline/standalone"
const redis = Effect.scoped(Layer.build(layerRedis({ url: Redacted.make("redis://127.0.0.1:1") })))
for (const failing of [open({}), openStandalone({}), Effect.runPromise(redis)]) console.log((await failing.catch((e) => e)).stack, "\\0")
`,
    )
    const printed = await execute(bin("node"), ["--enable-source-maps", "trace.mjs"], host.directory)
    const [library = "", standalone = "", redis = ""] = printed.split("\0")
    const shows = (stack: string, file: string, code: string) => {
      const line =
        textOf(file)
          .split("\n")
          .findIndex((text) => text.includes(code)) + 1
      assert.isAbove(line, 0)
      assert.include(stack, `${join(installed, file)}:${line}:`)
    }
    for (const stack of [library, standalone])
      shows(stack, "src/core/checkOptions.ts", "Effect.fail(InvalidOptions.of(problems))")
    shows(redis, "src/core/common/optionalPackage.ts", "new PackageMissing(name, cause)")
    shows(redis, "src/adapters/limits/redisPackage.ts", "await importPackage")
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

describe(`the hosts of ${HOSTS}`, () => {
  const files = readdirSync(join(ROOT, HOSTS))

  it("are ten", () => {
    const names = ["bun", "deno", "effect", "elysia", "express", "fastify", "hono", "next", "node", "standalone"]
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
})
