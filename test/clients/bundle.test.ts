import { readFileSync } from "node:fs"
import { join, relative } from "node:path"
import { rolldown } from "rolldown"
import { assert, describe, it } from "vitest"
import { ENDPOINTS_FILE, renderEndpoints } from "../../docs/reference/client.ts"

const ROOT = join(import.meta.dirname, "../..")

/** The modules that a browser would load. `npm run sizes` measures them. */
const bundle = async (entry: string) => {
  const built = await rolldown({ input: join(ROOT, entry), platform: "browser" })
  const { output } = await built.generate({ format: "esm" })
  await built.close()
  const chunks = output.filter((file) => file.type === "chunk")
  return {
    imports: chunks.flatMap(({ imports }) => imports),
    modules: chunks.flatMap(({ modules }) => Object.keys(modules)).map((path) => relative(ROOT, path)),
  }
}

describe("sightline/client", () => {
  it("has only its own files and the event stream parser", async () => {
    const { imports, modules } = await bundle("src/adapters/client/client.ts")
    assert.isEmpty(imports)
    const foreign = modules.filter((path) => !path.startsWith("src/adapters/client/"))
    assert.deepStrictEqual(foreign, ["node_modules/eventsource-parser/dist/index.js"])
  })

  it("has no code of the server in the client for Effect", async () => {
    const { imports, modules } = await bundle("src/adapters/client/effect.ts")
    assert.isEmpty(imports)
    const server =
      /^src\/(?:adapters\/(?!client\/)|ingest\/|core\/(?:storage|jobs|operator|mcp)\/)|[sS]ql\.ts$|handlers\.ts$|\/layer[A-Z]/
    assert.isEmpty(modules.filter((path) => server.test(path)))
    const packages = new Set(modules.flatMap((path) => /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? []))
    assert.deepStrictEqual([...packages], ["effect"])
  })

  it("lists the endpoints and content types as the contract has them; `npm run client` writes the file", () => {
    assert.strictEqual(readFileSync(ENDPOINTS_FILE, "utf8"), renderEndpoints())
  })
})
