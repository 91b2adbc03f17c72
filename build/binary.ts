import { execFileSync } from "node:child_process"
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import { buildConsole } from "./console.ts"
import { newDirectoryModule } from "./newDirectory.ts"

// Run by Bun: `npm run build:binary -- [--target TARGET] [FILE]` makes one self-contained file with the server and the command line.

const source = (path: string) => fileURLToPath(new URL(`../src/${path}`, import.meta.url))
const resolve = createRequire(import.meta.url).resolve

/** Bun's name of each target, for its compiler and, after `@oven/`, of its npm package. */
const TARGETS = {
  "linux-x64": { compile: "bun-linux-x64", runtime: "bun-linux-x64/bin/bun" },
  "linux-arm64": { compile: "bun-linux-arm64", runtime: "bun-linux-aarch64/bin/bun" },
  "macos-arm64": { compile: "bun-darwin-arm64", runtime: "bun-darwin-aarch64/bin/bun" },
  "windows-x64": { compile: "bun-windows-x64", runtime: "bun-windows-x64/bin/bun.exe" },
} as const

const fail = (message: string): never => {
  console.error(message)
  process.exit(2)
}

const targetOf = (name: string) =>
  Object.hasOwn(TARGETS, name)
    ? TARGETS[name as keyof typeof TARGETS]
    : fail(`--target has no ${name}; it is one of ${Object.keys(TARGETS).join(", ")}`)

/** Fetches Bun for another machine by npm, which verifies it and knows the machine's registry and proxy. Returns its path. */
const fetchRuntime = (folder: string, runtime: string) => {
  const name = `@oven/${runtime.split("/")[0]}@${Bun.version}`
  try {
    // `--force`: npm refuses packages for another machine otherwise.
    const options = ["--no-save", "--force", "--ignore-scripts", "--no-audit", "--no-fund", "--silent"]
    execFileSync("npm", ["install", "--prefix", folder, ...options, name], { stdio: ["ignore", "ignore", "inherit"] })
  } catch {
    fail(`cannot fetch ${name}, which this target needs; npm says why above`)
  }
  return join(folder, "node_modules/@oven", runtime)
}

/** Files read at run time; `src/ingest/assetsDirectory.ts` finds them. */
const assets = () => {
  const pdf = dirname(resolve("pdfjs-dist/package.json"))
  const engine = dirname(resolve("@electric-sql/pglite"))
  const every = (folder: string, kind: RegExp) =>
    readdirSync(folder)
      .filter((name) => kind.test(name))
      .map((name) => join(folder, name))
  return [
    ...every(join(pdf, "cmaps"), /\.bcmap$/),
    ...every(join(pdf, "standard_fonts"), /\.(?:pfb|ttf)$/),
    ...every(join(pdf, "iccs"), /\.icc$/),
    ...every(join(pdf, "wasm"), /\.wasm$/),
    ...every(engine, /^(?:pglite\.wasm|initdb\.wasm|pglite\.data|pg_trgm\.tar\.gz|btree_gin\.tar\.gz)$/),
  ]
}

/** The command line and its asset files: imported here so that the bundler includes them. */
const program = [
  ...assets().map((path, n) => `import file${n} from ${JSON.stringify(path)} with { type: "file" }`),
  `export const assetFiles = [${assets().map((_, n) => `file${n}`)}]`,
  `import ${JSON.stringify(source("adapters/cli/main.js"))}`,
].join("\n")

const {
  values: { target },
  positionals: [outfile = "sightline"],
} = parseArgs({ options: { target: { type: "string" } }, allowPositionals: true })
await buildConsole()
const folder = mkdtempSync(join(tmpdir(), "sightline-binary-"))
process.on("exit", () => rmSync(folder, { recursive: true, force: true }))
const chosen = target === undefined ? undefined : targetOf(target)
const entry = join(folder, "sightline.js")
writeFileSync(entry, program)
const newDirectory = await newDirectoryModule()
const { success, logs } = await Bun.build({
  plugins: [
    {
      name: "new directory",
      setup: (build) => {
        build.onLoad({ filter: /\/prebuilt\/packed\.ts$/ }, () => ({ contents: newDirectory, loader: "js" }))
      },
    },
  ],
  entrypoints: [entry, source("ingest/sandbox/worker.js"), source("ingest/media/mediaWorker.js")],
  target: "bun",
  minify: { whitespace: true, syntax: true },
  naming: { entry: "[name].[ext]", asset: "[name].[ext]" },
  format: "esm",
  bytecode: true,
  compile: {
    outfile,
    ...(chosen !== undefined && { target: chosen.compile, executablePath: fetchRuntime(folder, chosen.runtime) }),
  },
})
for (const log of logs) console.error(log)
if (!success) process.exit(1)
const file = Bun.file(outfile.endsWith(".exe") || chosen?.compile !== "bun-windows-x64" ? outfile : `${outfile}.exe`)
console.log(`${file.name}: ${(file.size / 1e6).toFixed(0)} MB`)
