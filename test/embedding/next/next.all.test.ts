import { spawn } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { execute, pack, project, readHost, textOf } from "../../package/packed.ts"
import { until } from "../../support/until.ts"

const ROUTE = "app/[...path]/route.ts"
const packed = mkdtempSync(join(tmpdir(), "sightline-packed-"))
const app = project()
const next = join(app.directory, "node_modules/.bin/next")

/** Writes or edits the route handler of the documentation, which keeps its data and knows one user, named after the version. */
const edit = (version: number) => {
  const options = `database: layerPglite({ directory: "data" }),
  principal: () => ({ organization: "org_next", role: "owner", identity: { id: "ada", name: "version ${version}" } }),`
  const source = readHost("next.ts").source.replace("database: layerPglite(),", options)
  assert.include(source, options)
  app.write(
    ROUTE,
    source.replace('{ name: "Acme", plan: "growth" }', '{ id: "org_next", name: "Acme", plan: "growth" }'),
  )
}

beforeAll(async () => {
  for (const name of ["package.json", "package-lock.json"]) app.write(name, textOf(`test/embedding/next/${name}`))
  await app.install(await pack(packed), [
    "sightline",
    ...readHost("next.ts").packages.filter((name) => name !== "next"),
  ])
  app.write("next.config.mjs", 'export default { output: "standalone", serverExternalPackages: ["sightline"] }')
  mkdirSync(app.path("app/[...path]"), { recursive: true })
  app.write("app/layout.jsx", "export default ({ children }) => <html><body>{children}</body></html>")
  edit(1)
})
afterAll(() => {
  app.remove()
  rmSync(packed, { recursive: true, force: true })
})

describe("the route handler of the documentation in Next", () => {
  it("opens nothing while `next build` loads it", async () => {
    assert.include(await execute(next, ["build"], app.directory), "/[...path]")
    assert.isFalse(existsSync(app.path("data")))
  })

  it("has the optional packages that are installed, and its thread, in the standalone output", () => {
    const installed = app.path(".next/standalone/node_modules")
    for (const path of ["@electric-sql/pglite/dist/index.js", "sightline/dist/ingest/sandbox/worker.js"])
      assert.isTrue(existsSync(join(installed, path)), path)
  })

  it("serves from the same directory under `next dev` after each edit", async () => {
    await execute("node", [app.path(ROUTE)], app.directory)
    const child = spawn(next, ["dev", "--port", "0"], {
      cwd: app.directory,
      env: { ...process.env, NEXT_TELEMETRY_DISABLED: "1" },
    })
    let printed = ""
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (printed += chunk))
    try {
      const url = await until("it serves", () => {
        if (child.exitCode !== null) throw new Error(printed)
        return /http:\/\/localhost:\d+/.exec(printed)?.[0]
      })
      let requests: number | undefined
      for (const version of [1, 2, 3]) {
        edit(version)
        await until(`version ${version} answers`, async () => {
          const reply = await fetch(`${url}/api/v1/usage`)
          const text = await reply.text()
          assert.strictEqual(reply.status, 200, text + printed)
          const [{ name, requests_this_month }] = JSON.parse(text).identities
          assert.strictEqual(requests_this_month, (requests ?? requests_this_month - 1) + 1)
          requests = requests_this_month
          return name === `version ${version}`
        })
      }
    } finally {
      child.kill()
    }
  })
})
