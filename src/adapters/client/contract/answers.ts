// `npm run client` writes this file from the contract.

export type ToolName =
  | "search_knowledge_base"
  | "search_deal_documents"
  | "search_deals"
  | "select_deal"
  | "search_across_deals"
  | "search_competitors"
  | "get_assets"
  | "count_deals"
  | "report_deals"
  | "report_features"
  | "describe_workspace"
  | "read_document"

export interface Citation {
  readonly document_id: string
  readonly document_name: string
  readonly deal_id: string | null
  readonly deal_name: string | null
  readonly url: string
  readonly excerpt: string
}

export type ResponseEvent =
  | {
      readonly type: "content_delta"
      /** The next fragment of the answer's text. */
      readonly content: string
    }
  | {
      readonly type: "citation"
      /** A cited item. It comes before the text that refers to it, or with it. */
      readonly citation: Citation
    }
  | {
      readonly type: "tool_call"
      readonly id: string
      readonly name: ToolName
      /** The tool's arguments. Sent if `include` has `tool_call`. */
      readonly arguments: unknown
    }
  | {
      readonly type: "tool_result"
      /** The id of the call that this answers. */
      readonly id: string
      readonly name: ToolName
      /** The number of items found. Sent if `include` has `tool_result`. */
      readonly found: number
    }
  | {
      readonly type: "usage"
      readonly input_tokens: number
      /** The model's tokens. Sent if `include` has `usage`. */
      readonly output_tokens: number
    }
  | {
      readonly type: "done"
      readonly message: {
        readonly role: "assistant"
        /** Markdown. Its links `[text](url)` open cited items; each url belongs to a citation. With `citations: "marks"` it has no links: the mark `[2]` refers to the second citation. */
        readonly content: string
        /** The items that the text refers to, in the order of their first link or mark. Empty if nothing was found. */
        readonly citations: ReadonlyArray<Citation>
        /** The number of sentences and table rows of a language model that were left out, because a number in them has no source. Absent if none was. */
        readonly withheld?: number
      }
      /** The internal tools that were used, each once, in order of first use. */
      readonly tool_calls: ReadonlyArray<ToolName>
      /** The conversation that keeps the answer, if the question named one. Null: it could not be kept. */
      readonly conversation_id?: string | null
    }
  | {
      readonly type: "error"
      readonly error: { readonly code: "service_unavailable" | "internal_error"; readonly message: string }
    }

export interface Message {
  /** A `system` message asks for a style of answer. It never overrides this service's own instructions. */
  readonly role: "user" | "assistant" | "system"
  readonly content: string
}

export interface StreamOptions {
  /** Events to send in addition to the text and its citations. */
  readonly include: ReadonlyArray<"tool_call" | "tool_result" | "usage">
}

export interface AnswersCreateInput {
  /** The conversation, oldest first. The last message is the user's question. The `message` of a reply may be sent as it is. */
  readonly messages: ReadonlyArray<Message>
  /** True sends the answer as server-sent events. False by default. */
  readonly stream?: boolean | null
  readonly stream_options?: StreamOptions
  /** Keeps the question and its answer: `new` begins a conversation, and its `conversation_id` continues it. `messages` then has the
   * next question alone, with instructions of role `system`: the conversation has those before. Without it, nothing is kept. */
  readonly conversation?: string
  /** How the text refers to its citations: `links` (default) writes inline links, and `marks` writes `[1]` where the first
   * citation belongs. Each match of `/\[\d+\]/` is a mark; any other number in brackets is escaped, `[1\]`. */
  readonly citations?: "links" | "marks"
}

export interface Answer {
  readonly message: {
    readonly role: "assistant"
    /** Markdown. Its links `[text](url)` open cited items; each url belongs to a citation. With `citations: "marks"` it has no links: the mark `[2]` refers to the second citation. */
    readonly content: string
    /** The items that the text refers to, in the order of their first link or mark. Empty if nothing was found. */
    readonly citations: ReadonlyArray<Citation>
    /** The number of sentences and table rows of a language model that were left out, because a number in them has no source. Absent if none was. */
    readonly withheld?: number
  }
  /** The internal tools that were used, each once, in order of first use. */
  readonly tool_calls: ReadonlyArray<ToolName>
  /** The conversation that keeps the answer, if the question named one. Null: it could not be kept. */
  readonly conversation_id?: string | null
}

export interface AnswersEndpoints {
  /** Ask a question. */
  readonly create: { readonly input: AnswersCreateInput; readonly output: Answer }
}
