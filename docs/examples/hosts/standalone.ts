// npm install sightline @electric-sql/pglite @hono/node-server
// node standalone.ts
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { getRequestListener } from "@hono/node-server"
import { createOperator } from "sightline/client/operator"
import { layerLibrary, layerPglite, open } from "sightline/standalone"

const operatorKey = "replace-this-by-32-characters-or-more"
const sightline = await open({ database: layerPglite(), library: layerLibrary(), operatorKey })

const server = createServer(getRequestListener(sightline.handler))
await new Promise<void>((resolve) => server.listen(0, resolve))

const baseUrl = `http://localhost:${(server.address() as AddressInfo).port}`
const operator = createOperator({ baseUrl, key: operatorKey })
const { id } = await operator.organizations.create({ name: "Acme", plan: "growth" })
const client = operator.of(id)
await client.workspace.import({ records: [{ type: "competitor", name: "Orvanta" }] })
const file = new File(["Orvanta charges $40 per seat."], "prices.md")
const { run_id } = await client.library.uploadToLibrary({ file, type: "intel", competitor_name: "Orvanta" })
await client.waitForRun(run_id)
const answer = await client.answers.create({ messages: [{ role: "user", content: "What does Orvanta charge?" }] })
console.log(answer.message.content)

server.close()
await sightline.dispose()
