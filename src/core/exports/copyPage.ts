import { INSTANT_BYTES, writeInstant } from "./instant.ts"

/** The position of a deal in the order of creation, newest first. */
export interface Position {
  /** ISO 8601. */
  readonly at: string
  readonly id: string
}

/** The cells of a position: an instant and an id. */
export const POSITION_CELLS = 2

/** The length of the header of PostgreSQL's binary COPY. */
export const COPY_HEADER = 19
/** The length of its trailer. */
const COPY_END = 2

/** One page, read by a binary COPY whose rows start with their position: the rows, their number, and the last one's position. */
interface CopyPage {
  readonly bytes: Uint8Array
  readonly rows: number
  readonly end: Position | undefined
}

export const parseCopyPage = (copy: Uint8Array): CopyPage => {
  const bytes = copy.subarray(COPY_HEADER, copy.length - COPY_END)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let rows = 0
  let last = 0
  for (let at = 0; at < bytes.length; rows++) {
    last = at
    const cells = view.getInt16(at)
    at += 2
    for (let cell = 0; cell < cells; cell++) at += 4 + Math.max(view.getInt32(at), 0)
  }
  return { bytes, rows, end: rows === 0 ? undefined : positionOf(bytes, view, last + 2) }
}

const positionOf = (bytes: Uint8Array, view: DataView, at: number): Position => {
  const instant = new Uint8Array(INSTANT_BYTES)
  writeInstant(view, at + 4, instant, 0)
  const id = at + 4 + view.getInt32(at)
  const from = id + 4
  return { at: decoder.decode(instant), id: decoder.decode(bytes.subarray(from, from + view.getInt32(id))) }
}

const decoder = new TextDecoder("utf-8", { ignoreBOM: true })
