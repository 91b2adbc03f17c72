import { execFile } from "node:child_process"
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { isBuiltin } from "node:module"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { promisify } from "node:util"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { prepare, type Prepared } from "./prepare.ts"

interface Worker {
  readonly fetch: (request: Request, bindings: object, context: object) => Promise<Response>
}

// `workerd.all.test.ts` runs the same bundle on workerd, with every check.
describe("the bundle of sightline/workers", () => {
  const directory = mkdtempSync(join(tmpdir(), "sightline-worker-"))
  let prepared: Prepared
  beforeAll(async () => {
    await promisify(execFile)(process.execPath, [join(import.meta.dirname, "hosts/bundleWorker.ts"), directory])
    prepared = await prepare("PostgreSQL")
  })
  afterAll(async () => {
    rmSync(directory, { recursive: true, force: true })
    await prepared?.drop()
  })

  it("is one file that imports modules of Node and Cloudflare alone", () => {
    assert.deepStrictEqual(readdirSync(directory), ["workers.js"])
    const code = readFileSync(join(directory, "workers.js"), "utf8")
    const imported = [...code.matchAll(/^import (?:[^"]+ from )?"([^"]+)"|\bimport\("([^"]+)"\)/gm)].map(
      ([, statically, lazily]) => (statically ?? lazily)!,
    )
    assert.isNotEmpty(imported)
    const others = imported.filter((name) => !isBuiltin(name) && !name.startsWith("cloudflare:"))
    assert.deepStrictEqual(others, [])
  })

  it("imports and lists deals on PostgreSQL, each request with connections of its own", async () => {
    const { default: worker } = (await import(pathToFileURL(join(directory, "workers.js")).href)) as { default: Worker }
    const pending: Array<Promise<unknown>> = []
    const context = { waitUntil: (work: Promise<unknown>) => void pending.push(work) }
    const ask = async (path: string, init: RequestInit = {}) => {
      const request = new Request(`https://worker.example/api/v1${path}`, init)
      const reply = await worker.fetch(request, prepared.environment, context)
      // The service is open until its reply is read.
      return { status: reply.status, text: await reply.text() }
    }
    const headers = { authorization: `Bearer ${prepared.keys.key}` }
    assert.strictEqual((await ask("/deals")).status, 401)
    const body = JSON.stringify({ type: "deal", id: "d1", name: "Renewal" })
    const written = { method: "POST", headers: { ...headers, "content-type": "application/x-ndjson" }, body }
    assert.strictEqual((await ask("/import", written)).status, 200)
    const { text } = await ask("/deals?columns=name", { headers })
    assert.deepStrictEqual(JSON.parse(text), [{ id: "d1", name: "Renewal" }])
    // Each request closes the service after its reply.
    assert.lengthOf(pending, 3)
    await Promise.all(pending)
  })
})
