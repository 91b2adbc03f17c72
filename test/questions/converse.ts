import { createParser } from "eventsource-parser"
import type { Answer } from "./grade.ts"

type Handler = (request: Request) => Promise<Response>
interface Message {
  readonly role: "user" | "assistant"
  readonly content: string
}

/** One question over HTTP; the text and citations as the stream sends them. */
const ask = async (handler: Handler, key: string, messages: ReadonlyArray<Message>): Promise<Answer> => {
  const reply = await handler(
    new Request("http://localhost/api/v1/responses", {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ messages, stream: true }),
    }),
  )
  const body = await reply.text()
  if (reply.status !== 200) throw new Error(`${reply.status} ${body}`)
  let content = ""
  const citations: Array<Answer["citations"][number]> = []
  const parser = createParser({
    onEvent: ({ data }) => {
      const event = JSON.parse(data)
      if (event.type === "content_delta") content += event.content
      if (event.type === "citation") citations.push(event.citation)
      if (event.type === "error") throw new Error(`the answer failed: ${event.error.message}`)
    },
  })
  parser.feed(body)
  return { content, citations }
}

/** Asks turn after turn, each with the conversation before it. Returns the last answer. */
export const converse = async (handler: Handler, key: string, turns: ReadonlyArray<string>): Promise<Answer> => {
  const messages: Array<Message> = []
  let answer: Answer = { content: "", citations: [] }
  for (const content of turns) {
    messages.push({ role: "user", content })
    answer = await ask(handler, key, messages)
    // The API takes no empty message.
    messages.push({ role: "assistant", content: answer.content === "" ? "…" : answer.content })
  }
  return answer
}
