import { fileURLToPath } from "node:url"
import { rolldown } from "rolldown"

// `node src/adapters/cli/bundle.ts DIRECTORY` makes the command line that is published, for Node and Bun alike.

const source = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url))

/**
 * A few files start in half the time and two thirds of the memory of five hundred. Modules are grouped by the starts that load
 * them at once; rarely used modules stay separate.
 */
const STARTS = {
  command: ["adapters/cli/program.ts"],
  serve: [
    "adapters/cli/execute.ts",
    "adapters/cli/serve/serve.ts",
    "adapters/database/postgres.ts",
    "adapters/reading/layerReader.ts",
    "adapters/blobs/files.ts",
    "adapters/speech/local.ts",
  ],
  node: ["adapters/node.ts"],
}

/** The starts that need a module: `serve`, `serve-node`. */
const needed = new Map<string, string>()

const bundle = await rolldown({
  input: {
    main: source("adapters/cli/main.js"),
    worker: source("ingest/sandbox/worker.ts"),
    mediaWorker: source("ingest/media/mediaWorker.ts"),
  },
  platform: "node",
  preserveEntrySignatures: "allow-extension",
  // These packages find files relative to their own.
  external: [/^@electric-sql\//, /^pdfjs-dist/],
  plugins: [
    {
      name: "starts",
      buildEnd() {
        for (const [start, paths] of Object.entries(STARTS)) {
          const ids = new Set(paths.map(source))
          for (const id of ids) for (const imported of this.getModuleInfo(id)?.importedIds ?? []) ids.add(imported)
          for (const id of ids) needed.set(id, needed.has(id) ? `${needed.get(id)}-${start}` : start)
        }
      },
    },
  ],
})
await bundle.write({
  dir: process.argv[2] ?? "dist/cli",
  minify: { compress: true, mangle: false, codegen: { removeWhitespace: true } },
  codeSplitting: {
    includeDependenciesRecursively: false,
    groups: [{ debugName: "starts", name: (id) => needed.get(id) ?? null }],
  },
})
