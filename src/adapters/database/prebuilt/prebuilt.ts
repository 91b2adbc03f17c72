import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import process from "node:process"
import { FUNCTIONS_FINGERPRINT, LATEST } from "../../../core/storage/migrate.ts"
import { assetsDirectory } from "../../../ingest/assetsDirectory.ts"
import type { Made, NewDirectory } from "./format.ts"

// webpack takes `resolve` of an imported `createRequire` for an import of the file.
const { createRequire } = process.getBuiltinModule("node:module")

/** PGlite takes a directory without it for empty, so a copy that was cut off is made again. */
const LAST_FILE = "PG_VERSION"

/** The directory that a new database starts with, instead of `initdb` and the migrations. Undefined: there is none of these versions. */
export const findPrebuilt = async (): Promise<NewDirectory | undefined> => {
  const { packedDirectory } = await import("./packed.ts")
  if (packedDirectory === undefined) return undefined
  const { unpackDirectory } = await import("./format.ts")
  const directory = unpackDirectory(Buffer.from(packedDirectory, "base64"))
  // A binary has the engine that its directory was made with.
  const engine = assetsDirectory === undefined ? engineVersion() : directory.engine
  return isMadeFor({ engine, schema: LATEST, functions: FUNCTIONS_FINGERPRINT }, directory) ? directory : undefined
}

export const isMadeFor = (here: { readonly [K in keyof Made]: Made[K] | undefined }, made: Made): boolean =>
  here.engine === made.engine && here.schema === made.schema && here.functions === made.functions

/** The version of the installed PGlite. Undefined if a bundler has taken it apart. */
export const engineVersion = (): string | undefined => {
  try {
    const entry = createRequire(import.meta.url).resolve("@electric-sql/pglite")
    const { version } = JSON.parse(readFileSync(join(dirname(entry), "../package.json"), "utf8")) as { version: string }
    return version
  } catch {
    return undefined
  }
}

/** Writes at once: most of the time is the system's, which makes 1,300 files. */
export const writePrebuilt = ({ directories, files }: NewDirectory, to: string) => {
  for (const path of ["", ...directories]) mkdirSync(join(to, path), { recursive: true, mode: 0o700 })
  const write = ([path, content]: NewDirectory["files"][number]) =>
    writeFileSync(join(to, path), content, { mode: 0o600 })
  for (const file of files.filter(([path]) => path !== LAST_FILE)) write(file)
  for (const file of files.filter(([path]) => path === LAST_FILE)) write(file)
}

const BLOCK_BYTES = 512

/** As a tar archive, from which PGlite fills its memory. */
export const writeTar = ({ directories, files }: NewDirectory): Blob => {
  const parts: Array<Uint8Array<ArrayBuffer>> = []
  for (const path of directories) parts.push(writeHeader(path, 0, "5"))
  for (const [path, content] of files) {
    parts.push(writeHeader(path, content.length, "0"), new Uint8Array(content))
    parts.push(new Uint8Array(-content.length & (BLOCK_BYTES - 1)))
  }
  return new Blob([...parts, new Uint8Array(2 * BLOCK_BYTES)])
}

/** https://pubs.opengroup.org/onlinepubs/9799919799/utilities/pax.html, "ustar Interchange Format" */
const writeHeader = (path: string, size: number, type: "0" | "5") => {
  const header = new Uint8Array(BLOCK_BYTES)
  const put = (at: number, text: string) => header.set(new TextEncoder().encode(text), at)
  const octal = (value: number, digits: number) => value.toString(8).padStart(digits, "0")
  put(0, `/${path}`)
  put(100, `${octal(type === "5" ? 0o700 : 0o600, 7)}\0${octal(0, 7)}\0${octal(0, 7)}\0`)
  put(124, `${octal(size, 11)}\0${octal(0, 11)}\0`)
  // The checksum counts its own field as spaces.
  put(148, " ".repeat(8))
  put(156, type)
  put(257, "ustar\x0000")
  put(
    148,
    `${octal(
      header.reduce((sum, byte) => sum + byte, 0),
      6,
    )}\0 `,
  )
  return header
}
