import { readFileSync } from "node:fs"
import { Miniflare } from "miniflare"

// `node test/conformance/workerd/call.ts FILE` prints the reply of the Worker in the file.

const script = readFileSync(process.argv[2]!, "utf8")
const worker = new Miniflare({ modules: true, script, compatibilityDate: "2026-07-01" })
const reply = await worker.dispatchFetch("http://localhost/")
console.log(await reply.text())
await worker.dispose()
