// @ts-nocheck: it runs beside the packed library, which a checkout does not have.
import { ApiKeys, open, Organizations } from "sightline"
import { layerLibrary } from "sightline/library"
import { layerPostgres } from "sightline/postgres"
import * as Redacted from "effect/Redacted"
import process from "node:process"

// A host that imports a deal and exports it, through its handler alone. The test copies it beside the packed library.

const sightline = await open({
  database: layerPostgres({ url: Redacted.make(process.argv[2]) }),
  library: layerLibrary(),
  background: false,
})
await sightline.ready({ seconds: 600 })
const { id } = await sightline.run(Organizations.use((all) => all.create({ name: "Acme", plan: "growth" })))
const { key } = await sightline.run(ApiKeys.use((keys) => keys.create(id, { name: "host", role: "owner" })))
const headers = { authorization: `Bearer ${key}` }
const get = (path) => sightline.handler(new Request(new URL(path, "http://localhost"), { headers }))
const post = (path, type, body) =>
  sightline.handler(
    new Request(`http://localhost/api/v1${path}`, {
      method: "POST",
      headers: { ...headers, "content-type": type },
      body,
    }),
  )
await post("/import", "application/x-ndjson", '{"type":"deal","id":"d1","name":"Renewal"}\n')
const { export_id } = await (await post("/deals/export", "application/json", '{"columns":["name"]}')).json()
await sightline.tick({ seconds: 600 })
const job = await (await get(`/api/v1/deals/export/${export_id}`)).json()
console.log(await (await get(job.download_url)).text())
await sightline.dispose()
process.exit()
