import { execFile } from "node:child_process"
import { existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { afterAll, assert, it } from "@effect/vitest"
import { build } from "esbuild"
import { rolldown } from "rolldown"
import webpack from "webpack"
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
await sightline.ready({ seconds: 600 })
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
await sightline.tick({ seconds: 600 })
const { status } = await call("/documents/" + document.id)
await sightline.dispose()
console.log(status)
`

const pdf = join(directory, "card.pdf")
writeFileSync(pdf, pagesOf([[{ text: "Orvanta charges 40 dollars per seat.", x: 72, y: 700 }]]))

/** Writes the host's program, and returns its file. */
const writeHost = (name: string, reader: string) => {
  const entry = join(directory, `${name}.ts`)
  writeFileSync(entry, host(reader))
  return entry
}

/** Runs `main.js` of a bundle. Returns the status of the document. */
const runHost = async (name: string) => {
  const { stdout } = await promisify(execFile)(process.execPath, [join(directory, name, "main.js"), pdf])
  return stdout.trim().split("\n").at(-1)
}

const EXTERNAL = ["@electric-sql/pglite", "pdfjs-dist"]

const bundle = async (name: string, reader: string, more: Readonly<Record<string, string>> = {}) => {
  const made = await rolldown({
    input: { main: writeHost(name, reader), ...more },
    platform: "node",
    external: EXTERNAL.map((name) => new RegExp(`^${name}`)),
  })
  await made.write({ dir: join(directory, name) })
  return runHost(name)
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

it("a host bundled by esbuild reads a PDF in a thread that it bundles beside itself", async () => {
  await build({
    entryPoints: { main: writeHost("esbuild", "layerReader()"), ...worker },
    outdir: join(directory, "esbuild"),
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    external: EXTERNAL.flatMap((name) => [name, `${name}/*`]),
    // Packages that are CommonJS modules call it.
    banner: {
      js: 'import { createRequire as makeRequire } from "node:module"; const require = makeRequire(import.meta.url)',
    },
    logLevel: "error",
  })
  assert.strictEqual(await runHost("esbuild"), "ready")
})

/** webpack reads no TypeScript. */
const STRIP = `
const { stripTypeScriptTypes } = require("node:module")
module.exports = (source) => stripTypeScriptTypes(source)
`

it("a host bundled by webpack, as by Next, reads a PDF in the thread that webpack finds", async () => {
  const strip = join(directory, "strip.cjs")
  writeFileSync(strip, STRIP)
  const compiler = webpack({
    entry: { main: writeHost("webpack", "layerReader()") },
    output: { path: join(directory, "webpack"), filename: "[name].js", module: true, chunkFormat: "module" },
    target: "node24",
    mode: "none",
    externals: ({ request = "" }, decide) =>
      EXTERNAL.some((name) => request.startsWith(name)) ? decide(undefined, `module ${request}`) : decide(),
    module: { rules: [{ test: /\.ts$/, use: strip }] },
  })
  const errors = await new Promise((resolve, reject) =>
    compiler.run((error, stats) =>
      error ? reject(error) : resolve(stats?.toString({ all: false, errors: true, errorsCount: false }) ?? ""),
    ),
  )
  assert.strictEqual(errors, "")
  assert.strictEqual(await runHost("webpack"), "ready")
})
