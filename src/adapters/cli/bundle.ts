import { fileURLToPath } from "node:url"

// Run by Bun: `bun src/adapters/cli/bundle.ts DIRECTORY` makes the command line that is published, for Node and Bun alike.

const source = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url))

/** Few files start in half the time of five hundred, and in two thirds of the memory. What is used seldom stays apart. */
const { success, logs } = await Bun.build({
  entrypoints: [source("adapters/cli/main.js"), source("ingest/worker.ts"), source("ingest/mediaWorker.ts")],
  outdir: process.argv[2] ?? "dist/cli",
  target: "node",
  splitting: true,
  minify: { whitespace: true, syntax: true },
  naming: { entry: "[name].[ext]" },
  // These find files beside their own.
  external: ["@electric-sql/*", "pdfjs-dist"],
})
for (const log of logs) console.error(log)
if (!success) process.exit(1)
