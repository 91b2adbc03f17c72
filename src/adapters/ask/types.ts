// Plain types, so that the declarations of a front end reach neither the contract nor Effect. `Client` of `sightline/client` has them.

/** A cited item. `url` opens it in the viewer, and `excerpt` is verbatim. */
export interface Citation {
  readonly document_id: string
  readonly document_name: string
  readonly deal_id: string | null
  readonly deal_name: string | null
  readonly url: string
  readonly excerpt: string
}

export interface Message {
  readonly role: "user" | "assistant" | "system"
  readonly content: string
}

/** An event of a streamed answer. Others are ignored. */
export type AskEvent =
  | { readonly type: "content_delta"; readonly content: string }
  | { readonly type: "citation"; readonly citation: Citation }
  | {
      readonly type: "done"
      readonly message: { readonly content: string; readonly citations: ReadonlyArray<Citation> }
    }
  | { readonly type: "tool_call" | "tool_result" | "usage" }

/** The part of a client that asking needs: `createClient` of `sightline/client` makes one. */
export interface AskClient {
  readonly answers: {
    readonly stream: (
      question: { readonly messages: ReadonlyArray<Message>; readonly citations: "marks" },
      options: { readonly signal: AbortSignal; readonly idempotencyKey: string | false },
    ) => AsyncIterable<AskEvent>
  }
}

/** A question and its answer. */
export interface Turn {
  /** Identifies the turn in the conversation, and the recorded answer on the server for 24 hours. */
  readonly id: string
  readonly question: string
  /** Markdown whose marks `[1]`, `[2]`, … number `citations`. */
  readonly text: string
  readonly citations: ReadonlyArray<Citation>
  /** `submitted`: no text has arrived. `stopped`: the text so far. */
  readonly status: "submitted" | "streaming" | "done" | "stopped" | "failed"
  /** Why it failed. */
  readonly error?: Error | undefined
}

export interface ConversationState {
  readonly turns: ReadonlyArray<Turn>
  /** The state of the last turn. `ready`: it has ended, or nobody has asked yet. */
  readonly status: "ready" | "submitted" | "streaming" | "error"
  /** Why the last turn failed. */
  readonly error: Error | undefined
}

export interface ConversationOptions {
  readonly client: AskClient
  /** Turns of an earlier visit. `resume` continues the last one. */
  readonly initialTurns?: ReadonlyArray<Turn> | undefined
  /** Wishes for the style of the answers, sent with each question. */
  readonly system?: string | undefined
  /** False lets the server stop with the reader; then a broken connection ends the answer. */
  readonly resumable?: boolean | undefined
  /** Runs when an answer is whole. */
  readonly onFinish?: ((turn: Turn) => void) | undefined
  /** Runs when an answer fails. */
  readonly onError?: ((error: Error, turn: Turn) => void) | undefined
}
