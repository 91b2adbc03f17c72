import type { Framing } from "../../src/core/exports/frames.ts"

export type Cell = string | Date | null

/** Encodes rows as PostgreSQL sends them. */
export const framed = (rows: ReadonlyArray<ReadonlyArray<Cell>>, framing: Framing) => {
  const parts: Array<Buffer> = []
  const int = (size: 2 | 4, value: number) => {
    const bytes = Buffer.alloc(size)
    if (size === 2) bytes.writeInt16BE(value)
    else bytes.writeInt32BE(value)
    parts.push(bytes)
  }
  if (framing === "copy") parts.push(Buffer.from("PGCOPY\n\u00ff\r\n\0", "latin1"), Buffer.alloc(8))
  for (const row of rows) {
    int(framing === "copy" ? 2 : 4, row.length)
    for (const cell of row) {
      if (framing === "records") int(4, 25)
      const sent = cell instanceof Date ? microseconds(cell) : cell === null ? null : Buffer.from(cell)
      int(4, sent?.length ?? -1)
      if (sent !== null) parts.push(sent)
    }
  }
  if (framing === "copy") int(2, -1)
  return Buffer.concat(parts)
}

/** Microseconds past the millisecond, which the CSV omits. */
const microseconds = (date: Date) => {
  const bytes = Buffer.alloc(8)
  bytes.writeBigInt64BE((BigInt(date.getTime()) - BigInt(Date.UTC(2000, 0, 1))) * 1000n + BigInt(date.getTime() & 511))
  return bytes
}
