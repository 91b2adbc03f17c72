import { createParser, type EventSourceMessage } from "eventsource-parser"
import type { ResponseEvent } from "./contract/answers.ts"
import type { CallOptions } from "./options.ts"
import { SightlineError } from "./SightlineError.ts"
import type { Silence } from "./timing.ts"
import { randomKey } from "./randomKey.ts"
import { pathOf } from "./requests.ts"
import { type Call, chunksIn, explainFailure, type Transport } from "./Transport.ts"
import type { Input } from "./types.ts"

/** A question: a conversation whose last message is the user's. */
export type Question = Omit<Input<"answers", "create">, "stream" | "stream_options">

export interface StreamQuestion extends Question {
  /** Events to send in addition to the text and its citations. */
  readonly include?: NonNullable<Input<"answers", "create">["stream_options"]>["include"] | undefined
}

/** An event of an answer. The last one is `done`; a failed answer throws a `SightlineError` instead. */
export type AnswerEvent = Exclude<ResponseEvent, { readonly type: "error" }>

/** Connections in a row that bring no event. */
const MAX_EMPTY_CONNECTIONS = 5
const MAX_EVENT_CHARACTERS = 8 * 1024 * 1024

/**
 * Streams an answer. If the connection breaks, asks the server for the events after the last one that arrived: the server keeps
 * the answer under its Idempotency-Key.
 */
export async function* streamAnswer(
  transport: Transport,
  { include, ...question }: StreamQuestion,
  options: CallOptions = {},
): AsyncGenerator<AnswerEvent, void> {
  const idempotencyKey = options.idempotencyKey ?? randomKey()
  const json = { ...question, stream: true, ...(include && { stream_options: { include } }) }
  let lastId = 0
  for (let empty = 0; ; empty++) {
    const headers = { ...options.headers, ...(lastId > 0 && { "last-event-id": String(lastId) }) }
    const call: Call = { ...options, method: "POST", path: pathOf("answers", "create"), json, headers, idempotencyKey }
    try {
      for await (const { id, event } of await transport.run(call, openEvents(options))) {
        // A proxy may repeat what it has sent before.
        if (id <= lastId) continue
        lastId = id
        empty = -1
        if (event.type === "error") throw new SightlineError({ ...event.error, details: { event } })
        yield event
        if (event.type === "done") return
      }
      throw new SightlineError({ code: "network_error", message: "the answer was cut off before its end" })
    } catch (error) {
      const isBroken = error instanceof SightlineError && (error.code === "network_error" || error.code === "timeout")
      if (!isBroken || idempotencyKey === false || empty >= MAX_EMPTY_CONNECTIONS) throw error
    }
  }
}

const openEvents =
  ({ signal }: CallOptions) =>
  async (response: Response, silence: Silence) =>
    eventsIn(response, silence, signal)

/** Reads the events of one connection. Pings restart `silence`. */
async function* eventsIn(response: Response, silence: Silence, signal: AbortSignal | undefined) {
  const decoder = new TextDecoder()
  let arrived: Array<EventSourceMessage> = []
  const parser = createParser({ onEvent: (message) => arrived.push(message), maxBufferSize: MAX_EVENT_CHARACTERS })
  silence.restart()
  try {
    for await (const bytes of chunksIn(response.body)) {
      silence.restart()
      parser.feed(decoder.decode(bytes, { stream: true }))
      const events = arrived
      arrived = []
      for (const { id, data } of events) yield { id: Number(id), event: JSON.parse(data) as ResponseEvent }
    }
  } catch (cause) {
    throw explainFailure(cause, silence, signal)
  } finally {
    silence.end()
  }
}
