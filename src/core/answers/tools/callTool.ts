import * as AiError from "effect/ai/AiError"
import type * as Toolkit from "effect/ai/Toolkit"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { DatabaseUnavailable } from "../../storage/Database.ts"
import { type ToolName, TOOL_NAMES } from "../Answerer.ts"
import { ToolRefused, type Tools } from "./contract.ts"
import { ToolCaller } from "./ToolCaller.ts"

export const isToolName = (name: string): name is ToolName => TOOL_NAMES.some((known) => known === name)

/** What a tool answered, as JSON; `found` says how many items. */
interface ToolAnswer {
  readonly found: number
  readonly [field: string]: unknown
}

/** Calls a tool for a caller. A misspelt argument is refused: it must never widen a search silently. */
export const callTool = Effect.fnUntraced(function* (
  toolkit: Toolkit.WithHandler<Tools>,
  caller: ToolCaller["Service"],
  name: ToolName,
  args: unknown,
) {
  const answers = toolkit
    .handle(name, args as never, undefined, { onExcessProperty: "error", errors: "all" })
    .pipe(Stream.unwrap, Stream.runLast, Effect.provideService(ToolCaller, caller))
  const answer = yield* Effect.catch(answers, (error) => {
    if (error instanceof ToolRefused || error instanceof DatabaseUnavailable) return Effect.fail(error)
    return AiError.isAiError(error) && error.reason._tag === "ToolParameterValidationError"
      ? Effect.fail(new ToolRefused({ message: `the arguments do not fit: ${error.reason.description}` }))
      : Effect.die(error)
  })
  if (answer._tag === "None") return yield* Effect.die(`${name} answered nothing`)
  return answer.value.encodedResult as ToolAnswer
})
