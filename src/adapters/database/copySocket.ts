import { Buffer } from "node:buffer"
import { Socket } from "node:net"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { encodeQuery, CopyReply } from "./copyReply.ts"

/** Bytes read at once. */
const BUFFER_BYTES = 128 * 1024

/**
 * Opens a socket for the driver that, once copying begins, reuses one buffer: for every dozen megabytes of
 * new buffers the collector scans all of memory. Under TLS, or on a runtime without such sockets, buffers are new.
 */
export const makeSocketOpener = () => {
  let kept = true
  const copying = () => {
    kept = false
  }
  const open = (config?: { readonly ssl?: unknown }): Socket => {
    if (config?.ssl) return new Socket()
    const socket: Socket = new Socket({
      onread: {
        buffer: new Uint8Array(BUFFER_BYTES),
        callback: (size, { buffer, byteOffset }) => {
          const bytes = Buffer.from(buffer, byteOffset, size)
          // The driver retains its buffers.
          socket.emit("data", kept ? Buffer.from(bytes) : bytes)
          // Drains unread data too: the connection's end follows it.
          return true
        },
      },
    })
    return socket
  }
  return { open, copying }
}

/** Reads the rows of a `COPY … TO STDOUT`. A piece is valid until the next read. The connection cannot be reused afterwards. */
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
    socket.write(encodeQuery(statement))
    const pieces = Stream.unfold(undefined, () =>
      reply.ended ? Effect.succeed(undefined) : Effect.map(piece, (bytes) => [bytes, undefined] as const),
    )
    // Waiting for the end requires reading the rest, or destroying the socket.
    return Stream.ensuring(
      pieces,
      Effect.sync(() => void (reply.ended ? socket.resume() : socket.destroy())),
    )
  })
