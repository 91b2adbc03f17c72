import { execFileSync } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { assert, describe, it } from "vitest"

const ROOT = join(import.meta.dirname, "../..")
const listed = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard", "*package.json"], {
  cwd: ROOT,
  encoding: "utf8",
})
const FOLDERS = listed
  .trim()
  .split("\n")
  .filter((file) => existsSync(join(ROOT, file)))
  .map((file) => dirname(file))

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
}
interface Lock {
  readonly packages: Readonly<Record<string, Manifest & { readonly resolved?: string }>>
}

const read = <A>(folder: string, name: string) => JSON.parse(readFileSync(join(ROOT, folder, name), "utf8")) as A
const dependenciesOf = ({ dependencies, devDependencies }: Manifest) => ({ ...dependencies, ...devDependencies })

/** A large package of one command or tier 2 belongs into that command's own package file: every run pays for `npm ci`. */
const MAX_ROOT_PACKAGES = 470

/** Packages that hosts have in another version than ours: that is what their tests are about. */
const MAY_DIFFER = new Set(["effect", "react", "react-dom", "@types/react", "@types/react-dom", "typescript"])

describe("the package files", () => {
  it.each(FOLDERS)("of %s: its lock has its versions, which are exact, and no address of a registry", (folder) => {
    const manifest = dependenciesOf(read<Manifest>(folder, "package.json"))
    const { packages } = read<Lock>(folder, "package-lock.json")
    assert.deepStrictEqual(dependenciesOf(packages[""]!), manifest)
    for (const [name, version] of Object.entries(manifest)) assert.match(version, /^\d+\.\d+\.\d+(-[\w.]+)?$/, name)
    const addresses = Object.values(packages).filter(({ resolved }) => resolved !== undefined)
    assert.deepStrictEqual(addresses, [])
  })

  it("have one version of a package", () => {
    const versions = new Map<string, Set<string>>()
    for (const folder of FOLDERS) {
      for (const [name, version] of Object.entries(dependenciesOf(read<Manifest>(folder, "package.json")))) {
        versions.set(name, (versions.get(name) ?? new Set()).add(version))
      }
    }
    const different = [...versions].filter(([name, all]) => all.size > 1 && !MAY_DIFFER.has(name))
    assert.deepStrictEqual(different, [])
  })

  it(`of the root installs at most ${MAX_ROOT_PACKAGES} packages, for every platform`, () => {
    const { packages } = read<Lock>(".", "package-lock.json")
    assert.isAtMost(Object.keys(packages).length, MAX_ROOT_PACKAGES)
  })
})
