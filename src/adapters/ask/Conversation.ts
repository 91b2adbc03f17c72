import { randomKey } from "../client/randomKey.ts"
import type { AskEvent, ConversationOptions, ConversationState, Message, Turn } from "./types.ts"

/** Limits of the server: messages, and UTF-16 units of each. */
const MAX_SENT_TURNS = 45
const MAX_MESSAGE_LENGTH = 32_000
/** UTF-16 units of all messages together, so that the body stays below 1 MiB. */
const MAX_SENT_LENGTH = 200_000

/** Failures of the connection. The server still has the answer. */
const BROKEN: ReadonlySet<unknown> = new Set(["network_error", "timeout"])

/**
 * A conversation that a page shows: asks, keeps the text while it arrives, and tells its listeners. It begins nothing by itself and
 * needs no end, so a view may make several and keep one.
 */
export class Conversation {
  readonly #options: () => ConversationOptions
  readonly #listeners = new Set<() => void>()
  #state: ConversationState
  #running: AbortController | undefined

  /** `options` is called when they are needed, because a view's may change. */
  constructor(options: () => ConversationOptions) {
    this.#options = options
    const turns = options().initialTurns ?? []
    this.#state = stateOf(turns.map((turn) => (isRunning(turn) ? { ...turn, status: "stopped" } : turn)))
  }

  /** The state; another object after each change. */
  readonly getState = (): ConversationState => this.#state

  /** Calls `listener` after each change, until the returned function is called. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** Asks, with the turns so far. Stops the answer that is being written. Resolves when the answer has ended, in whichever way. */
  readonly ask = async (question: string): Promise<void> => {
    if (question.trim() === "") return
    this.stop()
    const turn = { id: randomKey(), question, text: "", citations: [], status: "submitted" } as const
    await this.#run([...this.#state.turns, turn])
  }

  /** Stops the answer that is being written, and keeps its text so far. */
  readonly stop = (): void => {
    if (this.#running === undefined) return
    this.#running.abort()
    this.#running = undefined
    this.#change({ status: "stopped" })
  }

  /**
   * Continues the last turn if it is not done: reads the answer that the server has recorded, or asks again if the answer itself failed.
   * Resolves when the answer has ended, in whichever way.
   */
  readonly resume = async (): Promise<void> => {
    const last = this.#state.turns.at(-1)
    if (last === undefined || last.status === "done" || this.#running !== undefined) return
    const isLost = last.status === "failed" && !BROKEN.has((last.error as { readonly code?: string } | undefined)?.code)
    const { id, question, text, citations } = last
    const again = isLost ? { id: randomKey(), text: "", citations: [] } : { id, text, citations }
    await this.#run([...this.#state.turns.slice(0, -1), { ...again, question, status: "submitted" }])
  }

  /** Stops, and forgets all turns. */
  readonly reset = (): void => {
    this.stop()
    this.#set(stateOf([]))
  }

  async #run(turns: ReadonlyArray<Turn>): Promise<void> {
    const { client, system, resumable } = this.#options()
    const turn = turns.at(-1)!
    const { signal } = (this.#running = new AbortController())
    this.#set(stateOf(turns))
    try {
      const question = { messages: chooseMessages(turns, system), citations: "marks" } as const
      const options = { signal, idempotencyKey: resumable !== false && turn.id }
      const receive = this.#receiver(turn)
      for await (const event of client.answers.stream(question, options)) {
        if (signal.aborted) return
        receive(event)
        if (event.type === "done") break
      }
      if (this.#state.turns.at(-1)?.status !== "done") throw new Error("the answer has no end")
    } catch (cause) {
      if (signal.aborted) return
      this.#change({ status: "failed", error: cause instanceof Error ? cause : new Error(String(cause)) })
    }
    this.#running = undefined
    const ended = this.#state.turns.at(-1)!
    if (ended.status === "done") this.#options().onFinish?.(ended)
    else this.#options().onError?.(ended.error!, ended)
  }

  /** Puts the events of an answer together. A recorded answer is replayed: what is shown of it stays until there is more. */
  #receiver(shown: Turn) {
    let text = ""
    let citations: Turn["citations"] = []
    return (event: AskEvent): void => {
      if (event.type === "citation") citations = [...citations, event.citation]
      else if (event.type === "content_delta") {
        text += event.content
        this.#change({ ...(shown.text.startsWith(text) ? shown : { text, citations }), status: "streaming" })
      } else if (event.type === "done") {
        const { content, citations } = event.message
        this.#change({ text: content, citations, status: "done" })
      }
    }
  }

  #change(change: Partial<Turn>) {
    const { turns } = this.#state
    this.#set(stateOf([...turns.slice(0, -1), { ...turns.at(-1)!, ...change }]))
  }

  #set(state: ConversationState) {
    this.#state = state
    for (const listener of this.#listeners) listener()
  }
}

const isRunning = ({ status }: Turn) => status === "submitted" || status === "streaming"

const stateOf = (turns: ReadonlyArray<Turn>): ConversationState => {
  const last = turns.at(-1)
  const ended = last?.status === "failed" ? "error" : "ready"
  const status = last?.status === "submitted" || last?.status === "streaming" ? last.status : ended
  return { turns, status, error: last?.error }
}

/** The messages of a question: the newest turns before it that have an answer and fit. */
const chooseMessages = (turns: ReadonlyArray<Turn>, system: string | undefined): ReadonlyArray<Message> => {
  const { question } = turns.at(-1)!
  let left = MAX_SENT_LENGTH - question.length
  const before = turns
    .slice(0, -1)
    .filter(({ status, text }) => (status === "done" || status === "stopped") && text.trim() !== "")
    .slice(-MAX_SENT_TURNS)
    .toReversed()
    .map(({ question, text }) => ({ question, text: text.slice(0, MAX_MESSAGE_LENGTH) }))
  const fitting = before.slice(
    0,
    before.findIndex((turn) => (left -= turn.question.length + turn.text.length) < 0) >>> 0,
  )
  return [
    ...(system === undefined ? [] : [{ role: "system", content: system } as const]),
    ...fitting
      .toReversed()
      .flatMap(({ question, text }) => [
        { role: "user", content: question } as const,
        { role: "assistant", content: text } as const,
      ]),
    { role: "user", content: question },
  ]
}
