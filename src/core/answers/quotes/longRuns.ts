import type { Message } from "../Answerer.ts"

/** In code points, of signs and spaces in a row. A table has some between two of its cells. */
const MAX_RUN = 100
const LONG = new RegExp(String.raw`([^\p{L}\p{N}]{${MAX_RUN}})[^\p{L}\p{N}]+`, "gu")

/**
 * Cuts long runs of signs, which say nothing. Many patterns that read a question take time by the square of such a run, and a message may have
 * 32,000 characters.
 */
export const cutLongRuns = (messages: ReadonlyArray<Message>): ReadonlyArray<Message> =>
  messages.map((message) => ({ ...message, content: message.content.replaceAll(LONG, "$1") }))
