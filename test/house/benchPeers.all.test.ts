import { type ChildProcess, spawn } from "node:child_process"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { installPackages } from "../../build/installPackages.ts"
import { compileFolder } from "../support/compileFolder.ts"
import { freePort } from "../support/postgres.ts"
import { until } from "../support/until.ts"

const ROOT = join(import.meta.dirname, "../..")

describe("the servers beside which the bench measures", () => {
  const running: Array<ChildProcess> = []
  beforeAll(() => installPackages("bench"))
  afterAll(() => running.forEach((server) => server.kill("SIGKILL")))

  it("compile with the bench's own packages", () => compileFolder("bench/peers"))

  it.each([
    ["node", "fastify.ts"],
    ["node", "node.ts"],
    ["bun", "hono.ts"],
    ["deno", "hono.ts"],
  ])("find their packages on %s: %s answers", async (runtime, name) => {
    const port = await freePort()
    const args = [...(runtime === "deno" ? ["run", "-A", "--quiet"] : []), join(ROOT, "bench/peers", name)]
    const server = spawn(join(ROOT, "node_modules/.bin", runtime), args, {
      cwd: ROOT,
      env: { ...process.env, PORT: String(port), BENCH_DATABASE_URL: "postgres://nobody@127.0.0.1:1/none" },
    })
    running.push(server)
    let printed = ""
    for (const stream of [server.stdout, server.stderr]) stream.on("data", (chunk) => (printed += chunk))
    const reply = await until(`${name} answers`, async () => {
      assert.isNull(server.exitCode, printed)
      return fetch(`http://127.0.0.1:${port}/elsewhere`).catch(() => undefined)
    })
    // They serve one path; the one of node:http asks the database for every path.
    assert.strictEqual(reply.status, name === "node.ts" ? 500 : 404)
  })
})
