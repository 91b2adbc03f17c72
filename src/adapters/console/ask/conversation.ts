import { signal } from "@preact/signals"
import type { Output } from "../../client/client.ts"
import { client, isMissing, queries } from "../common/api.ts"

export type Citation = Output<"answers", "create">["message"]["citations"][number]

export interface Turn {
  readonly question: string
  readonly answer: string
  readonly citations: ReadonlyArray<Citation>
  readonly state: "running" | "done" | "stopped" | { readonly failed: Error }
}

/** The list of kept conversations. */
export const KEPT = ["conversations"]

/** The server takes at most 100 messages; older turns are left out of the next question. */
const MAX_SENT_TURNS = 40

/** The conversation of this tab. It goes on while the reader visits other pages. */
export const turns = signal<ReadonlyArray<Turn>>([])

/** The server's copy: its id, `new` before the first answer, null if the server could not keep one. */
let kept: string | null = "new"

let running: AbortController | undefined

const changeLast = (change: Partial<Turn>) => {
  const last = turns.value.at(-1)
  if (last !== undefined) turns.value = [...turns.value.slice(0, -1), { ...last, ...change }]
}

/** Asks, and shows the answer while it is written. */
export const ask = async (question: string): Promise<void> => {
  running?.abort()
  const controller = new AbortController()
  running = controller
  const before = turns.value.filter(({ state }) => state === "done").slice(-MAX_SENT_TURNS)
  turns.value = [...turns.value, { question, answer: "", citations: [], state: "running" }]
  const asked = { role: "user" as const, content: question }
  const earlier = before.flatMap((turn) => [
    { role: "user" as const, content: turn.question },
    { role: "assistant" as const, content: turn.answer },
  ])
  const body = kept === null ? { messages: [...earlier, asked] } : { messages: [asked], conversation: kept }
  try {
    for await (const event of client.answers.stream(body, { signal: controller.signal })) {
      if (controller.signal.aborted) return
      const last = turns.value.at(-1)!
      if (event.type === "content_delta") changeLast({ answer: last.answer + event.content })
      else if (event.type === "citation") changeLast({ citations: [...last.citations, event.citation] })
      else if (event.type === "done") {
        kept = event.conversation_id ?? null
        changeLast({ answer: event.message.content, citations: event.message.citations, state: "done" })
        void queries.invalidateQueries({ queryKey: KEPT })
      }
    }
  } catch (error) {
    if (controller.signal.aborted) return
    if (kept !== null && isMissing(error)) {
      // Deleted in another tab. This one has its turns, and goes on with them.
      kept = null
      turns.value = turns.value.slice(0, -1)
      return ask(question)
    }
    changeLast({ state: { failed: error as Error } })
  }
}

export const stop = () => {
  running?.abort()
  changeLast({ state: "stopped" })
}

export const startOver = () => {
  running?.abort()
  kept = "new"
  turns.value = []
}

/** Goes on with a conversation that the server kept. */
export const resume = async (id: string) => {
  const { turns: read } = await client.conversations.get({ id })
  startOver()
  kept = id
  turns.value = read.map(({ question, answer, citations }) => ({ question, answer, citations, state: "done" }))
}
