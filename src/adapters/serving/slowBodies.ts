import type { IncomingMessage, ServerResponse } from "node:http"

/** A body that is slower for longer than the wait is refused: 10 MiB may take six minutes. */
export interface BodyPace {
  /** The wait for a body of no bytes: connections pause. */
  readonly waitMs: number
  readonly bytesPerSecond: number
  readonly checkIntervalMs: number
}

export const BODY_PACE: BodyPace = { waitMs: 30_000, bytesPerSecond: 32 * 1024, checkIntervalMs: 5_000 }

interface Body {
  readonly response: ServerResponse
  readonly bytesBefore: number
  /** Without the time in which the app does not read what has arrived. */
  waitedMs: number
}

/** Finds the bodies that arrive too slowly, with one timer for all connections, which runs only while there are bodies. */
export const watchBodies = (pace: BodyPace, refuseSlow: (request: IncomingMessage) => void) => {
  const bodies = new Map<IncomingMessage, Body>()
  let timer: NodeJS.Timeout | undefined

  const isSlow = (request: IncomingMessage, body: Body): boolean => {
    const bytes = request.socket.bytesRead - body.bytesBefore
    if (request.readableLength === 0) body.waitedMs += pace.checkIntervalMs
    return body.waitedMs > pace.waitMs + (bytes / pace.bytesPerSecond) * 1000
  }
  const check = () => {
    for (const [request, body] of bodies) {
      const isOver = request.complete || request.destroyed || body.response.headersSent
      if (!isOver && !isSlow(request, body)) continue
      bodies.delete(request)
      if (!isOver) refuseSlow(request)
    }
    if (bodies.size > 0) return
    clearInterval(timer)
    timer = undefined
  }

  return (request: IncomingMessage, response: ServerResponse): void => {
    if (request.complete) return
    bodies.set(request, { response, bytesBefore: request.socket.bytesRead, waitedMs: 0 })
    request.once("close", () => bodies.delete(request))
    timer ??= setInterval(check, pace.checkIntervalMs).unref()
  }
}
