/** A storage of a compound file, by the names of its parts. */
export interface Storage {
  readonly [name: string]: Storage | Uint8Array
}

const SECTOR = 512
const MINI = 64
const CUTOFF = 4096
const END = 0xfffffffe
const FREE = 0xffffffff
const FAT = 0xfffffffd

interface Record {
  readonly name: string
  readonly type: number
  readonly bytes: Uint8Array
  child: number
  right: number
}

/** Lists storages and streams. Siblings are a chain to the right, which readers accept. */
const listRecords = (root: Storage): ReadonlyArray<Record> => {
  const records: Array<Record> = [{ name: "Root Entry", type: 5, bytes: new Uint8Array(), child: FREE, right: FREE }]
  const fill = (parent: Record, storage: Storage) => {
    let before: Record | undefined
    for (const [name, content] of Object.entries(storage)) {
      const isStream = content instanceof Uint8Array
      const record = {
        name,
        type: isStream ? 2 : 1,
        bytes: isStream ? content : new Uint8Array(),
        child: FREE,
        right: FREE,
      }
      const index = records.push(record) - 1
      if (before === undefined) parent.child = index
      else before.right = index
      before = record
      if (!isStream) fill(record, content)
    }
  }
  fill(records[0]!, root)
  return records
}

/** Writes a compound file (MS-CFB version 3): small streams in the mini stream, large ones in sectors. */
export const writeCompoundFile = (root: Storage): Uint8Array<ArrayBuffer> => {
  const records = listRecords(root)
  const sectors: Array<Uint8Array> = []
  const next: Array<number> = []
  const put = (bytes: Uint8Array): number => {
    if (bytes.length === 0) return END
    const first = sectors.length
    for (let at = 0; at < bytes.length; at += SECTOR) {
      const sector = new Uint8Array(SECTOR)
      sector.set(bytes.subarray(at, at + SECTOR))
      sectors.push(sector)
      next.push(at + SECTOR < bytes.length ? sectors.length : END)
    }
    return first
  }
  const minis: Array<number> = []
  const miniNext: Array<number> = []
  const starts = records.map(({ type, bytes }) => {
    if (type !== 2 || bytes.length === 0) return END
    if (bytes.length >= CUTOFF) return put(bytes)
    const first = miniNext.length
    const count = Math.ceil(bytes.length / MINI)
    for (let n = 0; n < count; n++) miniNext.push(n + 1 < count ? first + n + 1 : END)
    minis.push(...bytes, ...new Uint8Array(count * MINI - bytes.length))
    return first
  })
  const miniStream = Uint8Array.from(minis)
  starts[0] = put(miniStream)
  const words = (numbers: ReadonlyArray<number>) => {
    const all = new Uint8Array(Math.ceil(numbers.length / 128) * SECTOR).fill(255)
    const view = new DataView(all.buffer)
    for (const [index, number] of numbers.entries()) view.setUint32(4 * index, number, true)
    return all
  }
  const miniFat = put(words(miniNext))
  const directory = new Uint8Array(Math.ceil(records.length / 4) * SECTOR)
  const view = new DataView(directory.buffer)
  for (const [index, { name, type, bytes, child, right }] of records.entries()) {
    const at = 128 * index
    for (const [letter, code] of [...name].map((each) => each.charCodeAt(0)).entries())
      view.setUint16(at + 2 * letter, code, true)
    view.setUint16(at + 64, 2 * name.length + 2, true)
    view.setUint8(at + 66, type)
    view.setUint8(at + 67, 1)
    view.setUint32(at + 68, FREE, true)
    view.setUint32(at + 72, right, true)
    view.setUint32(at + 76, child, true)
    view.setUint32(at + 116, starts[index]!, true)
    view.setUint32(at + 120, index === 0 ? miniStream.length : bytes.length, true)
  }
  const directoryStart = put(directory)
  let fatSectors = 0
  while ((fatSectors * SECTOR) / 4 < sectors.length + fatSectors) fatSectors++
  if (fatSectors > 109) throw new Error("too large for this writer")
  const fatStart = sectors.length
  const fat = words([...next, ...Array.from({ length: fatSectors }, () => FAT)])
  put(fat)
  const header = new Uint8Array(SECTOR)
  const head = new DataView(header.buffer)
  header.set([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1])
  for (const [at, value] of [
    [24, 0x3e],
    [26, 3],
    [28, 0xfffe],
    [30, 9],
    [32, 6],
  ] as const)
    head.setUint16(at, value, true)
  const numbers = [
    [44, fatSectors],
    [48, directoryStart],
    [56, CUTOFF],
    [60, miniFat],
    [64, Math.ceil(miniNext.length / 128)],
    [68, END],
    ...Array.from({ length: 109 }, (_, n) => [76 + 4 * n, n < fatSectors ? fatStart + n : FREE] as const),
  ] as const
  for (const [at, value] of numbers) head.setUint32(at, value, true)
  const file = new Uint8Array(SECTOR * (sectors.length + 1))
  file.set(header)
  for (const [index, sector] of sectors.entries()) file.set(sector, SECTOR * (index + 1))
  return file
}
