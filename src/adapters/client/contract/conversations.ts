// `npm run client` writes this file from the contract.
import type { Citation } from "./answers.ts"

export interface ConversationEntry {
  readonly id: string
  /** The first question, cut after 100 characters. */
  readonly title: string
  readonly created_at: string
  /** When the last answer was kept. */
  readonly updated_at: string
  /** The number of its questions. */
  readonly turns: number
}

export interface ConversationList {
  readonly data: ReadonlyArray<ConversationEntry>
}

export interface ConversationTurn {
  readonly question: string
  /** The text of the answer, as it was sent. */
  readonly answer: string
  /** How the text refers to its citations. */
  readonly style: "links" | "marks"
  readonly citations: ReadonlyArray<Citation>
  readonly asked_at: string
}

export interface Conversation {
  readonly id: string
  /** The first question, cut after 100 characters. */
  readonly title: string
  readonly created_at: string
  /** When the last answer was kept. */
  readonly updated_at: string
  readonly turns: ReadonlyArray<ConversationTurn>
}

export interface ConversationsEndpoints {
  /** List conversations. */
  readonly list: { readonly input: {}; readonly output: ConversationList }
  /** Get a conversation. */
  readonly get: { readonly input: { readonly id: string }; readonly output: Conversation }
  /** Delete a conversation. */
  readonly delete: { readonly input: { readonly id: string }; readonly output: void }
  /** Delete the caller's conversations. */
  readonly deleteAll: { readonly input: {}; readonly output: void }
}
