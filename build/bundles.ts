import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { type InputOptions, type OutputChunk, type OutputOptions, type PluginContext, rolldown } from "rolldown"
import { buildConsole } from "./console.ts"
import { lineMap } from "./maps.ts"
import { forBundlers, isCopiedRedis, programTexts, redisOnUse } from "./programs.ts"
import { OPTIONAL_PACKAGES } from "../src/core/common/optionalPackage.ts"

// The modules of the package: the library and the command line. `node build/bundles.ts DIRECTORY` makes them without declarations.

const ROOT = fileURLToPath(new URL("..", import.meta.url))
const source = (path: string) => join(ROOT, "src", path)

const { exports, dependencies, peerDependencies } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as {
  readonly exports: Readonly<Record<string, string | object>>
  readonly dependencies: object
  readonly peerDependencies: object
}

const namesOneOf = (packages: object) => {
  const names = Object.keys(packages)
  return (id: string) => names.some((name) => id === name || id.startsWith(`${name}/`))
}
const isOptional = namesOneOf(OPTIONAL_PACKAGES)
const isDependency = namesOneOf(dependencies)
const isPeer = namesOneOf(peerDependencies)

/** `sightline/deploy` is one file of its own. */
const ENTRIES = Object.values(exports)
  .filter((path) => typeof path === "string")
  .filter((path) => path.startsWith("./dist/"))
  .map((path) => path.slice("./dist/".length))

/** Threads that read documents. */
const WORKERS = ["ingest/sandbox/worker.js", "ingest/media/mediaWorker.js"]

/**
 * Modules that the command line takes from the library, in place of a second copy. They reach no module of Effect, of which the
 * command line has its own copy, and no start needs them.
 */
const SHARED = [
  "ingest/sandbox/inThread.js",
  "ingest/UnreadableError.js",
  "ingest/sandbox/programs.js",
  "adapters/console/built/files.js",
  "adapters/database/prebuilt/packed.js",
  "core/storage/functions/all.js",
  "core/exports/xlsx.js",
  "core/answers/reader/weights.js",
  "core/answers/words.js",
  "core/answers/citations/Grounding.js",
  "core/answers/citations/markdown.js",
  "core/answers/citations/verifier.js",
  "core/answers/questions/turns/conversation.js",
  "core/answers/questions/languages/translate.js",
  "core/answers/questions/words/lexicon.js",
  "core/answers/questions/words/names.js",
  "core/answers/questions/parse/parse.js",
  "core/answers/questions/words/periods.js",
  "core/answers/questions/plan/plan.js",
  "core/answers/questions/turns/references.js",
  "core/answers/questions/reply/refusal.js",
  "core/answers/questions/names/spelling.js",
  "core/answers/questions/reply/table.js",
  "core/answers/questions/reply/writeReport.js",
  "core/answers/subjects/compose.js",
  "core/analysis/extracted/extract.js",
  "adapters/cli/demo/documents.js",
  "adapters/cli/demo/records.js",
]

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

/** Packages that other packages import and that no request reaches, with what their importers name. */
const UNUSED: Readonly<Record<string, string>> = {
  // Servers here take no WebSockets.
  ws: "export const WebSocket = undefined, WebSocketServer = undefined",
  // Readers leave markdown-it's option `linkify` off.
  "linkify-it": "export class LinkifyIt {}",
}

const withoutUnused = {
  name: "without unused packages",
  resolveId: (id: string) => (id in UNUSED ? id : null),
  load: (id: string) => UNUSED[id] ?? null,
}

const common = {
  platform: "node",
  preserveEntrySignatures: "allow-extension",
  plugins: [withoutUnused],
} satisfies InputOptions

/** Names of classes stay, because code may read them. */
const small = {
  minify: {
    compress: true,
    mangle: { toplevel: true, keepNames: { class: true, function: false } },
    codegen: { removeWhitespace: true },
  },
} satisfies OutputOptions

/** Returns the file that Rolldown reads for a module of `dist`. */
const sourceOf = (path: string) => {
  const file = source(path)
  return existsSync(file) ? file : file.replace(/js$/, "ts")
}

/** A thread's program is beside the chunk that starts it, where bundlers expect it. */
const threads = (folder: string) => ({
  name: "threads",
  buildStart(this: PluginContext) {
    for (const path of WORKERS)
      this.emitFile({ type: "asset", fileName: `${folder}${basename(path)}`, source: `import "../${path}"\n` })
  },
})

/**
 * The library. It has copies of the packages that `package.json` does not declare for its users. Without the module of a new
 * database's directory, new databases migrate.
 */
export const bundleLibrary = async (directory: string, newDirectory?: string) => {
  const bundle = await rolldown({
    ...common,
    input: Object.fromEntries([...ENTRIES, ...SHARED].map((path) => [path.slice(0, -3), sourceOf(path)])),
    external: (id, importer) => (isDependency(id) || isPeer(id)) && !isCopiedRedis(id, importer),
    plugins: [
      withoutUnused,
      threads("chunks/"),
      programTexts,
      redisOnUse,
      {
        name: "new directory",
        load: (id) => (id === source("adapters/database/prebuilt/packed.ts") ? (newDirectory ?? null) : null),
      },
    ],
  })
  // Names of functions stay too: a host's stack traces show them.
  const minify = { ...small.minify, mangle: { toplevel: true, keepNames: { class: true, function: true } } }
  const written = await bundle.write({
    minify,
    sourcemap: "hidden",
    dir: directory,
    chunkFileNames: "chunks/[name]-[hash].js",
  })
  const chunks = chunksOf(written)
  refuseEffect(chunks)
  writeForBundlers(directory, chunks)
  return chunks
}

/** Writes the chunks as hosts can bundle them, with maps of their lines. */
const writeForBundlers = (directory: string, chunks: ReadonlyArray<OutputChunk>) => {
  for (const { fileName, imports, code, map } of chunks) {
    const optional = imports.filter(isOptional)
    if (optional.length > 0) throw new Error(`${fileName} imports ${optional} by a declaration; load it on use`)
    const file = join(directory, fileName)
    const bundled = forBundlers(code)
    const lines = map === null ? undefined : lineMap(map, bundled.rounds)
    if (lines === undefined) rmSync(`${file}.map`, { force: true })
    else writeFileSync(`${file}.map`, lines)
    const comment = lines === undefined ? "" : `\n//# sourceMappingURL=${basename(fileName)}.map\n`
    writeFileSync(file, bundled.code + comment)
  }
}

/** Fails the build if a shared module reaches Effect: its services would not be those of the command line. */
const refuseEffect = (chunks: ReadonlyArray<OutputChunk>) => {
  const importsOf = new Map(chunks.map(({ fileName, imports }) => [fileName, imports]))
  for (const path of SHARED) {
    const reached = new Set([path])
    for (const file of reached) for (const imported of importsOf.get(file) ?? []) reached.add(imported)
    const found = [...reached].find((file) => /^(?:@effect\/|effect(?:\/|$))/.test(file))
    if (found !== undefined) throw new Error(`${path} is shared with the command line, but reaches ${found}`)
  }
}

/** The script of the documentation's page, three megabytes: that of `sightline/deploy`. */
const SCALAR = "../../deploy/scalar.js"

/** The command line, and `sightline/standalone`. Both have their own Effect. */
export const bundleCommandLine = async (directory: string) => {
  /** The starts that need a module: `serve`, `serve-node`. */
  const needed = new Map<string, string>()
  const bundle = await rolldown({
    ...common,
    input: { main: source("adapters/cli/main.js"), standalone: source("adapters/standalone/standalone.ts") },
    external: (id, importer) => isDependency(id) || (isOptional(id) && !isCopiedRedis(id, importer)),
    plugins: [
      withoutUnused,
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
      {
        name: "scalar",
        resolveId: (id) => (id === SCALAR ? { id, external: true } : null),
        load: (id) =>
          id.endsWith("/http-api/internal/httpApiScalar.js") ? `export { javascript } from "${SCALAR}"` : null,
      },
      threads(""),
      redisOnUse,
      {
        name: "shared",
        resolveId(id, importer) {
          const file = importer !== undefined && id.startsWith(".") && join(dirname(importer), id)
          const shared = SHARED.find((path) => file === sourceOf(path))
          return shared && { id: `../${shared}`, external: true }
        },
      },
    ],
  })
  const written = await bundle.write({
    ...small,
    sourcemap: "hidden",
    dir: join(directory, "cli"),
    codeSplitting: {
      includeDependenciesRecursively: false,
      groups: [{ debugName: "starts", name: (id) => needed.get(id) ?? null }],
    },
  })
  const chunks = chunksOf(written)
  writeForBundlers(join(directory, "cli"), chunks)
  return chunks
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
  await buildConsole()
  await bundleLibrary(directory)
  await bundleCommandLine(directory)
}
