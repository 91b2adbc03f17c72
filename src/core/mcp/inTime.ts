import type * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Queue from "effect/Queue"
import * as Stream from "effect/Stream"
import type { Tell } from "./Mcp.ts"
import { CODES, failed, type Id, type Reply } from "./messages.ts"

/** A reply that takes longer comes as events, so that the connection and the client know that it goes on. */
const PATIENCE = "2 seconds"

/** Notifications that wait for a client who reads slowly; older ones are given up. */
const BUFFER = 16

/** The reply, if it is there soon; else the messages that come before it and the reply itself, as server-sent events. */
export const inTime = Effect.fnUntraced(function* <E extends { readonly message: string }>(
  id: Id,
  answer: (tell: Tell) => Effect.Effect<Reply | undefined, E>,
) {
  const told = yield* Queue.make<object, Cause.Done>({ capacity: BUFFER, strategy: "sliding" })
  const fiber = yield* answer((notification) => Queue.offer(told, notification)).pipe(
    Effect.ensuring(Queue.end(told)),
    Effect.forkScoped,
  )
  const soon = yield* Effect.timeoutOption(Fiber.await(fiber), PATIENCE)
  if (soon._tag === "Some") return { reply: yield* soon.value }
  const reply = Fiber.join(fiber).pipe(
    Effect.catch(({ message }) => Effect.succeed(failed(id, { code: CODES.internal, message }))),
    Effect.catchDefect((defect) => Effect.as(Effect.logError("an MCP request failed", defect), failed(id, OURS))),
  )
  const events = Stream.concat(Stream.fromQueue(told), Stream.fromEffect(reply)).pipe(
    Stream.map((message) => `event: message\ndata: ${JSON.stringify(message)}\n\n`),
    Stream.encodeText,
  )
  return { events }
})

const OURS = { code: CODES.internal, message: "the server failed" } as const
