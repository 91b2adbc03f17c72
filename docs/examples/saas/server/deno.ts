// npm run start:deno
// Before Effect: it switches off what would cost a request most of its time on Deno.
import "sightline/deno"
import process from "node:process"
import { serveStatic } from "hono/deno"
import app from "./app.ts"
import { pool } from "./database.ts"
import { sightline } from "./sightline.ts"

app.use(serveStatic({ root: "dist" }))
const server = Deno.serve({ port: Number(process.env["PORT"] ?? 3000) }, app.fetch)

process.once("SIGTERM", async () => {
  await Promise.all([server.shutdown(), sightline.dispose({ drainSeconds: 20 })])
  await pool.end()
})
