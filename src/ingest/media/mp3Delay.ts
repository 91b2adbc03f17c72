/** Random access to bytes; `end` is exclusive. */
export interface ByteSource {
  readonly size: number
  readonly read: (start: number, end: number, signal?: AbortSignal) => Promise<Uint8Array>
}

/** The delay that a decoder adds to the encoder's, in samples. */
const DECODER_DELAY = 529

/**
 * Samples of silence that the encoder prepended to an MP3, according to its header; players skip them. Frame
 * times are later than sound times by this delay. Zero if the header has no delay.
 */
export const mp3Delay = async ({ read, size }: ByteSource): Promise<number> => {
  const head = await read(0, Math.min(size, 10))
  const tagged = ascii(head, 0, 3) === "ID3" && head.length === 10
  const from = tagged ? 10 + head.slice(6, 10).reduce((sum, byte) => sum * 128 + (byte & 127), 0) : 0
  if (from >= size) return 0
  const frame = await read(from, Math.min(size, from + 2048))
  const at = /Xing|Info/.exec(ascii(frame, 0, 256))?.index
  if (at === undefined || frame.length < at + 8) return 0
  const flags = frame[at + 7]!
  const lame = at + 8 + FIELDS.reduce((sum, length, bit) => sum + ((flags >> bit) & 1) * length, 0)
  if (!/^(?:LAME|Lav[cf])$/.test(ascii(frame, lame, lame + 4)) || frame.length < lame + 24) return 0
  return ((frame[lame + 21]! << 4) | (frame[lame + 22]! >> 4)) + DECODER_DELAY
}

/** Lengths of the optional header fields in bytes: frame count, byte count, table of contents, quality. A bit tells which are present. */
const FIELDS = [4, 4, 100, 4]

const latin = new TextDecoder("latin1")
const ascii = (bytes: Uint8Array, from: number, to: number) => latin.decode(bytes.subarray(from, to))
