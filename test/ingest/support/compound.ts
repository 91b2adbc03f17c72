/** A compound file with one stream of this name in its directory, which is its second sector. */
export const compoundFile = (stream: string): Uint8Array<ArrayBuffer> => {
  const bytes = new Uint8Array(512 * 4)
  const view = new DataView(bytes.buffer)
  bytes.set([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1])
  view.setUint16(30, 9, true)
  for (const [entry, name] of ["Root Entry", stream].entries()) {
    const at = 1024 + 128 * entry
    for (const [index, letter] of [...name].entries()) view.setUint16(at + 2 * index, letter.charCodeAt(0), true)
    view.setUint16(at + 64, 2 * name.length + 2, true)
  }
  return bytes
}
