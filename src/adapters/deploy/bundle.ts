import { readdirSync, readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { type InputOptions, rolldown } from "rolldown"

// `node src/adapters/deploy/bundle.ts DIRECTORY` makes `sightline/deploy`: files that run where code may read none.

const source = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url))

type Plugin = Extract<InputOptions["plugins"], ReadonlyArray<unknown>>[number]

/** Makes modules of texts: by id, or by the path of the module that it replaces. */
const texts = (makers: Readonly<Record<string, () => string | Promise<string>>>): Plugin => ({
  name: "texts",
  resolveId: (id) => (id in makers ? id : undefined),
  load: (id) => makers[id]?.(),
})

const exporting = (value: unknown) => `export default ${JSON.stringify(value)}`

/** pdf.js's CMaps, fonts and decoders by name, in base64. */
const assets = () => {
  const pdf = dirname(createRequire(import.meta.url).resolve("pdfjs-dist/package.json"))
  const kinds = { cmaps: /\.bcmap$/, standard_fonts: /\.(?:pfb|ttf)$/, wasm: /^(?:jbig2|openjpeg)\.wasm$/ }
  const files = Object.entries(kinds).flatMap(([folder, kind]) =>
    readdirSync(join(pdf, folder))
      .filter((name) => kind.test(name))
      .map((name) => [name, readFileSync(join(pdf, folder, name)).toString("base64")]),
  )
  return `export const embeddedAssets = ${JSON.stringify(Object.fromEntries(files))}`
}

const scalarScript = fileURLToPath(
  new URL("./internal/httpApiScalar.js", import.meta.resolve("effect/http-api/HttpApiScalar")),
)

const minify = {
  compress: true,
  mangle: { toplevel: true, keepNames: true },
  codegen: { removeWhitespace: true },
} as const

/** A whole program as a text. It is no file, so its `require` finds built-in modules alone. */
const program = async (path: string) => {
  const bundle = await rolldown({
    input: source(path),
    platform: "node",
    plugins: [texts({ [source("ingest/embeddedAssets.ts")]: assets })],
  })
  const { output } = await bundle.generate({ minify, codeSplitting: false })
  return output[0].code.replaceAll("import.meta.url", JSON.stringify("file:///sightline/thread.js"))
}

const bundle = await rolldown({
  // The package's command line reads the script of the documentation's page from here.
  input: { main: source("adapters/deploy/main.ts"), scalar: scalarScript },
  platform: "node",
  preserveEntrySignatures: "allow-extension",
  plugins: [
    texts({
      "sightline:documentThread": async () => exporting(await program("ingest/sandbox/worker.js")),
      "sightline:mediaThread": async () => exporting(await program("ingest/media/mediaWorker.js")),
      // It serves no console.
      [source("adapters/console/load.ts")]: () => "export const loadConsole = async () => undefined",
      // Documents are read in the thread alone; pdf.js a second time would be two megabytes.
      [source("ingest/sandbox/inThread.ts")]: () => "export const readInThread = undefined",
    }),
  ],
})
await bundle.write({ dir: process.argv[2] ?? "deploy", minify })
