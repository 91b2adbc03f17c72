import { execFileSync } from "node:child_process"
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { bundleCommandLine, bundleLibrary, packagesIn } from "./bundles.ts"
import { buildConsole } from "./console.ts"
import { newDirectoryModule } from "./newDirectory.ts"
import { writeNotices } from "./notices.ts"

// `node build/package.ts` makes what is published: in `dist` the library's modules, their declarations and the command line; in
// `deploy` the files of `sightline/deploy`.

const ROOT = fileURLToPath(new URL("..", import.meta.url))
const DIST = join(ROOT, "dist")

const { exports } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as {
  readonly exports: Readonly<Record<string, string | { readonly types: string; readonly default: string }>>
}
const types = Object.values(exports)
  .filter((entry) => entry !== "./package.json")
  .map((entry) => join(ROOT, typeof entry === "string" ? entry.replace(/\.js$/, ".d.ts") : entry.types))

/** The declarations that `files` reach by relative imports, including themselves. */
const reach = (files: ReadonlyArray<string>) => {
  const reached = new Set(files)
  for (const file of reached) {
    for (const [, path] of readFileSync(file, "utf8").matchAll(/\b(?:from|import)\s*\(?\s*"(\.[^"]+)"/g))
      reached.add(join(dirname(file), path!.replace(/\.[jt]s$/, ".d.ts")))
  }
  return reached
}

const filesBelow = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())

rmSync(DIST, { recursive: true, force: true })
const tsc = join(ROOT, "node_modules/.bin/tsc")
const declare = ["--emitDeclarationOnly", "--declarationMap"]
execFileSync(tsc, ["-p", join(ROOT, "tsconfig.build.json"), ...declare], { stdio: "inherit" })
const declarations = reach(types)
/** A generated module's declaration is its source, so neither its map nor its source is published. */
const isGenerated = (file: string) => /\/adapters\/client\/contract\/|\/deals\/columns\/values\./.test(file)
for (const file of [...declarations].filter(isGenerated))
  writeFileSync(file, readFileSync(file, "utf8").replace(/\/\/# sourceMappingURL=.*$/, ""))
const maps = [...declarations].filter((file) => !isGenerated(file)).map((file) => `${file}.map`)
const kept = new Set([...declarations, ...maps])
for (const file of filesBelow(DIST)) if (!kept.has(file)) rmSync(file)
const chunks = [
  ...(await buildConsole()),
  ...(await bundleLibrary(DIST, await newDirectoryModule())),
  ...(await bundleCommandLine(DIST)),
]
writeNotices(join(DIST, "NOTICES.md"), packagesIn(chunks))
for (const folder of readdirSync(DIST, { recursive: true, encoding: "utf8" }).toReversed()) {
  const path = join(DIST, folder)
  if (statSync(path).isDirectory() && readdirSync(path).length === 0) rmSync(path, { recursive: true })
}
rmSync(join(ROOT, "deploy"), { recursive: true, force: true })
execFileSync(process.execPath, [join(ROOT, "src/adapters/deploy/bundle.ts"), join(ROOT, "deploy")], {
  stdio: "inherit",
})
