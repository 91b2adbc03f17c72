// npm run worker
import process from "node:process"
import { open } from "sightline"
import { common } from "./options.ts"

// Reads documents and writes exports, so that the server's requests do not wait for them.
const worker = await open(common)
process.once("SIGTERM", () => void worker.dispose({ drainSeconds: 20 }))
