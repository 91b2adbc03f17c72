import type * as Toolkit from "effect/ai/Toolkit"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { badRequest } from "../../http/validation.ts"
import { DatabaseUnavailable } from "../../ports/DatabaseUnavailable.ts"
import { refusal } from "../../access/permissions.ts"
import { type ToolName, TOOL_NAMES } from "./names.ts"
import { lackedFor } from "../Asker.ts"
import { ToolRefused, type Tools, TOOLS } from "./contract.ts"
import { ToolCaller } from "./ToolCaller.ts"

export const isToolName = (name: string): name is ToolName => TOOL_NAMES.some((known) => known === name)

/** What a tool answered, as JSON; `found` says how many items. */
interface ToolAnswer {
  readonly found: number
  readonly [field: string]: unknown
}

const PARSING = { errors: "all", onExcessProperty: "error", reportInput: true } as const

/** Calls a tool for a caller, with the caller's permissions. A misspelt argument is refused: it must never widen a search silently. */
export const callTool = Effect.fnUntraced(function* (
  toolkit: Toolkit.WithHandler<Tools>,
  caller: ToolCaller["Service"],
  name: ToolName,
  args: unknown,
) {
  const [lacked] = lackedFor(caller.asker, name)
  if (lacked !== undefined) return yield* new ToolRefused({ message: refusal(caller.asker, lacked) })
  const decoded = Schema.decodeUnknownResult(TOOLS.tools[name].parametersSchema as Schema.Codec<unknown>, PARSING)(args)
  if (Result.isFailure(decoded)) {
    return yield* new ToolRefused({ message: badRequest({ issue: decoded.failure.issue }, "arguments").message })
  }
  const answers = toolkit
    .handle(name, args as never, undefined, PARSING)
    .pipe(Stream.unwrap, Stream.runLast, Effect.provideService(ToolCaller, caller))
  const answer = yield* Effect.catch(answers, (error) => {
    if (error instanceof ToolRefused || error instanceof DatabaseUnavailable) return Effect.fail(error)
    return Effect.die(error)
  })
  if (answer._tag === "None") return yield* Effect.die(`${name} answered nothing`)
  return answer.value.encodedResult as ToolAnswer
})
