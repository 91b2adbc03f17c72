import type { CompoundEntry } from "../../safety/compoundFile.ts"

/** The properties of a message, recipient or attachment (MS-OXMSG 2.1, 2.4). */
export interface Properties {
  /** The encoding of its 8-bit texts. */
  readonly page: string
  readonly text: (id: number) => string
  readonly bytes: (id: number) => Uint8Array
  readonly html: (id: number) => string
  readonly number: (id: number) => number | undefined
  /** ISO 8601. */
  readonly time: (id: number) => string | undefined
}

const TYPE = { unicode: "001F", ansi: "001E", binary: "0102" }
const INTERNET_PAGE = 0x3fde
const MESSAGE_PAGE = 0x3ffd
/** The labels of Windows code pages, for those that are not `windows-NNNN`. */
const PAGES: Readonly<Record<number, string>> = {
  932: "shift_jis",
  936: "gbk",
  949: "euc-kr",
  950: "big5",
  20866: "koi8-r",
  28591: "iso-8859-1",
  28592: "iso-8859-2",
  28605: "iso-8859-15",
  50220: "iso-2022-jp",
  54936: "gb18030",
  65001: "utf-8",
}
const DEFAULT_PAGE = "windows-1252"

const labelOf = (page: number | undefined) =>
  page === undefined ? undefined : (PAGES[page] ?? (page >= 1250 && page <= 1258 ? `windows-${page}` : undefined))

const decode = (bytes: Uint8Array, label: string) => {
  try {
    return new TextDecoder(label).decode(bytes)
  } catch {
    return new TextDecoder(DEFAULT_PAGE).decode(bytes) // This runtime does not know the encoding.
  }
}

const ENTRY_BYTES = 16
/** 100 ns units from 1601 to 1970. */
const EPOCH = 116_444_736_000_000_000n
const LAST_DATE_MS = 8.64e15

export const readProperties = (entry: CompoundEntry, headerBytes: number, inherited?: string): Properties => {
  const table = entry.children.get("__properties_version1.0")?.read() ?? new Uint8Array()
  const view = new DataView(table.buffer, table.byteOffset, table.byteLength)
  const fixed = new Map<number, number>()
  for (let at = headerBytes; at + ENTRY_BYTES <= table.length; at += ENTRY_BYTES)
    fixed.set(view.getUint16(at + 2, true), at + 8)
  const number = (id: number) => (fixed.has(id) ? view.getInt32(fixed.get(id)!, true) : undefined)
  const stream = (id: number, type: string) =>
    entry.children.get(`__substg1.0_${id.toString(16).toUpperCase().padStart(4, "0")}${type}`)?.read()
  const page = labelOf(number(MESSAGE_PAGE)) ?? inherited ?? labelOf(number(INTERNET_PAGE)) ?? DEFAULT_PAGE
  const text = (id: number) => {
    const unicode = stream(id, TYPE.unicode)
    if (unicode !== undefined) return decode(unicode, "utf-16le").replaceAll("\0", "")
    const ansi = stream(id, TYPE.ansi)
    return ansi === undefined ? "" : decode(ansi, page).replaceAll("\0", "")
  }
  return {
    page,
    text,
    number,
    bytes: (id) => stream(id, TYPE.binary) ?? new Uint8Array(),
    html: (id) => {
      const binary = stream(id, TYPE.binary)
      return binary === undefined ? text(id) : decode(binary, labelOf(number(INTERNET_PAGE)) ?? page)
    },
    time: (id) => {
      if (!fixed.has(id)) return undefined
      const milliseconds = Number((view.getBigUint64(fixed.get(id)!, true) - EPOCH) / 10_000n)
      return Math.abs(milliseconds) < LAST_DATE_MS ? new Date(milliseconds).toISOString() : undefined
    },
  }
}
