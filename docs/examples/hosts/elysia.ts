// npm install sightline effect @effect/sql-pg @electric-sql/pglite elysia
// bun elysia.ts
import { Elysia } from "elysia"
import { ApiKeys, openOnce, Organizations } from "sightline"
import { createClient } from "sightline/client"
import { layerLibrary } from "sightline/library"
import { layerPglite } from "sightline/pglite"

// `bun --hot` evaluates this module again after each edit.
const sightline = await openOnce("elysia", { database: layerPglite(), library: layerLibrary() })
const { id } = await sightline.run(Organizations.use(({ create }) => create({ name: "Acme", plan: "growth" })))
const { key } = await sightline.run(ApiKeys.use(({ create }) => create(id, { name: "elysia", role: "owner" })))

const app = new Elysia().get("/hello", "Hello").mount(sightline.handler).listen(0)

const client = createClient({ baseUrl: app.server!.url, key })
await client.workspace.import({ records: [{ type: "competitor", name: "Orvanta" }] })
const file = new File(["Orvanta charges $40 per seat."], "prices.md")
const { run_id } = await client.library.uploadToLibrary({ file, type: "intel", competitor_name: "Orvanta" })
await client.waitForRun(run_id)
const answer = await client.answers.create({ messages: [{ role: "user", content: "What does Orvanta charge?" }] })
console.log(answer.message.content)

await app.stop()
await sightline.dispose()
