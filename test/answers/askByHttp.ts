import * as Effect from "effect/Effect"
import { send } from "../analysis/workspace.ts"

interface Message {
  readonly content: string
  readonly citations: ReadonlyArray<{ readonly excerpt: string; readonly document_name: string }>
}

/** The message that answers a question over HTTP. */
export const ask = (question: string, key: string) =>
  Effect.map(
    send("POST", "/responses", key, { messages: [{ role: "user", content: question }] }),
    (reply) => reply.json.message as Message,
  )

export const quotes = ({ citations }: Message) => citations.map(({ excerpt }) => excerpt)

/** The names of the documents that a message cites, sorted. */
export const documents = ({ citations }: Message) => citations.map(({ document_name }) => document_name).sort()
