import { execFile } from "node:child_process"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"

const ROOT = fileURLToPath(new URL("..", import.meta.url))

/** Prefers npm's cache, and retries when the registry fails. */
export const NPM_OPTIONS = [
  "--prefer-offline",
  "--fetch-retries",
  "5",
  "--no-audit",
  "--no-fund",
  "--loglevel",
  "error",
]

/**
 * Installs the packages of a folder that has a package file and a lock of its own, unless the installed ones have this lock. Returns the
 * path of its `node_modules`.
 */
export const installPackages = async (folder: string): Promise<string> => {
  const directory = join(ROOT, folder)
  const modules = join(directory, "node_modules")
  const mark = join(modules, ".sightline-lock.json")
  const lock = readFileSync(join(directory, "package-lock.json"), "utf8")
  // npm empties the folder first, so a mark stands for a finished installation.
  if (!existsSync(mark) || readFileSync(mark, "utf8") !== lock) {
    await promisify(execFile)("npm", ["ci", ...NPM_OPTIONS], { cwd: directory })
    writeFileSync(mark, lock)
  }
  return modules
}
