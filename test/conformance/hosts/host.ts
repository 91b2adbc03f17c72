import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import process from "node:process"
import { getRequestListener } from "@hono/node-server"
import * as Redacted from "effect/Redacted"
import { layerLibrary } from "../../../src/adapters/library.ts"
import { layerPglite } from "../../../src/adapters/database/pglite.ts"
import { layerPostgres } from "../../../src/adapters/database/postgres.ts"
import { compressor } from "../../../src/adapters/serving/serving.ts"
import { open } from "../../../src/core/Sightline.ts"

// An application with a server of its own, which embeds the service and is bundled whole.

const { SIGHTLINE_DATABASE_URL: url, SIGHTLINE_DATABASE_POOLED: pooled, SIGHTLINE_DATA_DIR: directory } = process.env
const sightline = await open({
  database:
    url === undefined
      ? layerPglite({ directory: `${directory}/postgres` })
      : layerPostgres({ url: Redacted.make(url), pooled: pooled === "true" }),
  library: layerLibrary(),
  compressor,
})
await sightline.ready({ seconds: 300 })
const server = createServer(getRequestListener(sightline.handler))
server.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`))
process.once("SIGTERM", async () => {
  server.closeAllConnections()
  await sightline.dispose()
  process.exit(0)
})
