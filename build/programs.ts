import { fileURLToPath } from "node:url"
import { brotliCompressSync, constants } from "node:zlib"
import { type Plugin, rolldown } from "rolldown"
import { edit } from "./maps.ts"
import { OPTIONAL_PACKAGES } from "../src/core/common/optionalPackage.ts"

// What lets hosts bundle the library without the optional packages, and without the files of its threads.

const source = (path: string) => fileURLToPath(new URL(`../src/${path}`, import.meta.url))
const names = Object.keys(OPTIONAL_PACKAGES)

/** Imports of optional packages by a literal, which bundlers resolve. */
const IMPORTS = new RegExp(`\\bimport\\(\\s*(["'\`])((?:${names.join("|")})(?:/[^"'\`]+)?)\\1\\s*\\)`, "g")

/** Comments for webpack and Vite, and for Turbopack, which otherwise takes the first as meant for it, and also traces files. */
const COMMENTS = "/* webpackIgnore: true *//* turbopackIgnore: false *//* turbopackOptional: true *//* @vite-ignore */"

/**
 * Hides the optional packages from bundlers, which fail or warn if one is not installed. No bundler but Turbopack evaluates `concat`, and
 * so does Vercel's file tracing. So Next's standalone output has the packages that are installed.
 */
const hideOptionalPackages = (code: string) =>
  edit(code, IMPORTS, ([, , id]) => `import(${COMMENTS}${JSON.stringify(id)}.concat(""))`)

/** terser 5.51, which webpack minifies with, drops the parentheses of a tag that is a `yield*`. */
const keepTags = (code: string) => edit(code, /(\(yield ?\*[\w$.]+\))`/g, ([, tag]) => `${tag}.valueOf()\``)

/** The code of a chunk as hosts can bundle it, and where it has grown. */
export const forBundlers = (code: string) => {
  const hidden = hideOptionalPackages(code)
  const kept = keepTags(hidden.code)
  return { code: kept.code, rounds: [hidden.edits, kept.edits] }
}

/** Whether the client that the package copies from `@effect/platform-node` imports `redis` by a declaration. */
export const isCopiedRedis = (id: string, importer: string | undefined) =>
  id === "redis" && (importer?.includes("/@effect/platform-node/") ?? false)

/** Gives that client a `redis` that is loaded on use. */
export const redisOnUse: Plugin = {
  name: "redis on use",
  resolveId: (id, importer) => (isCopiedRedis(id, importer) ? source("adapters/limits/redisPackage.ts") : null),
}

const PROGRAMS = { document: "ingest/sandbox/worker.js", media: "ingest/media/mediaWorker.js" } as const

/** The program's own imports of optional packages: code without a file has none by name. */
const IMPORT = `import { createRequire as sightlineRequire } from "node:module"
import { pathToFileURL as sightlineUrl } from "node:url"
const sightlineImport = (id) => import(sightlineUrl(sightlineRequire(sightlineBase).resolve(id)).href)
`

/** The program in one text. It has no file, so it finds packages from `sightlineBase`, which `bundledThread` prepends. */
const textOf = async (path: string) => {
  const bundle = await rolldown({
    input: source(path),
    platform: "node",
    external: (id) => names.some((name) => id === name || id.startsWith(`${name}/`)),
  })
  const { output } = await bundle.generate({
    minify: { compress: true, mangle: { toplevel: true, keepNames: true }, codegen: { removeWhitespace: true } },
    codeSplitting: false,
  })
  await bundle.close()
  const { code } = output[0]
  const text =
    IMPORT + code.replaceAll(IMPORTS, "sightlineImport($1$2$1)").replaceAll("import.meta.url", "sightlineBase")
  if (/import\.meta\.(?!main)/.test(text)) throw new Error(`the program ${path} reads import.meta`)
  return brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: text.length } }).toString("base64")
}

/** Fills `src/ingest/sandbox/programs.ts` for chunks in a folder beside that of the readers. */
export const programTexts: Plugin = {
  name: "programs of threads",
  resolveId: (id) => (id.startsWith("sightline:") ? id : null),
  load: async (id) => {
    const name = id.replace("sightline:", "")
    if (name in PROGRAMS)
      return `export default ${JSON.stringify(await textOf(PROGRAMS[name as keyof typeof PROGRAMS]))}`
    if (id !== source("ingest/sandbox/programs.ts")) return null
    const entries = Object.entries(PROGRAMS)
    const files = entries.map(([name, path]) => `${name}: ${JSON.stringify(`../${path}`)}`)
    const texts = entries.map(([name]) => `${name}: async () => (await import("sightline:${name}")).default`)
    return `export const programs = { files: { ${files} }, texts: { ${texts} }, packages: ${JSON.stringify(names)} }`
  },
}
