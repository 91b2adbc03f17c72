// npm install sightline effect @effect/sql-pg @electric-sql/pglite fastify @hono/node-server
// node fastify.ts
import { getRequestListener } from "@hono/node-server"
import fastify from "fastify"
import { ApiKeys, open, Organizations } from "sightline"
import { createClient } from "sightline/client"
import { layerLibrary } from "sightline/library"
import { layerPglite } from "sightline/pglite"

const sightline = await open({ database: layerPglite(), library: layerLibrary() })
const { id } = await sightline.run(Organizations.use(({ create }) => create({ name: "Acme", plan: "growth" })))
const { key } = await sightline.run(ApiKeys.use(({ create }) => create(id, { name: "fastify", role: "owner" })))

const listener = getRequestListener(sightline.handler)
const app = fastify()
app.get("/hello", async () => "Hello")
await app.register(async (mounted) => {
  // Its requests keep their bodies.
  mounted.removeAllContentTypeParsers()
  mounted.addContentTypeParser("*", (_request, _body, done) => done(null))
  mounted.all("/*", async (request, reply) => {
    reply.hijack()
    await listener(request.raw, reply.raw)
  })
})
const baseUrl = await app.listen({ port: 0 })

const client = createClient({ baseUrl, key })
await client.workspace.import({ records: [{ type: "competitor", name: "Orvanta" }] })
const file = new File(["Orvanta charges $40 per seat."], "prices.md")
const { run_id } = await client.library.uploadToLibrary({ file, type: "intel", competitor_name: "Orvanta" })
await client.waitForRun(run_id)
const answer = await client.answers.create({ messages: [{ role: "user", content: "What does Orvanta charge?" }] })
console.log(answer.message.content)

await app.close()
await sightline.dispose()
