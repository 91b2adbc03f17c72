// npm install sightline effect @effect/sql-pg @electric-sql/pglite @hono/node-server
// node node.ts
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { getRequestListener } from "@hono/node-server"
import { ApiKeys, open, Organizations } from "sightline"
import { createClient } from "sightline/client"
import { layerLibrary } from "sightline/library"
import { layerPglite } from "sightline/pglite"

const sightline = await open({ database: layerPglite(), library: layerLibrary() })
const { id } = await sightline.run(Organizations.use(({ create }) => create({ name: "Acme", plan: "growth" })))
const { key } = await sightline.run(ApiKeys.use(({ create }) => create(id, { name: "node:http", role: "owner" })))

const server = createServer(getRequestListener(sightline.handler))
await new Promise<void>((resolve) => server.listen(0, resolve))

const client = createClient({ baseUrl: `http://localhost:${(server.address() as AddressInfo).port}`, key })
await client.workspace.import({ records: [{ type: "competitor", name: "Orvanta" }] })
const file = new File(["Orvanta charges $40 per seat."], "prices.md")
const { run_id } = await client.library.uploadToLibrary({ file, type: "intel", competitor_name: "Orvanta" })
await client.waitForRun(run_id)
const answer = await client.answers.create({ messages: [{ role: "user", content: "What does Orvanta charge?" }] })
console.log(answer.message.content)

server.close()
await sightline.dispose()
