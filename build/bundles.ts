import { readFileSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { type InputOptions, type OutputChunk, type OutputOptions, rolldown } from "rolldown"
import { OPTIONAL_PACKAGES } from "../src/core/common/optionalPackage.ts"

// What the package contains beside the library's modules. `node build/bundles.ts DIRECTORY` makes the command line alone.

const ROOT = fileURLToPath(new URL("..", import.meta.url))
const source = (path: string) => join(ROOT, "src", path)

const isOptional = (id: string) =>
  Object.keys(OPTIONAL_PACKAGES).some((name) => id === name || id.startsWith(`${name}/`))

const { dependencies } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as {
  readonly dependencies: object
}
const isDependency = (id: string) => Object.keys(dependencies).some((name) => id === name || id.startsWith(`${name}/`))

/** Threads that read documents. They share no module with their host, so their libraries need not be installed. */
const WORKERS = ["ingest/sandbox/worker.js", "ingest/media/mediaWorker.js"]

/** The same readers in the host's own thread, and their error, which the host knows by its class. */
const READERS = ["ingest/sandbox/inThread.ts", "ingest/UnreadableError.ts"]

/** The modules that use `@effect/platform-node`. */
const COPIED = ["adapters/limits/nodeRedis.ts", "adapters/serving/nodeHandler.ts"]

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

const common = {
  platform: "node",
  preserveEntrySignatures: "allow-extension",
  // Servers here take no WebSockets.
  treeshake: { moduleSideEffects: [{ test: /\/node_modules\/ws\//, sideEffects: false }] },
} satisfies InputOptions

/** Names of classes stay, because code may read them. */
const small = {
  minify: {
    compress: true,
    mangle: { toplevel: true, keepNames: { class: true, function: false } },
    codegen: { removeWhitespace: true },
  },
} satisfies OutputOptions

const inputOf = (paths: ReadonlyArray<string>) =>
  Object.fromEntries(paths.map((path) => [path.slice(0, -3), source(path)]))

export const bundleReaders = async (directory: string) => {
  const bundle = await rolldown({ ...common, input: inputOf([...WORKERS, ...READERS]), external: isOptional })
  return chunksOf(await bundle.write({ ...small, dir: directory, chunkFileNames: "ingest/readers/[name]-[hash].js" }))
}

export const bundleCopied = async (directory: string) => {
  const external = (id: string) => !/^[./]/.test(id) && !/^(?:@effect\/platform-node|ws|undici)(?:[-/]|$)/.test(id)
  const bundle = await rolldown({ ...common, input: inputOf(COPIED), external })
  return chunksOf(await bundle.write({ ...small, dir: directory, chunkFileNames: "adapters/serving/[name]-[hash].js" }))
}

/** The script of the documentation's page, which `effect` has but does not export: three megabytes. */
const SCALAR = `
const besides = import.meta.resolve("effect/http-api/HttpApiScalar")
export const { javascript } = await import(new URL("./internal/httpApiScalar.js", besides).href)
`

export const bundleCommandLine = async (directory: string) => {
  /** The starts that need a module: `serve`, `serve-node`. */
  const needed = new Map<string, string>()
  const bundle = await rolldown({
    ...common,
    input: { main: source("adapters/cli/main.js") },
    external: (id) => isOptional(id) || isDependency(id),
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
      { name: "scalar", load: (id) => (id.endsWith("/http-api/internal/httpApiScalar.js") ? SCALAR : null) },
      {
        name: "readers",
        resolveId(id, importer) {
          const shared = READERS.find((path) => importer !== undefined && join(dirname(importer), id) === source(path))
          return shared && { id: `../${shared.replace(/ts$/, "js")}`, external: true }
        },
        buildStart() {
          for (const path of WORKERS)
            this.emitFile({ type: "asset", fileName: basename(path), source: `import "../${path}"\n` })
        },
      },
    ],
  })
  const written = await bundle.write({
    ...small,
    dir: join(directory, "cli"),
    codeSplitting: {
      includeDependenciesRecursively: false,
      groups: [{ debugName: "starts", name: (id) => needed.get(id) ?? null }],
    },
  })
  return chunksOf(written)
}

const chunksOf = ({ output }: { readonly output: ReadonlyArray<OutputChunk | { readonly type: "asset" }> }) =>
  output.filter((file) => file.type === "chunk")

/** The directories of the packages whose code is in `chunks`. */
export const packagesIn = (chunks: ReadonlyArray<OutputChunk>): ReadonlyArray<string> => {
  const directories = chunks
    .flatMap(({ moduleIds }) => moduleIds)
    .flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(id)?.[0] ?? [])
  return [...new Set(directories)].toSorted((one, other) =>
    basename(dirname(one)) + one < basename(dirname(other)) + other ? -1 : 1,
  )
}

if (import.meta.main) {
  const directory = process.argv[2] ?? "dist"
  await bundleReaders(directory)
  await bundleCommandLine(directory)
}
