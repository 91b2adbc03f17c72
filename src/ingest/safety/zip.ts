import { crc32, inflateRawSync } from "node:zlib"
import { Inflate } from "fflate"
import { LIMITS } from "../document.ts"
import { UnreadableError } from "../UnreadableError.ts"
import { type Entry, zipEntries } from "./zipDirectory.ts"

/** Compressed bytes inflated at once: at deflate's best ratio they become 4 MiB. */
const INFLATE_STEP_BYTES = 4096

/** The parts of a zip, inflated on demand; every limit counts the actual output. */
export interface Zip {
  /** Part names as stored, without a leading slash. */
  readonly names: ReadonlyArray<string>
  readonly has: (name: string) => boolean
  /** The size of an entry as its directory states it, in bytes; 0 if there is none. */
  readonly size: (name: string) => number
  /** Passes the part on in pieces and checks its length and CRC-32; the caller may keep pieces. */
  readonly pieces: (name: string, onPiece: (piece: Uint8Array) => void) => void
  /** The same, piece by piece: what is not asked for is not inflated. */
  readonly read: (name: string) => Generator<Uint8Array>
}

const damaged = (name: string) =>
  new UnreadableError(
    "damaged",
    `The part "${name}" of the file is damaged. Open it, save it again and upload the copy.`,
  )

const tooLarge = (reason: string) =>
  new UnreadableError("too-large", `${reason} Split it into smaller files and upload those.`)

export interface ZipLimits {
  readonly entryBytes: number
  readonly inflatedBytes: number
  readonly ratio: number
  /** Entries up to this size are inflated at once, which is faster; none by default. */
  readonly atOnceBytes?: number | undefined
}

/** Counts every piece of one entry's output. */
const counter = (entry: Entry, total: { bytes: number }, limits: ZipLimits) => {
  let bytes = 0
  let crc = 0
  return {
    take: (piece: Uint8Array): Uint8Array => {
      bytes += piece.length
      total.bytes += piece.length
      if (bytes > entry.size) throw damaged(entry.name)
      if (bytes > limits.entryBytes || total.bytes > limits.inflatedBytes) {
        throw tooLarge("The file unpacks to more than can be read.")
      }
      if (bytes > 1024 * 1024 && bytes > limits.ratio * entry.data.length) {
        throw new UnreadableError(
          "unsafe",
          "The file unpacks to far more than its size, as a zip bomb does. It was not read.",
        )
      }
      crc = crc32(piece, crc)
      return piece
    },
    finish: () => {
      if (bytes !== entry.size || crc !== entry.crc) throw damaged(entry.name)
    },
  }
}

function* inflate(entry: Entry): Generator<Uint8Array> {
  let pieces: Array<Uint8Array> = []
  const inflater = new Inflate((piece) => void pieces.push(piece))
  for (let at = 0; at < entry.data.length || at === 0; at += INFLATE_STEP_BYTES) {
    const last = at + INFLATE_STEP_BYTES >= entry.data.length
    try {
      inflater.push(entry.data.subarray(at, at + INFLATE_STEP_BYTES), last)
    } catch {
      throw damaged(entry.name)
    }
    yield* pieces
    pieces = []
  }
}

/** Native code inflates to no more than the size that the directory states. */
const inflateAtOnce = (entry: Entry): Uint8Array => {
  try {
    return inflateRawSync(entry.data, { maxOutputLength: Math.max(entry.size, 1) })
  } catch {
    throw damaged(entry.name)
  }
}

function* cut(data: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < data.length; at += 1 << 16) yield data.subarray(at, at + (1 << 16))
}

/**
 * Opens a zip by its central directory. Throws `UnreadableError`: damaged (also when cut short), encrypted,
 * too-large, unsafe, unsupported.
 */
export const openZip = (bytes: Uint8Array, limits: ZipLimits = LIMITS): Zip => {
  const entries = new Map<string, Entry>()
  for (const entry of zipEntries(bytes)) {
    // Part names are compared without case (ECMA-376 part 2, 6.2.2.3); two of one name read differently in different programs.
    const key = entry.name.toLowerCase()
    if (entries.has(key))
      throw new UnreadableError("unsafe", `The file holds two parts named "${entry.name}". It was not read.`)
    entries.set(key, entry)
  }
  const total = { bytes: 0 }
  function* read(name: string): Generator<Uint8Array> {
    const entry = entries.get(name.toLowerCase())
    if (entry === undefined) {
      throw new UnreadableError(
        "damaged",
        `The file lacks its part "${name}". Open it, save it again and upload the copy.`,
      )
    }
    if (entry.size > limits.entryBytes) throw tooLarge("The file unpacks to more than can be read.")
    const count = counter(entry, total, limits)
    // A claim of more than the ratio is refused piece by piece.
    const isSmall = entry.size <= Math.min(limits.atOnceBytes ?? 0, entry.data.length * limits.ratio)
    const pieces = entry.method === 0 ? cut(entry.data) : isSmall ? cut(inflateAtOnce(entry)) : inflate(entry)
    for (const piece of pieces) yield count.take(piece)
    count.finish()
  }
  return {
    names: [...entries.values()].map((entry) => entry.name),
    has: (name) => entries.has(name.toLowerCase()),
    size: (name) => entries.get(name.toLowerCase())?.size ?? 0,
    pieces: (name, onPiece) => {
      for (const piece of read(name)) onPiece(piece)
    },
    read,
  }
}
