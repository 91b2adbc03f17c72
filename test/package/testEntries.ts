import { existsSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { assert, it } from "@effect/vitest"
import * as Context from "effect/Context"
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

  it("has types that a host names in declarations of its own, for every service", async () => {
    const [, example = ""] = /```ts\n([^]*?)```/.exec(textOf("docs/services.md")) ?? []
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
