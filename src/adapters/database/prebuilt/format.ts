import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { brotliCompressSync, brotliDecompressSync, constants } from "node:zlib"

/** The versions that a directory belongs to. */
export interface Made {
  /** The version of PGlite. */
  readonly engine: string
  /** The number of the last migration. */
  readonly schema: number
  /** The fingerprint of the functions. */
  readonly functions: string
}

interface Index extends Made {
  readonly directories: ReadonlyArray<string>
  /** The pages of each file by their numbers; pages of zeros at its end are left out. */
  readonly files: ReadonlyArray<readonly [path: string, size: number, pages: ReadonlyArray<number>]>
}

export interface NewDirectory extends Made {
  readonly directories: ReadonlyArray<string>
  readonly files: ReadonlyArray<readonly [path: string, content: Uint8Array]>
}

/** PostgreSQL's page. Of 27 MB, half are pages that the three databases of a cluster have in common. */
const PAGE_BYTES = 8192
const ZEROS = Buffer.alloc(PAGE_BYTES).toString("latin1")
/** The highest levels take ten times as long for a tenth less. */
const QUALITY = 9
const WINDOW_BITS = 24

/** Packs the directory of a database that has shut down. Each page is stored once. */
export const packDirectory = (root: string, made: Made): Uint8Array => {
  const entries = readdirSync(root, { recursive: true, withFileTypes: true })
    .map((entry) => ({ path: join(entry.parentPath, entry.name).slice(root.length + 1), isFile: entry.isFile() }))
    .toSorted((one, other) => (one.path < other.path ? -1 : 1))
  const stored: Array<Uint8Array> = []
  const numbers = new Map<string, number>()
  const numberOf = (page: Buffer) => {
    const key = page.toString("latin1")
    const known = numbers.get(key)
    if (known !== undefined) return known
    numbers.set(key, stored.length)
    return stored.push(page) - 1
  }
  const files = entries
    .filter(({ isFile }) => isFile)
    .map(({ path }) => {
      const content = readFileSync(join(root, path))
      const pages: Array<Buffer> = []
      for (let at = 0; at < content.length; at += PAGE_BYTES) {
        const page = Buffer.alloc(PAGE_BYTES)
        content.copy(page, 0, at)
        pages.push(page)
      }
      while (pages.at(-1)?.toString("latin1") === ZEROS) pages.pop()
      return [path, content.length, pages.map(numberOf)] as const
    })
  const directories = entries.flatMap(({ path, isFile }) => (isFile ? [] : [path]))
  const index: Index = { ...made, directories, files }
  return brotliCompressSync(Buffer.concat([Buffer.from(`${JSON.stringify(index)}\n`), ...stored]), {
    params: { [constants.BROTLI_PARAM_QUALITY]: QUALITY, [constants.BROTLI_PARAM_LGWIN]: WINDOW_BITS },
  })
}

export const unpackDirectory = (packed: Uint8Array): NewDirectory => {
  const bytes = brotliDecompressSync(packed)
  const first = bytes.indexOf("\n") + 1
  const { files, ...index } = JSON.parse(bytes.toString("utf8", 0, first)) as Index
  return {
    ...index,
    files: files.map(([path, size, pages]) => {
      const content = new Uint8Array(size)
      for (const [position, page] of pages.entries()) {
        const from = first + page * PAGE_BYTES
        const at = position * PAGE_BYTES
        content.set(bytes.subarray(from, from + Math.min(PAGE_BYTES, size - at)), at)
      }
      return [path, content]
    }),
  }
}
