import { spawn } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, assert, beforeEach, describe, it } from "@effect/vitest"
import { createServer } from "vite"
import { until } from "../support/until.ts"

const ROOT = join(import.meta.dirname, "../..")
const source = (path: string) => JSON.stringify(join(ROOT, "src", path))

let directory = ""
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "sightline-reload-"))
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

/** Writes or edits a host's module. Its user is named after the version, and `more` serves it. */
const edit = (version: number, more: string) => {
  const path = join(directory, "host.ts")
  writeFileSync(
    path,
    `import { openOnce, Organizations } from ${source("core/Sightline.ts")}
import { layerPglite } from ${source("adapters/database/pglite.ts")}
export const sightline = await openOnce("host", {
  database: layerPglite({ directory: ${JSON.stringify(join(directory, "data"))} }),
  background: false,
  principal: () => ({ organization: "org_host", role: "owner", identity: { id: "ada", name: "version ${version}" } }),
})
await sightline.ready({ seconds: 600 })
if (${version === 1}) await sightline.run(Organizations.use(({ create }) => create({ id: "org_host", name: "Host", plan: "growth" })))
${more}
`,
  )
  return path
}

/** The user as the service knows her, and her requests until now, which the directory keeps. */
const readUser = async (answer: (path: string) => Promise<Response>) => {
  const reply = await answer("/api/v1/usage")
  const text = await reply.text()
  assert.strictEqual(reply.status, 200, text)
  const [{ name, requests_this_month }] = JSON.parse(text).identities
  return { name, requests_this_month }
}

describe("a host's module that a development server evaluates again after each edit", () => {
  it("serves from the same directory under `bun --hot`", async () => {
    const serve = (version: number) => `const { url } = Bun.serve({ port: 0, fetch: sightline.handler })
console.log("version ${version} at " + url)`
    const bun = join(ROOT, "node_modules/.bin/bun")
    const child = spawn(bun, ["--hot", edit(1, serve(1))], { stdio: ["ignore", "pipe", "pipe"] })
    let printed = ""
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (printed += chunk))
    try {
      for (const version of [1, 2, 3]) {
        if (version > 1) edit(version, serve(version))
        const url = await until(`version ${version} serves`, () => {
          if (child.exitCode !== null) throw new Error(printed)
          return new RegExp(`version ${version} at (\\S+)`).exec(printed)?.[1]
        })
        assert.deepStrictEqual(await readUser((path) => fetch(new URL(path, url))), {
          name: `version ${version}`,
          requests_this_month: version,
        })
      }
    } finally {
      child.kill("SIGKILL")
    }
  })

  it("serves from the same directory under Vite", async () => {
    const path = edit(1, "")
    await using server = Object.assign(
      await createServer({
        root: directory,
        configFile: false,
        appType: "custom",
        logLevel: "error",
        server: { middlewareMode: true },
      }),
      { [Symbol.asyncDispose]: () => server.close() },
    )
    const handler = async () => (await server.ssrLoadModule(path))["sightline"]
    for (const version of [1, 2, 3]) {
      if (version > 1) {
        const before = await handler()
        edit(version, "")
        await until("Vite has seen the edit", async () => (await handler()) !== before)
      }
      const { handler: answer } = await handler()
      assert.deepStrictEqual(await readUser((path) => answer(new Request(`http://localhost${path}`))), {
        name: `version ${version}`,
        requests_this_month: version,
      })
    }
    await (await handler()).dispose()
  })
})
