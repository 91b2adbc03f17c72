import { execFileSync } from "node:child_process"
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { bundleCommandLine, bundleCopied, bundleWorkers, packagesIn } from "./bundles.ts"
import { writeNotices } from "./notices.ts"

// `node build/package.ts` makes `dist`, as it is published: the library's modules, their declarations, and the command line.

const ROOT = fileURLToPath(new URL("..", import.meta.url))
const DIST = join(ROOT, "dist")

const { exports } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as {
  readonly exports: Readonly<Record<string, string>>
}
const entries = Object.values(exports)
  .filter((path) => path.endsWith(".js"))
  .map((path) => join(ROOT, path))

const compile = (...options: ReadonlyArray<string>) => {
  const tsc = join(ROOT, "node_modules/.bin/tsc")
  execFileSync(tsc, ["-p", join(ROOT, "tsconfig.build.json"), ...options], { stdio: "inherit" })
}

/** The files that `files` reach by relative imports, including themselves. */
const reach = (files: ReadonlyArray<string>, ending: ".js" | ".d.ts") => {
  const reached = new Set(files)
  for (const file of reached) {
    for (const [, path] of readFileSync(file, "utf8").matchAll(/\b(?:from|import)\s*\(?\s*"(\.[^"]+)"/g))
      reached.add(join(dirname(file), path!.replace(/\.[jt]s$/, ending)))
  }
  return reached
}

const filesBelow = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())

rmSync(DIST, { recursive: true, force: true })
// Declarations keep the comments; the sources are published beside them.
compile("--emitDeclarationOnly", "--declarationMap")
compile("--declaration", "false", "--removeComments")
const copied = await bundleCopied(DIST)
const declarations = reach(
  entries.map((file) => file.replace(/\.js$/, ".d.ts")),
  ".d.ts",
)
const kept = new Set([
  ...reach(entries, ".js"),
  ...declarations,
  ...[...declarations].map((file) => `${file}.map`).filter(existsSync),
])
for (const file of filesBelow(DIST)) if (!kept.has(file)) rmSync(file)
const chunks = [...copied, ...(await bundleWorkers(DIST)), ...(await bundleCommandLine(DIST))]
writeNotices(join(DIST, "NOTICES.md"), packagesIn(chunks))
for (const folder of readdirSync(DIST, { recursive: true, encoding: "utf8" }).toReversed()) {
  const path = join(DIST, folder)
  if (statSync(path).isDirectory() && readdirSync(path).length === 0) rmSync(path, { recursive: true })
}
