import { UnreadableError } from "../UnreadableError.ts"

/** A storage (with `children`) or a stream of a compound file (MS-CFB). */
export interface CompoundEntry {
  readonly name: string
  /** By name. Empty for a stream. */
  readonly children: ReadonlyMap<string, CompoundEntry>
  readonly size: number
  readonly read: () => Uint8Array
}

const HEADER = { sectorShift: 30, miniShift: 32, directory: 48, miniCutoff: 56, miniFat: 60, difat: 68, fatSectors: 76 }
/** The number of entries of the table of the table's sectors that are in the header. */
const HEADER_FAT_SECTORS = 109
const END_OF_CHAIN = 0xfffffffe
/** Every number from here on marks no sector. */
const MAX_SECTOR = 0xfffffffa
const ENTRY_BYTES = 128
const MAX_ENTRIES = 100_000
const MAX_DEPTH = 32
const STORAGE = 1
const STREAM = 2
const ROOT = 5

const damaged = () =>
  new UnreadableError(
    "damaged",
    "The file is damaged. Open it in the program that made it, save it again and upload the copy.",
  )

/** Opens a compound file. Every chain ends within the file's own number of sectors. Throws `UnreadableError`. */
export const openCompoundFile = (bytes: Uint8Array): CompoundEntry => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (bytes.length < 1536) throw damaged()
  const shift = view.getUint16(HEADER.sectorShift, true)
  const miniShift = view.getUint16(HEADER.miniShift, true)
  if ((shift !== 9 && shift !== 12) || miniShift !== 6) throw damaged()
  const sectorBytes = 1 << shift
  const count = Math.ceil(bytes.length / sectorBytes) - 1
  const number = (at: number) => (at + 4 <= bytes.length ? view.getUint32(at, true) : END_OF_CHAIN)
  const locate = (sector: number) => {
    if (sector >= count) throw damaged()
    return (sector + 1) << shift
  }

  const perSector = sectorBytes / 4
  const fatSectors = Array.from({ length: HEADER_FAT_SECTORS }, (_, at) => number(HEADER.fatSectors + 4 * at))
  let difat = number(HEADER.difat)
  for (let steps = 0; difat < MAX_SECTOR; steps++) {
    if (steps > count) throw damaged()
    const at = locate(difat)
    for (let n = 0; n < perSector - 1; n++) fatSectors.push(number(at + 4 * n))
    difat = number(at + 4 * (perSector - 1))
  }
  const fat = fatSectors.filter((sector) => sector < MAX_SECTOR)
  const nextOf = (sector: number) => {
    const table = fat[Math.floor(sector / perSector)]
    return table === undefined ? END_OF_CHAIN : number(locate(table) + 4 * (sector % perSector))
  }
  const chain = (first: number): ReadonlyArray<number> => {
    const sectors: Array<number> = []
    for (let sector = first; sector < MAX_SECTOR; sector = nextOf(sector)) {
      locate(sector)
      if (sectors.length >= count) throw damaged()
      sectors.push(sector)
    }
    return sectors
  }
  const gather = (sectors: ReadonlyArray<number>, size: number): Uint8Array => {
    const all = new Uint8Array(Math.min(size, sectors.length * sectorBytes))
    for (const [index, sector] of sectors.entries()) {
      const at = index * sectorBytes
      if (at >= all.length) break
      all.set(bytes.subarray(locate(sector), locate(sector) + Math.min(sectorBytes, all.length - at)), at)
    }
    return all
  }

  const directory = gather(chain(number(HEADER.directory)), Number.POSITIVE_INFINITY)
  const entries = Math.min(Math.floor(directory.length / ENTRY_BYTES), MAX_ENTRIES)
  const records = new DataView(directory.buffer)
  const field = (entry: number, at: number) => records.getUint32(entry * ENTRY_BYTES + at, true)
  const typeOf = (entry: number) => directory[entry * ENTRY_BYTES + 66]
  if (entries === 0 || typeOf(0) !== ROOT) throw damaged()
  const readName = (entry: number) => {
    const length = Math.min(records.getUint16(entry * ENTRY_BYTES + 64, true), 64)
    let name = ""
    for (let at = 0; at + 2 < length; at += 2)
      name += String.fromCharCode(records.getUint16(entry * ENTRY_BYTES + at, true))
    return name
  }

  const miniStream = gather(chain(field(0, 116)), field(0, 120))
  const miniFat = gather(chain(number(HEADER.miniFat)), Number.POSITIVE_INFINITY)
  const minis = new DataView(miniFat.buffer)
  const readMini = (first: number, size: number) => {
    const stream = new Uint8Array(size)
    let sector = first
    for (let at = 0; at < size; at += 1 << miniShift) {
      const from = sector << miniShift
      if (sector >= MAX_SECTOR || from >= miniStream.length) throw damaged()
      stream.set(miniStream.subarray(from, from + Math.min(1 << miniShift, size - at)), at)
      sector = 4 * sector + 4 <= miniFat.length ? minis.getUint32(4 * sector, true) : END_OF_CHAIN
    }
    return stream
  }
  const cutoff = number(HEADER.miniCutoff)
  const read = (entry: number) => {
    const size = field(entry, 120)
    if (size > bytes.length) throw damaged()
    return size < cutoff ? readMini(field(entry, 116), size) : gather(chain(field(entry, 116)), size)
  }

  const seen = new Set<number>([0])
  const readChildren = (entry: number, depth: number): ReadonlyMap<string, CompoundEntry> => {
    const children = new Map<string, CompoundEntry>()
    if (depth > MAX_DEPTH) throw damaged()
    const waiting = [field(entry, 76)]
    while (waiting.length > 0) {
      const child = waiting.pop()!
      if (child >= entries) continue
      if (seen.has(child)) throw damaged()
      seen.add(child)
      waiting.push(field(child, 68), field(child, 72))
      const type = typeOf(child)
      if (type !== STORAGE && type !== STREAM) continue
      children.set(readName(child), {
        name: readName(child),
        children: type === STORAGE ? readChildren(child, depth + 1) : new Map(),
        size: type === STREAM ? field(child, 120) : 0,
        read: () => (type === STREAM ? read(child) : new Uint8Array()),
      })
    }
    return children
  }
  return { name: readName(0), children: readChildren(0, 0), size: 0, read: () => new Uint8Array() }
}
