import { join } from "node:path"
import { Miniflare } from "miniflare"

// `node test/conformance/workerd/serve.ts DIRECTORY` serves the bundle there with Cloudflare's runtime.

const directory = process.argv[2]!
const bindings = Object.fromEntries(Object.entries(process.env).filter(([name]) => name.startsWith("SIGHTLINE_")))
const server = new Miniflare({
  // Not the address of Miniflare's proxy, which compresses.
  unsafeDirectSockets: [{ host: "127.0.0.1", port: 0 }],
  cf: false,
  modules: true,
  modulesRoot: directory,
  scriptPath: join(directory, "workers.js"),
  compatibilityDate: "2026-07-01",
  compatibilityFlags: ["nodejs_compat"],
  bindings,
})
console.log(String(await server.unsafeGetDirectURL()))

/** The cron trigger. */
const runCron = async (): Promise<void> => {
  // The types take a Worker for a request.
  const worker = (await server.getWorker()) as unknown as { readonly scheduled: () => Promise<unknown> }
  await worker.scheduled()
  return runCron()
}
void runCron()
process.once("SIGTERM", () => void server.dispose().then(() => process.exit(0)))
