// @ts-nocheck It imports the built package.
import { readFileSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { pathToFileURL } from "node:url"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { ApiKeys, open, Organizations } from "sightline"
import { layerLibrary, layerReader, layerTranscriber } from "sightline/library"
import { layerPglite } from "sightline/pglite"
import { layerRedis } from "sightline/redis"

// Uploads the files of its arguments, ticks, and prints what became of each, and of the limits in Redis, which does not run.

// In the form that bundlers know, webpack refuses a file that does not exist.
const beside = (name) => pathToFileURL(join(dirname(process.argv[1]), name))
const readers = {
  named: { workerUrl: beside("worker.js") },
  absent: { workerUrl: beside("absent.js") },
  within: { inThread: true },
}
const library = layerLibrary({
  reader: layerReader(readers[process.env.READER]),
  transcriber: layerTranscriber({ url: "http://127.0.0.1:1", model: "whisper" }),
})
const sightline = await open({ database: layerPglite(), library, background: false })
await sightline.ready({ seconds: 600 })
const { id } = await sightline.run(Organizations.use(({ create }) => create({ name: "Acme", plan: "growth" })))
const { key } = await sightline.run(ApiKeys.use(({ create }) => create(id, { name: "host", role: "owner" })))
const call = async (path, body, type = "application/json") => {
  const headers = { authorization: `Bearer ${key}`, "content-type": type }
  const init = body && { method: "POST", body }
  return (await sightline.handler(new Request(`http://localhost/api/v1${path}`, { ...init, headers }))).json()
}
await call("/import", '{"type":"competitor","name":"Orvanta"}', "application/x-ndjson")
const types = { md: "text/markdown", pdf: "application/pdf", wav: "audio/wav" }
const uploads = []
for (const path of process.argv.slice(2)) {
  const file = { file_name: basename(path), file_base64: readFileSync(path).toString("base64") }
  const content_type = types[path.split(".").at(-1)]
  const body = { ...file, content_type, type: "asset", competitor_name: "Orvanta" }
  uploads.push((await call("/documents/library", JSON.stringify(body))).document.id)
}
await sightline.tick({ seconds: 600 })
const said = {}
for (const upload of uploads) {
  const { file_name, status, failure_reason } = await call(`/documents/${upload}`)
  said[file_name] = failure_reason ?? status
}
await sightline.dispose()
const redis = Layer.build(layerRedis({ url: Redacted.make("redis://127.0.0.1:1") }))
said.redis = await Effect.runPromise(Effect.flip(Effect.scoped(redis))).then(({ message }) => message)
console.log(JSON.stringify(said))
process.exit()
