import { LIMITS } from "../document.ts"
import { UnreadableError } from "../UnreadableError.ts"

/** An entry of the central directory; `size` and `crc` are claims until its data is read. */
export interface Entry {
  readonly name: string
  readonly method: 0 | 8
  readonly size: number
  readonly crc: number
  readonly data: Uint8Array
}

const END = 0x06054b50
const END_64 = 0x06064b50
const LOCATOR_64 = 0x07064b50
const CENTRAL = 0x02014b50
const LOCAL = 0x04034b50
const END_SIZE = 22
const UNKNOWN_16 = 0xffff
const UNKNOWN_32 = 0xffffffff

const damaged = () =>
  new UnreadableError("damaged", "The file is damaged or was cut short. Open it, save it again and upload the copy.")

const unsafe = (reason: string) => new UnreadableError("unsafe", `${reason} It was not read.`)

const findEnd = (view: DataView): number => {
  const lowest = Math.max(0, view.byteLength - END_SIZE - UNKNOWN_16)
  for (let at = view.byteLength - END_SIZE; at >= lowest; at--) {
    if (view.getUint32(at, true) !== END) continue
    // Some writers leave bytes after the comment.
    if (at + END_SIZE + view.getUint16(at + 20, true) <= view.byteLength) return at
  }
  throw damaged()
}

const readUint64 = (view: DataView, at: number): number => {
  const value = view.getBigUint64(at, true)
  if (value > BigInt(Number.MAX_SAFE_INTEGER)) throw damaged()
  return Number(value)
}

/** Finds the central directory by the end record, or by the zip64 record before it. */
const directory = (view: DataView): { readonly count: number; readonly start: number; readonly end: number } => {
  const at = findEnd(view)
  const count = view.getUint16(at + 10, true)
  const size = view.getUint32(at + 12, true)
  const start = view.getUint32(at + 16, true)
  if (view.getUint16(at + 4, true) !== 0 && count !== UNKNOWN_16) throw damaged()
  if (count !== UNKNOWN_16 && size !== UNKNOWN_32 && start !== UNKNOWN_32) return { count, start, end: start + size }
  if (at < 20 || view.getUint32(at - 20, true) !== LOCATOR_64) throw damaged()
  const at64 = readUint64(view, at - 12)
  if (at64 + 56 > at || view.getUint32(at64, true) !== END_64) throw damaged()
  const start64 = readUint64(view, at64 + 48)
  return { count: readUint64(view, at64 + 32), start: start64, end: start64 + readUint64(view, at64 + 40) }
}

/** Reads sizes and offset from the zip64 extra field, in this order, each only if the plain record lacks it. */
const widen = (
  view: DataView,
  extraAt: number,
  extraEnd: number,
  values: ReadonlyArray<number>,
): ReadonlyArray<number> => {
  if (!values.includes(UNKNOWN_32)) return values
  for (let at = extraAt; at + 4 <= extraEnd; at += 4 + view.getUint16(at + 2, true)) {
    if (view.getUint16(at, true) !== 1) continue
    let next = at + 4
    return values.map((value) => {
      if (value !== UNKNOWN_32) return value
      next += 8
      return readUint64(view, next - 8)
    })
  }
  return values
}

const decodeName = (bytes: Uint8Array): string => {
  const name = new TextDecoder().decode(bytes).replaceAll("\\", "/").replace(/^\/+/, "")
  if (name.includes("\0") || name.split("/").includes(".."))
    throw unsafe("The file holds a part whose name points outside of it.")
  return name
}

/** An entry's bytes; its local header must have the directory's name, or programs would see different files. */
const readData = (bytes: Uint8Array, view: DataView, name: Uint8Array, offset: number, packed: number): Uint8Array => {
  if (offset + 30 + name.length > bytes.length || view.getUint32(offset, true) !== LOCAL) throw damaged()
  if (view.getUint16(offset + 26, true) !== name.length) throw damaged()
  if (!name.every((byte, index) => byte === bytes[offset + 30 + index])) throw damaged()
  const start = offset + 30 + view.getUint16(offset + 26, true) + view.getUint16(offset + 28, true)
  if (start + packed > bytes.length) throw damaged()
  return bytes.subarray(start, start + packed)
}

const entryAt = (bytes: Uint8Array, view: DataView, at: number): { readonly entry: Entry; readonly next: number } => {
  if (view.getUint32(at, true) !== CENTRAL) throw damaged()
  const nameEnd = at + 46 + view.getUint16(at + 28, true)
  const extraEnd = nameEnd + view.getUint16(at + 30, true)
  const next = extraEnd + view.getUint16(at + 32, true)
  if (next > bytes.length) throw damaged()
  if ((view.getUint16(at + 8, true) & 1) !== 0) {
    throw new UnreadableError(
      "encrypted",
      "The file is protected by a password. Save it without one and upload that copy.",
    )
  }
  const method = view.getUint16(at + 10, true)
  if (method !== 0 && method !== 8) {
    throw new UnreadableError(
      "unsupported",
      "The file is packed in a way Office does not use. Open it, save it again and upload the copy.",
    )
  }
  const stated = [view.getUint32(at + 24, true), view.getUint32(at + 20, true), view.getUint32(at + 42, true)]
  const [size = 0, packed = 0, offset = 0] = widen(view, nameEnd, extraEnd, stated)
  const name = bytes.subarray(at + 46, nameEnd)
  const entry: Entry = {
    name: decodeName(name),
    method,
    size,
    crc: view.getUint32(at + 16, true),
    data: readData(bytes, view, name, offset, packed),
  }
  return { entry, next }
}

/** Reads the files of the central directory and checks each against the bytes it points at. */
export const zipEntries = (bytes: Uint8Array): ReadonlyArray<Entry> => {
  if (bytes.length < END_SIZE) throw damaged()
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const { count, start, end } = directory(view)
  if (end > bytes.length) throw damaged()
  if (count > LIMITS.zipEntries) throw unsafe(`The file holds more than ${LIMITS.zipEntries} parts.`)
  const entries: Array<Entry> = []
  for (let at = start, index = 0; index < count; index++) {
    if (at + 46 > end) throw damaged()
    const { entry, next } = entryAt(bytes, view, at)
    if (!entry.name.endsWith("/")) entries.push(entry)
    at = next
    if (index === count - 1 && at !== end) throw damaged()
  }
  return entries
}
