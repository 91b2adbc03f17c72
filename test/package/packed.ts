import { execFile } from "node:child_process"
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  type Stats,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { basename, dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { NPM_OPTIONS } from "../../build/installPackages.ts"

export const ROOT = fileURLToPath(new URL("../..", import.meta.url))
export const textOf = (path: string) => readFileSync(join(ROOT, path), "utf8")

interface Manifest {
  readonly bin: Readonly<Record<string, string>>
  readonly exports: Readonly<Record<string, string | { readonly types: string; readonly default: string }>>
  readonly dependencies: Readonly<Record<string, string>>
  readonly devDependencies: Readonly<Record<string, string>>
  readonly peerDependencies: Readonly<Record<string, string>>
  readonly peerDependenciesMeta: Readonly<Record<string, { readonly optional: boolean }>>
}
export const MANIFEST = JSON.parse(textOf("package.json")) as Manifest

/** Each module that the package exports, as a host imports it. */
export const ENTRIES = Object.entries(MANIFEST.exports)
  .filter(([entry]) => entry !== "./package.json")
  .map(([entry]) => `sightline${entry.slice(1)}`)

/** The module of each entry that has types, and its declarations, which TypeScript finds beside a module by their name. */
export const filesOfEntries = () =>
  Object.fromEntries(
    Object.entries(MANIFEST.exports)
      .filter(([entry]) => entry !== "./package.json")
      .map(([entry, files]) => [
        entry,
        typeof files === "string" ? { types: files.replace(/\.js$/, ".d.ts"), default: files } : files,
      ]),
  )

/** Runs a program. Rejects with its output if it fails. */
export const execute = async (program: string, args: ReadonlyArray<string>, cwd: string) => {
  const options = { cwd, maxBuffer: 64 * 1024 ** 2 }
  const { stdout } = await promisify(execFile)(program, [...args], options).catch((cause: unknown) => {
    const { stdout, stderr } = cause as { readonly stdout: string; readonly stderr: string }
    throw new Error(`${program} ${args.join(" ")} fails:\n${stdout}\n${stderr}`, { cause })
  })
  return stdout
}

export const bin = (name: string) => join(ROOT, "node_modules/.bin", name)

export const filesBelow = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => statSync(join(folder, name)).isFile())

const sizesBelow = (folder: string, sizeOf: (stats: Stats) => number) =>
  filesBelow(folder).reduce((sum, name) => sum + sizeOf(statSync(join(folder, name))), 0)

export const bytesBelow = (folder: string) => sizesBelow(folder, ({ size }) => size)

/** Bytes on the disk, in its blocks. */
const occupiedBelow = (folder: string) => sizesBelow(folder, ({ blocks }) => blocks * 512)

/** Needs React, which is no dependency of this repository; `test/clients/react` compiles and runs it. */
const FOR_REACT = "sightline/react"

/** Entries that run as a program or a thread, or need React; other tests run them. */
const PROGRAMS = new Set(["sightline/deploy", "sightline/worker", "sightline/media-worker", FOR_REACT])

export const LIBRARY_ENTRIES = ENTRIES.filter((entry) => !PROGRAMS.has(entry))
/** Entries whose types need no package of the host's. */
export const TYPED_ENTRIES = ENTRIES.filter((entry) => entry !== FOR_REACT)

/** Files that a copy of the repository does not need, or makes itself. */
const NOT_COPIED = new Set(["node_modules", ".git", ".sightline", "dist", "deploy", "test"])

/** Builds and packs the package as `npm publish` does, in a copy of the repository: another file may pack too. Returns the packed file. */
export const pack = async (directory: string) => {
  const copy = join(directory, "repository")
  mkdirSync(copy)
  for (const name of readdirSync(ROOT)) {
    if (NOT_COPIED.has(name)) continue
    cpSync(join(ROOT, name), join(copy, name), { recursive: true, filter: (path) => basename(path) !== "node_modules" })
  }
  symlinkSync(join(ROOT, "node_modules"), join(copy, "node_modules"))
  const printed = await execute("npm", ["pack", "--silent", "--pack-destination", directory], copy)
  return join(directory, printed.trim().split("\n").at(-1)!)
}

/** An empty project of a user, which the caller removes. */
export const project = () => {
  const directory = mkdtempSync(join(tmpdir(), "sightline-consumer-"))
  const modules = join(directory, "node_modules")
  writeFileSync(join(directory, "package.json"), JSON.stringify({ private: true, type: "module" }))
  return {
    directory,
    path: (name: string) => join(directory, name),
    write: (name: string, text: string | Uint8Array) => writeFileSync(join(directory, name), text),
    /** Installs packages, at the versions that this repository tests, from npm's cache if it has them. */
    install: async (packed: string, names: ReadonlyArray<string>) => {
      const pinned = names.map((name) => (name === "sightline" ? packed : `${name}@${MANIFEST.devDependencies[name]}`))
      await execute("npm", ["install", ...NPM_OPTIONS, ...pinned], directory)
    },
    /** Unpacks the package, and links the others from this repository. Needs no registry. */
    link: async (packed: string, names: ReadonlyArray<string>) => {
      const sightline = join(modules, "sightline")
      mkdirSync(sightline, { recursive: true })
      await execute("tar", ["-xzf", packed, "--strip-components=1", "-C", sightline], directory)
      for (const name of names.filter((name) => name !== "sightline")) {
        mkdirSync(dirname(join(modules, name)), { recursive: true })
        symlinkSync(join(ROOT, "node_modules", name), join(modules, name))
      }
    },
    packages: () =>
      filesBelow(modules)
        .filter((name) => /(?:^|\/node_modules\/)(?:@[^/]+\/)?[^/]+\/package\.json$/.test(name))
        .map((name) => dirname(name)),
    megabytes: () => occupiedBelow(modules) / 1e6,
    remove: () => rmSync(directory, { recursive: true, force: true }),
  }
}

export const HOSTS = "docs/examples/hosts"

/** A host's program in docs: the packages of its install line, the command that runs it, and what it imports. */
export const readHost = (file: string) => {
  const source = textOf(`${HOSTS}/${file}`)
  const [, packages, command] = /^\/\/ npm install (.+)\n\/\/ (.+)\n/.exec(source) ?? []
  if (packages === undefined || command === undefined) throw new Error(`${file} has no install line or command`)
  const imported = [...source.matchAll(/^import (?:.+ from )?"((?:@[\w-]+\/)?[\w:-]+)/gm)].map(([, name]) => name!)
  return { source, packages: packages.split(" "), command: command.split(" "), imported }
}

/** The packages of an install line of docs/install.md. */
export const packagesFor = (use: string): ReadonlyArray<string> => {
  const line = textOf("docs/install.md")
    .split("\n")
    .find((row) => row.startsWith(`| ${use} |`))
  const names = /`npm install (?:-g )?([^`]+)`/.exec(line ?? "")?.[1]?.split(" ")
  if (names === undefined) throw new Error(`docs/install.md has no install line for: ${use}`)
  return names
}
