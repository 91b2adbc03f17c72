import { execFileSync } from "node:child_process"
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { bundleCommandLine, bundleCopied, bundleReaders, packagesIn } from "./bundles.ts"
import { writeNotices } from "./notices.ts"

// `node build/package.ts` makes what is published: in `dist` the library's modules, their declarations and the command line; in
// `deploy` the files of `sightline/deploy`.

const ROOT = fileURLToPath(new URL("..", import.meta.url))
const DIST = join(ROOT, "dist")

const { exports } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as {
  readonly exports: Readonly<Record<string, string | { readonly types: string; readonly default: string }>>
}
const exported = Object.values(exports).filter((entry) => entry !== "./package.json")
/** `sightline/deploy` is one file of its own. */
const modules = exported.filter((entry) => typeof entry === "string").map((path) => join(ROOT, path))
const types = exported.map((entry) =>
  join(ROOT, typeof entry === "string" ? entry.replace(/\.js$/, ".d.ts") : entry.types),
)

const compile = (...options: ReadonlyArray<string>) => {
  const tsc = join(ROOT, "node_modules/.bin/tsc")
  execFileSync(tsc, ["-p", join(ROOT, "tsconfig.build.json"), ...options], { stdio: "inherit" })
}

/** The files that `files` reach by relative imports, including themselves. */
const reach = (files: ReadonlyArray<string>, ending: ".js" | ".d.ts") => {
  const reached = new Set(files)
  for (const file of reached) {
    for (const [, path] of readFileSync(file, "utf8").matchAll(/\b(?:from|import)\s*\(?\s*["`](\.[^"`]+)["`]/g))
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
const copied = [...(await bundleCopied(DIST)), ...(await bundleReaders(DIST))]
const declarations = reach(types, ".d.ts")
const kept = new Set([
  ...reach(modules, ".js"),
  ...declarations,
  ...[...declarations].map((file) => `${file}.map`).filter(existsSync),
])
for (const file of filesBelow(DIST)) if (!kept.has(file)) rmSync(file)
const chunks = [...copied, ...(await bundleCommandLine(DIST))]
writeNotices(join(DIST, "NOTICES.md"), packagesIn(chunks))
for (const folder of readdirSync(DIST, { recursive: true, encoding: "utf8" }).toReversed()) {
  const path = join(DIST, folder)
  if (statSync(path).isDirectory() && readdirSync(path).length === 0) rmSync(path, { recursive: true })
}
rmSync(join(ROOT, "deploy"), { recursive: true, force: true })
execFileSync(process.execPath, [join(ROOT, "src/adapters/deploy/bundle.ts"), join(ROOT, "deploy")], {
  stdio: "inherit",
})
