import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import { DatabaseUnavailable } from "../../ports/DatabaseUnavailable.ts"
import { asHeavy } from "../../storage/CurrentClass.ts"
import { explainRefusal } from "../../access/permissions.ts"
import { type ToolName, TOOL_NAMES } from "./names.ts"
import { missingPermissions } from "../Asker.ts"
import { Arguments, ToolRefused, TOOLS } from "./contract.ts"
import { readArguments } from "./readArguments.ts"
import { ToolCaller } from "./ToolCaller.ts"

export const isToolName = (name: string): name is ToolName => TOOL_NAMES.some((known) => known === name)

/** The result of a tool as JSON. `found` counts its items. */
interface ToolAnswer {
  readonly found: number
  readonly [field: string]: unknown
}

/**
 * Calls a tool with the caller's permissions. Accepts arguments in the forms of `readArguments`, and refuses unknown ones: a misspelt
 * filter must not widen a search silently.
 */
export const callTool = Effect.fnUntraced(function* (caller: ToolCaller["Service"], name: ToolName, given: unknown) {
  const toolkit = yield* TOOLS
  const [missing] = missingPermissions(caller.asker, name)
  if (missing !== undefined) return yield* new ToolRefused({ message: explainRefusal(caller.asker, missing) })
  const args = readArguments(Context.getUnsafe(TOOLS.tools[name].annotations, Arguments), given)
  if (Result.isFailure(args)) return yield* new ToolRefused({ message: args.failure })
  const answers = toolkit
    .handle(name, args.success as never)
    .pipe(Stream.unwrap, Stream.runLast, Effect.provideService(ToolCaller, caller))
  const answer = yield* Effect.catch(answers, (error) => {
    if (error instanceof ToolRefused || error instanceof DatabaseUnavailable) return Effect.fail(error)
    return Effect.die(error)
  })
  if (answer._tag === "None") return yield* Effect.die(`${name} returned nothing`)
  return answer.value.encodedResult as ToolAnswer
}, asHeavy)
