import type * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Queue from "effect/Queue"
import * as Stream from "effect/Stream"
import type { Notify } from "./Mcp.ts"
import { CODES, errorReply, type Id, type Reply } from "./messages.ts"

/** A slower reply becomes an event stream, so that neither connection nor client times out. */
const REPLY_TIMEOUT_MS = 2_000

/** Notifications that wait for a slow client; older ones are dropped. */
const MAX_NOTIFICATIONS = 16

/** Returns the reply if it is fast; else a stream of events with the notifications and the reply. */
export const replyOrStream = Effect.fnUntraced(function* <E extends { readonly message: string }>(
  id: Id,
  answer: (notify: Notify) => Effect.Effect<Reply | undefined, E>,
) {
  const notifications = yield* Queue.make<object, Cause.Done>({ capacity: MAX_NOTIFICATIONS, strategy: "sliding" })
  const fiber = yield* answer((notification) => Queue.offer(notifications, notification)).pipe(
    Effect.ensuring(Queue.end(notifications)),
    Effect.forkScoped,
  )
  const fastExit = yield* Effect.timeoutOption(Fiber.await(fiber), REPLY_TIMEOUT_MS)
  if (fastExit._tag === "Some") return { reply: yield* fastExit.value }
  const reply = Fiber.join(fiber).pipe(
    Effect.catch(({ message }) => Effect.succeed(errorReply(id, { code: CODES.internal, message }))),
    Effect.catchDefect((defect) =>
      Effect.as(Effect.logError("an MCP request failed", defect), errorReply(id, INTERNAL_ERROR)),
    ),
  )
  const events = Stream.concat(Stream.fromQueue(notifications), Stream.fromEffect(reply)).pipe(
    Stream.map((data) => ({ event: "message", data })),
  )
  return { events }
})

const INTERNAL_ERROR = { code: CODES.internal, message: "the server failed" } as const
