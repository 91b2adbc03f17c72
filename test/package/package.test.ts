import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { isBuiltin } from "node:module"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { OPTIONAL_PACKAGES } from "../../src/core/common/optionalPackage.ts"
import { exercise } from "../runtimes/exercise.ts"
import {
  bin,
  bytesBelow,
  ENTRIES,
  execute,
  filesBelow,
  LIBRARY_ENTRIES,
  MANIFEST,
  pack,
  packagesFor,
  project,
} from "./packed.ts"

const MAX_DIST_BYTES = 4e6
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
