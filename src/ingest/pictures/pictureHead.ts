import type { PagePicture } from "../document.ts"

/** The format of a picture, and its size in pixels. */
export type PictureHead = Pick<PagePicture, "type" | "width" | "height">

/**
 * Reads the head of a picture without decoding it: a file of a few kilobytes can state gigabytes of pixels. Undefined: not a
 * PNG, GIF, BMP, WebP or JPEG, or damaged.
 */
export const pictureHead = (bytes: Uint8Array): PictureHead | undefined => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const format = FORMATS.find(({ signature }) => [...signature].every((char, at) => isByte(bytes[at], char)))
  try {
    const [width = 0, height = 0] = format?.size(view) ?? []
    return format !== undefined && width > 0 && height > 0 ? { type: format.type, width, height } : undefined
  } catch (cause) {
    // The file ends before its size.
    if (cause instanceof RangeError) return undefined
    throw cause
  }
}

/** A dot stands for any byte. */
const isByte = (byte: number | undefined, char: string) => char === "." || byte === char.charCodeAt(0)

type Size = readonly [width: number, height: number] | undefined

interface Format {
  readonly type: PagePicture["type"]
  readonly signature: string
  readonly size: (view: DataView) => Size
}

const uint24 = (view: DataView, at: number) => view.getUint16(at, true) | (view.getUint8(at + 2) << 16)

const sizeOfWebp = (view: DataView): Size => {
  const kind = String.fromCharCode(...[12, 13, 14, 15].map((at) => view.getUint8(at)))
  if (kind === "VP8X") return [1 + uint24(view, 24), 1 + uint24(view, 27)]
  if (kind === "VP8 ") return [view.getUint16(26, true) & 0x3fff, view.getUint16(28, true) & 0x3fff]
  if (kind !== "VP8L") return undefined
  const bits = view.getUint32(21, true)
  return [1 + (bits & 0x3fff), 1 + ((bits >>> 14) & 0x3fff)]
}

/** Markers that begin a frame, which has the size; the others in this range are tables. */
const isFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)

const sizeOfJpeg = (view: DataView): Size => {
  for (let at = 2; view.getUint8(at) === 0xff; at += 2 + view.getUint16(at + 2)) {
    if (isFrame(view.getUint8(at + 1))) return [view.getUint16(at + 7), view.getUint16(at + 5)]
  }
  return undefined
}

const FORMATS: ReadonlyArray<Format> = [
  { type: "image/png", signature: "\x89PNG", size: (view) => [view.getUint32(16), view.getUint32(20)] },
  { type: "image/gif", signature: "GIF8", size: (view) => [view.getUint16(6, true), view.getUint16(8, true)] },
  // Rows from top to bottom have a negative height.
  { type: "image/bmp", signature: "BM", size: (view) => [view.getInt32(18, true), Math.abs(view.getInt32(22, true))] },
  { type: "image/webp", signature: "RIFF....WEBP", size: sizeOfWebp },
  { type: "image/jpeg", signature: "\xff\xd8\xff", size: sizeOfJpeg },
]
