import { concat } from "../../core/common/bytes.ts"

/** A statement as PostgreSQL's protocol sends it: https://www.postgresql.org/docs/18/protocol-message-formats.html */
export const encodeQuery = (statement: string): Uint8Array => {
  const text = new TextEncoder().encode(statement)
  const message = new Uint8Array(HEAD_BYTES + text.length + 1)
  message[0] = QUERY
  new DataView(message.buffer).setInt32(1, message.length - 1)
  message.set(text, HEAD_BYTES)
  return message
}

/** An error of the database; `code` is PostgreSQL's. */
export class CopyError extends Error {
  readonly code: string

  constructor(message: string, code: string) {
    super(message)
    this.code = code
  }
}

/** Parses the reply to a `COPY … TO STDOUT`, from pieces of any length. */
export class CopyReply {
  /** Whether the reply is complete and the connection ready for another statement. */
  ended = false
  readonly #head = new DataView(new ArrayBuffer(HEAD_BYTES))
  /** Received bytes of the message's head. */
  #known = 0
  /** Missing bytes of its body. */
  #left = 0
  #wrong = new Uint8Array(0)

  /** Extracts the row bytes of the next piece, in place. Throws `CopyError`. */
  take(bytes: Uint8Array): Uint8Array {
    let to = 0
    for (let at = 0; at < bytes.length && !this.ended;) {
      if (this.#known < HEAD_BYTES) {
        this.#head.setUint8(this.#known++, bytes[at++]!)
        if (this.#known < HEAD_BYTES) continue
        this.#left = this.#head.getInt32(1) - 4
      }
      const type = this.#head.getUint8(0)
      const end = Math.min(at + this.#left, bytes.length)
      if (type === COPY_DATA) {
        bytes.copyWithin(to, at, end)
        to += end - at
      } else if (type === ERROR) {
        this.#wrong = concat([this.#wrong, bytes.subarray(at, end)])
      }
      this.#left -= end - at
      at = end
      if (this.#left > 0) break
      this.#known = 0
      if (type === ERROR) throw errorOf(this.#wrong)
      this.ended = type === READY
    }
    return bytes.subarray(0, to)
  }
}

/** Each field is a letter and a string. */
const errorOf = (body: Uint8Array) => {
  const fields = new TextDecoder().decode(body).split("\0")
  const field = (letter: string) => fields.find((text) => text.startsWith(letter))?.slice(1) ?? ""
  return new CopyError(field("M"), field("C"))
}

/** A letter and the length of the rest, including these four bytes. */
const HEAD_BYTES = 5
const [QUERY, ERROR, COPY_DATA, READY] = [..."QEdZ"].map((letter) => letter.charCodeAt(0)) as [
  number,
  number,
  number,
  number,
]
