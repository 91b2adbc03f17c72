// npm install sightline effect @effect/sql-pg @electric-sql/pglite hono @hono/node-server
// node hono.ts
import type { AddressInfo } from "node:net"
import { serve } from "@hono/node-server"
import { Hono } from "hono"
import { ApiKeys, openOnce, Organizations } from "sightline"
import { createClient } from "sightline/client"
import { layerLibrary } from "sightline/library"
import { layerPglite } from "sightline/pglite"

// `vite dev` evaluates this module again after each edit.
const sightline = await openOnce("hono", { database: layerPglite(), library: layerLibrary() })
const { id } = await sightline.run(Organizations.use(({ create }) => create({ name: "Acme", plan: "growth" })))
const { key } = await sightline.run(ApiKeys.use(({ create }) => create(id, { name: "hono", role: "owner" })))

const app = new Hono()
app.get("/hello", (context) => context.text("Hello"))
app.all("*", (context) => sightline.handler(context.req.raw))
const server = serve({ fetch: app.fetch, port: 0 })

const client = createClient({ baseUrl: `http://localhost:${(server.address() as AddressInfo).port}`, key })
await client.workspace.import({ records: [{ type: "competitor", name: "Orvanta" }] })
const file = new File(["Orvanta charges $40 per seat."], "prices.md")
const { run_id } = await client.library.uploadToLibrary({ file, type: "intel", competitor_name: "Orvanta" })
await client.waitForRun(run_id)
const answer = await client.answers.create({ messages: [{ role: "user", content: "What does Orvanta charge?" }] })
console.log(answer.message.content)

server.close()
await sightline.dispose()
