import { existsSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { budgetOf } from "../../../build/sizes.ts"
import { bin, execute, pack, project, readHost, textOf } from "../../package/packed.ts"
import { withPatience } from "../../support/terminal.ts"

const { packages, source } = readHost("standalone.ts")
const ANSWER = "Orvanta charges $40 per seat"
const packed = mkdtempSync(join(tmpdir(), "sightline-packed-"))
let file = ""
beforeAll(async () => {
  file = await pack(packed)
})
afterAll(() => rmSync(packed, { recursive: true, force: true }))

const command = (runtime: string, name: string) => (runtime === "deno" ? ["run", "-A", name] : [name])

describe("a host without Effect", () => {
  const host = project()
  beforeAll(async () => {
    await host.install(file, ["sightline"])
    console.log(`${host.megabytes().toFixed(0)} MB`)
    assert.isAtMost(host.megabytes(), budgetOf("installed without Effect"))
    await host.install(file, packages)
    host.write("host.ts", withPatience(source))
  })
  afterAll(() => host.remove())

  it.each(["node", "bun", "deno"])("serves, reads a document and ends on %s", async (runtime) => {
    assert.isFalse(existsSync(host.path("node_modules/effect")))
    assert.include(await execute(bin(runtime), command(runtime, "host.ts"), host.directory), ANSWER)
  })

  it("shows its API at /docs", async () => {
    host.write(
      "docs.mjs",
      `import { layerPglite, open } from "sightline/standalone"
const sightline = await open({ database: layerPglite() })
await sightline.ready({ seconds: 600 })
const { status, headers } = await sightline.handler(new Request("http://localhost/docs"))
console.log(status, headers.get("content-type"))
await sightline.dispose()
`,
    )
    assert.include(await execute(bin("node"), ["docs.mjs"], host.directory), "200 text/html")
  })

  it("compiles without skipLibCheck, and not with the wrong part", async () => {
    const types = ["--typeRoots", join(bin(".."), "@types"), "--types", "node"]
    const target = ["--module", "nodenext", "--target", "es2024", "--lib", "es2024,dom,esnext.disposable"]
    host.write(
      "types.ts",
      `import { layerFileBlobs, layerLibrary, layerPostgres, open, type Sightline } from "sightline/standalone"
const database = layerPostgres({ url: "postgres://app@localhost/app" })
const library = layerLibrary({ blobs: layerFileBlobs({ directory: "files" }) })
const principal = () => ({ organization: "acme", role: "owner" as const, identity: { id: "ada", name: "Ada" } })
export const opened: Promise<Sightline> = open({ database, library, principal, background: { kinds: ["document"] } })
// @ts-expect-error a library is no database
export const wrong = open({ database: library })
`,
    )
    await execute(
      bin("tsc"),
      ["--ignoreConfig", "--strict", "--noEmit", ...target, ...types, "types.ts"],
      host.directory,
    )
  })
})

describe("a host with Effect 3", () => {
  const host = project()
  beforeAll(async () => {
    for (const name of ["package.json", "package-lock.json"])
      host.write(name, textOf(`test/embedding/standalone/${name}`))
    await host.install(file, packages)
  })
  afterAll(() => host.remove())

  it("installs the package, and runs both versions in one process", async () => {
    host.write(
      "host.ts",
      withPatience(source) +
        `import { Effect } from "effect"
import manifest from "effect/package.json" with { type: "json" }
console.log(manifest.version, Effect.runSync(Effect.succeed("from the host")))
`,
    )
    const printed = await execute(bin("node"), ["host.ts"], host.directory)
    assert.include(printed, ANSWER)
    assert.match(printed, /^3\.\S+ from the host$/m)
  })
})

describe("a host that has Effect 4 and opens both entries", () => {
  const host = project()
  beforeAll(() => host.install(file, [...new Set([...packages, ...readHost("node.ts").packages])]))
  afterAll(() => host.remove())

  it("gets an answer from each", async () => {
    host.write("with.ts", withPatience(readHost("node.ts").source))
    host.write("without.ts", withPatience(source))
    host.write("both.ts", `await Promise.all([import("./with.ts"), import("./without.ts")])`)
    const printed = await execute(bin("node"), ["both.ts"], host.directory)
    assert.strictEqual(printed.split(ANSWER).length, 3, printed)
  })
})
