import { fileURLToPath } from "node:url"
import { rolldown } from "rolldown"

// `node test/conformance/hosts/bundleHost.ts DIRECTORY` bundles a Node application that embeds the service.

const file = (path: string) => fileURLToPath(new URL(path, import.meta.url))

const bundle = await rolldown({
  input: {
    host: file("host.ts"),
    worker: file("../../../src/ingest/sandbox/worker.js"),
    mediaWorker: file("../../../src/ingest/media/mediaWorker.js"),
  },
  platform: "node",
  // These packages read files of their own.
  external: [/^@electric-sql\//, /^pdfjs-dist/],
})
await bundle.write({ dir: process.argv[2]! })
