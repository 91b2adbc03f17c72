import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { Asker } from "../answers/Asker.ts"
import type { ResponseEvent } from "../answers/events.ts"
import { describeWithheld } from "../answers/withheld.ts"
import { Responses } from "../answers/Responses.ts"
import { DatabaseUnavailable } from "../ports/DatabaseUnavailable.ts"
import { requestChoice } from "./choice.ts"
import type { Notify } from "./Mcp.ts"

/** Answers a question, or requests which of its readings is meant. Reports progress with each piece of the answer. */
export const ask = Effect.fnUntraced(function* (
  asker: Asker,
  { question }: { readonly question: string },
  {
    progressToken,
    notify,
    mayRequest,
  }: { readonly progressToken: unknown; readonly notify: Notify; readonly mayRequest: boolean },
) {
  const responses = yield* Responses
  const events = yield* responses.stream(asker, [{ role: "user", content: question }], [])
  let progress = 0
  let last: ResponseEvent | undefined
  yield* Stream.runForEach(events, (event) => {
    last = event
    if (event.type !== "content_delta" || progressToken === undefined) return Effect.void
    const params = { progressToken, progress: ++progress }
    return notify({ jsonrpc: "2.0", method: "notifications/progress", params })
  })
  if (last?.type === "error" && last.error.code === "service_unavailable")
    return yield* new DatabaseUnavailable({ message: last.error.message })
  if (last?.type !== "done") return yield* Effect.die("the answer had no end")
  const { message, tool_calls } = last
  const { content, citations, withheld } = message
  const request = mayRequest ? requestChoice(content) : undefined
  if (request !== undefined) return request
  const note = withheld === undefined ? "" : `\n\n${describeWithheld(withheld)}`
  return {
    content: [{ type: "text", text: content + note }],
    structuredContent: { answer: content, citations, ...(withheld !== undefined && { withheld }), tool_calls },
  }
}, Effect.scoped)
