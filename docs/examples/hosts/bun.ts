// npm install sightline effect @effect/sql-pg @electric-sql/pglite
// bun bun.ts
import { ApiKeys, openOnce, Organizations } from "sightline"
import { createClient } from "sightline/client"
import { layerLibrary } from "sightline/library"
import { layerPglite } from "sightline/pglite"

// `bun --hot` evaluates this module again after each edit.
const sightline = await openOnce("bun", { database: layerPglite(), library: layerLibrary() })
const { id } = await sightline.run(Organizations.use(({ create }) => create({ name: "Acme", plan: "growth" })))
const { key } = await sightline.run(ApiKeys.use(({ create }) => create(id, { name: "bun", role: "owner" })))

// Streams send a ping every 15 seconds; Bun closes a connection after 10 silent seconds.
const server = Bun.serve({ port: 0, idleTimeout: 120, fetch: sightline.handler })

const client = createClient({ baseUrl: server.url, key })
await client.workspace.import({ records: [{ type: "competitor", name: "Orvanta" }] })
const file = new File(["Orvanta charges $40 per seat."], "prices.md")
const { run_id } = await client.library.uploadToLibrary({ file, type: "intel", competitor_name: "Orvanta" })
await client.waitForRun(run_id)
const answer = await client.answers.create({ messages: [{ role: "user", content: "What does Orvanta charge?" }] })
console.log(answer.message.content)

await server.stop()
await sightline.dispose()
