import { Buffer } from "node:buffer"
import { Socket } from "node:net"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { asked, CopyReply } from "./copyReply.ts"

/** Bytes read at once. */
const PIECE = 128 * 1024

/**
 * Opens a socket for the driver that, from `copying` on, reads into one buffer time and again: for every dozen megabytes of
 * new buffers the collector goes through all of memory. Under TLS, or where a runtime knows no such sockets, they are new.
 */
export const reusing = () => {
  let kept = true
  const copying = () => {
    kept = false
  }
  const open = (config?: { readonly ssl?: unknown }): Socket => {
    if (config?.ssl) return new Socket()
    const socket: Socket = new Socket({
      onread: {
        buffer: new Uint8Array(PIECE),
        callback: (size, { buffer, byteOffset }) => {
          const bytes = Buffer.from(buffer, byteOffset, size)
          // The driver keeps what it is given.
          socket.emit("data", kept ? Buffer.from(bytes) : bytes)
          // What nobody listens to is let in too: the connection's end comes behind it.
          return true
        },
      },
    })
    return socket
  }
  return { open, copying }
}

/** The rows of a `COPY … TO STDOUT`, each piece good until the next is asked for. The connection is used for nothing else afterwards. */
export const copyOn = (socket: Socket, statement: string): Stream.Stream<Uint8Array, unknown> =>
  Stream.suspend(() => {
    const reply = new CopyReply()
    const piece = Effect.callback<Uint8Array, unknown>((resume) => {
      const stop = () => void socket.off("data", came).off("close", gone).pause()
      const came = (bytes: Uint8Array) => {
        stop()
        resume(Effect.try({ try: () => reply.take(bytes), catch: (cause) => cause }))
      }
      const gone = () => {
        stop()
        resume(Effect.fail(new Error("the connection was closed")))
      }
      if (socket.destroyed) return gone()
      socket.on("data", came).on("close", gone).resume()
      return Effect.sync(stop)
    })
    socket.removeAllListeners("data").pause()
    socket.write(asked(statement))
    const pieces = Stream.unfold(undefined, () =>
      reply.ended ? Effect.succeed(undefined) : Effect.map(piece, (bytes) => [bytes, undefined] as const),
    )
    // Before its end is waited for, what comes must be let in, or nothing must be able to come.
    return Stream.ensuring(
      pieces,
      Effect.sync(() => void (reply.ended ? socket.resume() : socket.destroy())),
    )
  })
