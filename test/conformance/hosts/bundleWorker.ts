import { builtinModules } from "node:module"
import { fileURLToPath } from "node:url"
import { rolldown } from "rolldown"

// `node test/conformance/hosts/bundleWorker.ts DIRECTORY` bundles `sightline/workers` as Cloudflare's tools do.

const bundle = await rolldown({
  input: fileURLToPath(new URL("../../../src/adapters/workers.ts", import.meta.url)),
  platform: "browser",
  resolve: { conditionNames: ["workerd", "worker", "browser", "import", "default"] },
  external: [/^node:/, /^cloudflare:/, ...builtinModules],
})
await bundle.write({ dir: process.argv[2]!, codeSplitting: false })
