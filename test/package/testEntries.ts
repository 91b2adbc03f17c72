import { existsSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { assert, it } from "@effect/vitest"
import * as Context from "effect/Context"
import { ENDPOINTS } from "../../src/adapters/client/endpoints.ts"
import * as services from "../../src/core/services.ts"
import { bin, execute, filesBelow, LIBRARY_ENTRIES, type project, textOf, TYPED_ENTRIES } from "./packed.ts"

/** The services, as `sightline/services` names them. */
const SERVICES = Object.entries(services).flatMap(([name, value]) => (Context.isKey(value) ? [name] : []))

/** Registers the tests of what a host loads of the package, whose dependencies are linked or installed. */
export const testEntries = (host: ReturnType<typeof project>) => {
  it.each(["node", "bun", "deno"])("has entries that %s imports", async (runtime) => {
    host.write(
      "entries.mjs",
      `for (const entry of ${JSON.stringify(LIBRARY_ENTRIES)}) await import(entry)\nconsole.log("done")\n`,
    )
    const args = runtime === "deno" ? ["run", "-A", "entries.mjs"] : ["entries.mjs"]
    assert.strictEqual((await execute(bin(runtime), args, host.directory)).trim(), "done")
  })

  it("has declarations that compile without skipLibCheck, and lead to the sources", async () => {
    const dist = host.path("node_modules/sightline/dist")
    host.write("entries.ts", TYPED_ENTRIES.map((entry, n) => `export * as entry${n} from "${entry}"\n`).join(""))
    const types = join(bin(".."), "@types")
    const strict = ["--strict", "--exactOptionalPropertyTypes", "--noUncheckedIndexedAccess", "--noEmit"]
    const target = ["--module", "nodenext", "--target", "es2024", "--lib", "es2024,dom,dom.iterable"]
    const args = ["--ignoreConfig", ...strict, ...target, "--typeRoots", types, "--types", "node", "entries.ts"]
    await execute(bin("tsc"), args, host.directory)
    const maps = filesBelow(dist).filter((name) => name.endsWith(".d.ts.map"))
    assert.isAbove(maps.length, 50)
    for (const name of maps) {
      const { sources } = JSON.parse(readFileSync(join(dist, name), "utf8")) as { sources: Array<string> }
      for (const source of sources) assert.isTrue(existsSync(join(dist, dirname(name), source)), source)
    }
  })

  it("has clients without a declaration of Effect, whose types a host names in declarations of its own", async () => {
    const groups = Object.keys(ENDPOINTS).map((group) => `  ${group}: client.${group},\n`)
    host.write(
      "client.ts",
      `import { createClient } from "sightline/client"
import { createOperator } from "sightline/client/operator"
const client = createClient({ baseUrl: "http://localhost" })
export const groups = {\n${groups.join("")}}
export const { waitForDocument, waitForExport, waitForRun } = client
export const { organizations, of } = createOperator({ baseUrl: "http://localhost" })
export const readDeals = () => client.deals.list({ columns: ["name", "competitors"] })
export const readWarnings = async (id: string) => (await client.library.get({ id })).warnings
`,
    )
    const strict = ["--strict", "--exactOptionalPropertyTypes", "--declaration", "--emitDeclarationOnly", "--listFiles"]
    const target = ["--module", "nodenext", "--target", "es2024", "--lib", "es2024,dom,dom.iterable", "--types", ""]
    const args = ["--ignoreConfig", ...strict, ...target, "--outDir", "declared", "client.ts"]
    const files = (await execute(bin("tsc"), args, host.directory)).split("\n")
    assert.isNotEmpty(files.filter((file) => file.includes("/sightline/dist/")))
    assert.isEmpty(files.filter((file) => /node_modules\/@?effect\//.test(file)))
    const declared = readFileSync(host.path("declared/client.d.ts"), "utf8")
    assert.include(declared, 'readonly list: import("sightline/client").DealList')
    assert.notMatch(declared, /sightline\/dist\//)
  })

  it("has types that a host names in declarations of its own, for every service", async () => {
    const [, example = ""] = /```ts\n(import \{ askerOf[^]*?)```/.exec(textOf("docs/embedding.md")) ?? []
    host.write("ask.ts", example)
    const made = SERVICES.map(
      (name) => `export const made${name} = ${name}.use((service) => Effect.succeed(service))\n`,
    )
    const imports = `import * as Effect from "effect/Effect"\nimport { ${SERVICES.join(", ")} } from "sightline/services"\n`
    host.write("services.ts", `${imports}${made.join("")}`)
    const strict = ["--strict", "--exactOptionalPropertyTypes", "--declaration", "--emitDeclarationOnly"]
    const target = ["--module", "nodenext", "--target", "es2024", "--lib", "es2024,dom,dom.iterable"]
    const types = ["--typeRoots", join(bin(".."), "@types"), "--types", "node", "--skipLibCheck"]
    const args = ["--ignoreConfig", ...strict, ...target, ...types, "--outDir", "declared", "services.ts", "ask.ts"]
    await execute(bin("tsc"), args, host.directory)
    const declared = readFileSync(host.path("declared/services.d.ts"), "utf8")
    for (const name of SERVICES) assert.include(declared, `made${name}: Effect.Effect<{`)
    // The compiler names a type that no entry exports by its file.
    assert.notMatch(declared, /sightline\/dist\//)
  })
}
