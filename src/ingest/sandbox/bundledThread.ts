import { existsSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { brotliDecompressSync } from "node:zlib"
import { programs, type ThreadName } from "./programs.ts"

/**
 * Returns the address of a thread's program that is no file, if a host's bundler has moved this module away from the file; undefined
 * if the file is there.
 */
export const bundledThread = async (name: ThreadName): Promise<URL | undefined> => {
  if (programs === undefined || existsSync(join(dirname(fileURLToPath(import.meta.url)), programs.files[name]))) return
  const program = brotliDecompressSync(Buffer.from(await programs.texts[name](), "base64"))
  const base = `const sightlineBase = ${JSON.stringify(findBase(programs.packages))}\n`
  const text = Buffer.concat([Buffer.from(base), program]).toString("base64")
  return new URL(`data:text/javascript;base64,${text}`)
}

/** The place in which the thread looks for optional packages: the bundle, the host's program or the working directory, whichever has one. */
const findBase = (packages: ReadonlyArray<string>): string => {
  const { createRequire } = process.getBuiltinModule("node:module")
  const bases = [import.meta.url, ...[process.argv[1], join(process.cwd(), "main.js")].flatMap(addressOf)]
  const hasOne = (base: string) =>
    packages.some((name) => {
      try {
        return createRequire(base).resolve(name) !== ""
      } catch {
        return false
      }
    })
  return bases.find(hasOne) ?? import.meta.url
}

const addressOf = (path: string | undefined) => (path === undefined ? [] : [pathToFileURL(path).href])
