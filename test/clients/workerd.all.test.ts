import { execFile } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { assert, it, onTestFinished } from "vitest"
import { resource } from "../support/resources.ts"
import { bundleEverywhere, SEEN } from "./everywhereBundle.ts"
import { startFlakyProxy } from "./flakyProxy.ts"
import { startServer } from "./server.ts"

const ROOT = join(import.meta.dirname, "../..")

it("the client runs on workerd, over a connection that breaks", async () => {
  await resource("workerd")
  const server = await startServer()
  const proxy = await startFlakyProxy(server.url)
  const directory = mkdtempSync(join(tmpdir(), "sightline-worker-"))
  onTestFinished(async () => {
    rmSync(directory, { recursive: true, force: true })
    await proxy.close()
    await server.close()
  })
  proxy.fail("refuse", "pass", "pass", "lose reply", "pass")
  proxy.cutNextStream()
  const call = `useClient(${JSON.stringify(proxy.url)}, ${JSON.stringify(server.key)})`
  const worker = join(directory, "worker.js")
  writeFileSync(
    worker,
    `${await bundleEverywhere()}\nexport default { fetch: async () => Response.json(await ${call}) }\n`,
  )
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [join(ROOT, "test/conformance/workerd/call.ts"), worker],
    { cwd: ROOT },
  )
  assert.deepStrictEqual(JSON.parse(stdout), SEEN)
  assert.isTrue(proxy.hasCutStream())
})
