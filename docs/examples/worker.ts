// npm install sightline effect @effect/sql-pg
// DATABASE_URL=postgres://… SIGNING_SECRET=… node worker.ts
import process from "node:process"
import { open } from "sightline"
import { layerLibrary } from "sightline/library"
import { layerPostgres } from "sightline/postgres"

// Reads documents, writes exports and sends webhooks for the processes that serve, which pass `background: false`.
const worker = await open({
  database: layerPostgres({ url: process.env.DATABASE_URL! }),
  library: layerLibrary(),
  signingSecret: process.env.SIGNING_SECRET,
  background: { concurrency: { document: 4 } },
})
process.once("SIGTERM", () => void worker.dispose())
