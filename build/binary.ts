import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

// Run by Bun: `npm run build:binary -- [FILE]` makes one self-contained file with the server and the command line.

const source = (path: string) => fileURLToPath(new URL(`../src/${path}`, import.meta.url))
const resolve = createRequire(import.meta.url).resolve

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

const outfile = process.argv[2] ?? "sightline"
const folder = mkdtempSync(join(tmpdir(), "sightline-binary-"))
const entry = join(folder, "sightline.js")
writeFileSync(entry, program)
const { success, logs } = await Bun.build({
  entrypoints: [entry, source("ingest/sandbox/worker.ts"), source("ingest/media/mediaWorker.ts")],
  target: "bun",
  minify: { whitespace: true, syntax: true },
  naming: { entry: "[name].[ext]", asset: "[name].[ext]" },
  format: "esm",
  bytecode: true,
  compile: { outfile },
})
rmSync(folder, { recursive: true })
for (const log of logs) console.error(log)
if (!success) process.exit(1)
console.log(`${outfile}: ${(Bun.file(outfile).size / 1024 ** 2).toFixed(0)} MiB`)
