// npm start
import process from "node:process"
import { serve } from "@hono/node-server"
import { serveStatic } from "@hono/node-server/serve-static"
import app from "./app.ts"
import { pool } from "./database.ts"
import { sightline } from "./sightline.ts"

app.use(serveStatic({ root: "dist" }))
const server = serve({ fetch: app.fetch, port: Number(process.env["PORT"] ?? 3000) }, ({ port }) =>
  console.log(`http://localhost:${port}`),
)

process.once("SIGTERM", async () => {
  server.close()
  await sightline.dispose({ drainSeconds: 20 })
  await pool.end()
})
