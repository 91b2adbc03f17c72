import { createHash } from "node:crypto"
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { gzipSync } from "node:zlib"
import type { OutputChunk } from "rolldown"

// `node build/console.ts` builds the console: its page, scripts and style, compressed in one module that servers load.

const SOURCE = fileURLToPath(new URL("../src/adapters/console/", import.meta.url))
/** The module in the folder of `load.ts`, which imports it. */
export const CONSOLE_MODULE = join(SOURCE, "built/files.js")

const hashOf = (text: string) => createHash("sha256").update(text).digest("base64url").slice(0, 10)

/** Removes comments and white space that style sheets do not need. */
const minifyStyle = (css: string) =>
  css
    .replaceAll(/\/\*[^]*?\*\//g, "")
    .replaceAll(/\s+/g, " ")
    .replaceAll(/ ?([{};,]) ?/g, "$1")
    .trim()

/** Returns the chunks, which name the packages whose code they contain. */
export const buildConsole = async (): Promise<ReadonlyArray<OutputChunk>> => {
  const { rolldown } = await import("rolldown")
  // Imported late: `npm ci` of the Dockerfile runs this file before the sources are there.
  const { ICON_LINK } = await import("../src/core/http/replies/icon.ts")
  const bundle = await rolldown({
    input: { main: join(SOURCE, "main.tsx") },
    platform: "browser",
    transform: { target: "es2023" },
  })
  const { output } = await bundle.generate({
    minify: true,
    entryFileNames: "[name]-[hash].js",
    chunkFileNames: "[name]-[hash].js",
  })
  const chunks = output.filter((file) => file.type === "chunk")
  const style = minifyStyle(readFileSync(join(SOURCE, "style.css"), "utf8"))
  const styleName = `style-${hashOf(style)}.css`
  const entry = chunks.find((chunk) => chunk.isEntry)!
  const page = readFileSync(join(SOURCE, "index.html"), "utf8")
    .replaceAll("%ICON%", ICON_LINK)
    .replaceAll("%STYLE%", styleName)
    .replaceAll("%SCRIPT%", entry.fileName)
    .replaceAll(
      "%PRELOAD%",
      entry.imports.map((name) => `<link rel="modulepreload" href="%BASE%/console/${name}">`).join(""),
    )
  const files = {
    "index.html": page,
    [`console/${styleName}`]: style,
    ...Object.fromEntries(chunks.map(({ fileName, code }) => [`console/${fileName}`, code])),
  }
  mkdirSync(dirname(CONSOLE_MODULE), { recursive: true })
  const packed = gzipSync(JSON.stringify(files), { level: 9 }).toString("base64")
  // A server may read the module meanwhile.
  const made = `${CONSOLE_MODULE}.${process.pid}`
  writeFileSync(made, `export const packedFiles = "${packed}"\n`)
  renameSync(made, CONSOLE_MODULE)
  return chunks
}

// npm runs this after an installation, which may lack the development dependencies or, in a container, the sources.
if (import.meta.main) {
  const isPossible =
    existsSync(join(SOURCE, "main.tsx")) &&
    (await import("rolldown").then(
      () => true,
      () => false,
    ))
  if (isPossible) await buildConsole()
  else console.error("The console is not built: its sources or the development dependencies are missing.")
}
