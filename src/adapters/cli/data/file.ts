import { createReadStream, statSync } from "node:fs"
import process from "node:process"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

/** A file cannot be read; the message says why. */
export class Unreadable extends Schema.TaggedError<Unreadable>()("Unreadable", { message: Schema.String }) {}

/** A file to send; `-` is stdin. `size` is in bytes, if it is known. */
export interface SentFile {
  readonly size: number | undefined
  readonly content: () => AsyncIterable<Uint8Array>
}

/** Sends a file with `send`. Fails with the file's failure rather than the connection's; `subject` begins its message. */
export const sendFile = Effect.fnUntraced(function* <A, E, R>(
  path: string,
  subject: string,
  send: (file: SentFile) => Effect.Effect<A, E, R>,
) {
  const unreadable = (cause: unknown) =>
    new Unreadable({
      message: `${subject} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`,
    })
  const size = yield* Effect.try({
    try: () => {
      if (path === "-") return undefined
      const found = statSync(path)
      if (found.isDirectory()) throw new Error("it is a directory")
      return found.size
    },
    catch: unreadable,
  })
  let failure: Unreadable | undefined
  const content = async function* () {
    try {
      yield* (path === "-" ? process.stdin : createReadStream(path)) as AsyncIterable<Uint8Array>
    } catch (cause) {
      failure = unreadable(cause)
      throw cause
    }
  }
  return yield* Effect.mapError(send({ size, content }), (error) => failure ?? error)
})
