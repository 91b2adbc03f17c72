import { execFile } from "node:child_process"
import { existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { afterAll, assert, it } from "@effect/vitest"
import { rolldown } from "rolldown"
import { pagesOf } from "../ingest/support/pdf.ts"

const root = join(import.meta.dirname, "../..")
const directory = mkdtempSync(join(tmpdir(), "sightline-bundled-"))
// Packages that find files beside their own modules stay outside of bundles.
symlinkSync(join(root, "node_modules"), join(directory, "node_modules"))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

const source = (path: string) => JSON.stringify(join(root, "src", path))

/** Uploads the PDF of `argv[2]`, ticks, and prints what became of it. */
const host = (reader: string) => `
import { readFileSync } from "node:fs"
import { ApiKeys, open, Organizations } from ${source("core/Sightline.ts")}
import { layerLibrary, layerReader } from ${source("adapters/library.ts")}
import { layerPglite } from ${source("adapters/database/pglite.ts")}

const sightline = await open({ database: layerPglite(), library: layerLibrary({ reader: ${reader} }), background: false })
const { id } = await sightline.run(Organizations.use(({ create }) => create({ name: "Acme", plan: "growth" })))
const { key } = await sightline.run(ApiKeys.use(({ create }) => create(id, { name: "host", role: "owner" })))
const call = async (path, body) => {
  const headers = { authorization: "Bearer " + key, "content-type": body?.records ? "application/x-ndjson" : "application/json" }
  const init = body && { method: "POST", body: body.records ?? JSON.stringify(body) }
  return (await sightline.handler(new Request("http://localhost/api/v1" + path, { ...init, headers }))).json()
}
await call("/import", { records: '{"type":"competitor","name":"Orvanta"}' })
const file_base64 = readFileSync(process.argv[2]).toString("base64")
const { document } = await call("/documents/library", {
  content_type: "application/pdf", file_name: "card.pdf", type: "asset", competitor_name: "Orvanta", file_base64,
})
await sightline.tick({ seconds: 120 })
const { status } = await call("/documents/" + document.id)
await sightline.dispose()
console.log(status)
`

const pdf = join(directory, "card.pdf")
writeFileSync(pdf, pagesOf([[{ text: "Orvanta charges 40 dollars per seat.", x: 72, y: 700 }]]))

const bundle = async (name: string, reader: string, more: Readonly<Record<string, string>> = {}) => {
  const entry = join(directory, `${name}.ts`)
  writeFileSync(entry, host(reader))
  const made = await rolldown({
    input: { main: entry, ...more },
    platform: "node",
    external: [/^@electric-sql\//, /^pdfjs-dist/],
  })
  await made.write({ dir: join(directory, name) })
  const { stdout } = await promisify(execFile)(process.execPath, [join(directory, name, "main.js"), pdf])
  return stdout.trim().split("\n").at(-1)
}

const worker = { worker: join(root, "src/ingest/sandbox/worker.js") }

it("a bundled host reads a PDF in a thread that it bundles beside itself", async () => {
  assert.strictEqual(await bundle("beside", "layerReader()", worker), "ready")
})

it("a bundled host reads a PDF in a thread at `workerUrl`", async () => {
  const reader = 'layerReader({ workerUrl: new URL("./worker.js", import.meta.url) })'
  assert.strictEqual(await bundle("named", reader, worker), "ready")
})

it("a bundled host reads a PDF in its own thread if it asks for that", async () => {
  assert.strictEqual(await bundle("within", "layerReader({ inThread: true })"), "ready")
  assert.isFalse(existsSync(join(directory, "within", "worker.js")))
})

it("a host whose thread is missing retries the document instead of calling it damaged", async () => {
  const reader = 'layerReader({ workerUrl: new URL("./absent.js", import.meta.url) })'
  assert.strictEqual(await bundle("absent", reader), "processing")
})
