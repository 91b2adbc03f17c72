// npm run start:bun
import process from "node:process"
import { serveStatic } from "hono/bun"
import app from "./app.ts"
import { pool } from "./database.ts"
import { sightline } from "./sightline.ts"

app.use(serveStatic({ root: "dist" }))
const server = Bun.serve({ fetch: app.fetch, port: process.env["PORT"] ?? 3000 })
console.log(server.url.href)

process.once("SIGTERM", async () => {
  void server.stop()
  await sightline.dispose({ drainSeconds: 20 })
  await pool.end()
})
