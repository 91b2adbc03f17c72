import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"

/** The files below `directory` whose bytes contain `text`. */
export const filesWith = (directory: string, text: string): ReadonlyArray<string> =>
  readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => readFileSync(path).includes(text))
