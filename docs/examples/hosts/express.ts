// npm install sightline effect @effect/sql-pg @electric-sql/pglite express @hono/node-server
// node express.ts
import type { AddressInfo } from "node:net"
import { getRequestListener } from "@hono/node-server"
import express from "express"
import { ApiKeys, open, Organizations } from "sightline"
import { createClient } from "sightline/client"
import { layerLibrary } from "sightline/library"
import { layerPglite } from "sightline/pglite"

const sightline = await open({ database: layerPglite(), library: layerLibrary() })
const { id } = await sightline.run(Organizations.use(({ create }) => create({ name: "Acme", plan: "growth" })))
const { key } = await sightline.run(ApiKeys.use(({ create }) => create(id, { name: "express", role: "owner" })))

const app = express()
app.get("/hello", (_request, response) => void response.send("Hello"))
// Mount it before express.json(), which would consume the bodies of its requests.
app.use(getRequestListener(sightline.handler))
const server = app.listen(0)

const client = createClient({ baseUrl: `http://localhost:${(server.address() as AddressInfo).port}`, key })
await client.workspace.import({ records: [{ type: "competitor", name: "Orvanta" }] })
const file = new File(["Orvanta charges $40 per seat."], "prices.md")
const { run_id } = await client.library.uploadToLibrary({ file, type: "intel", competitor_name: "Orvanta" })
await client.waitForRun(run_id)
const answer = await client.answers.create({ messages: [{ role: "user", content: "What does Orvanta charge?" }] })
console.log(answer.message.content)

server.close()
await sightline.dispose()
