import { concat } from "../../core/bytes.ts"

/** A statement as PostgreSQL's protocol sends it: https://www.postgresql.org/docs/18/protocol-message-formats.html */
export const asked = (statement: string): Uint8Array => {
  const text = new TextEncoder().encode(statement)
  const message = new Uint8Array(1 + 4 + text.length + 1)
  message[0] = QUERY
  new DataView(message.buffer).setInt32(1, 4 + text.length + 1)
  message.set(text, 5)
  return message
}

/** The bytes that a `COPY … TO STDOUT` gave, out of the whole reply to it. Throws what the database says is wrong. */
export const copied = (reply: Uint8Array): Uint8Array => {
  const view = new DataView(reply.buffer, reply.byteOffset, reply.byteLength)
  const parts: Array<Uint8Array> = []
  for (let at = 0; at < reply.length;) {
    const end = at + 1 + view.getInt32(at + 1)
    const body = reply.subarray(at + 5, end)
    if (reply[at] === ERROR) throw new Error(new TextDecoder().decode(body).replaceAll("\0", " "))
    if (reply[at] === COPY_DATA) parts.push(body)
    at = end
  }
  return concat(parts)
}

const [QUERY, ERROR, COPY_DATA] = [..."QEd"].map((letter) => letter.charCodeAt(0)) as [number, number, number]
