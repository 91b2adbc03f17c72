import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { badRequest } from "../../http/validation.ts"
import { DatabaseUnavailable } from "../../ports/DatabaseUnavailable.ts"
import { asHeavy } from "../../storage/CurrentClass.ts"
import { explainRefusal } from "../../access/permissions.ts"
import { type ToolName, TOOL_NAMES } from "./names.ts"
import { missingPermissions } from "../Asker.ts"
import { ToolRefused, TOOLS } from "./contract.ts"
import { ToolCaller } from "./ToolCaller.ts"

export const isToolName = (name: string): name is ToolName => TOOL_NAMES.some((known) => known === name)

/** The result of a tool as JSON. `found` counts its items. */
interface ToolAnswer {
  readonly found: number
  readonly [field: string]: unknown
}

const PARSING = { errors: "all", onExcessProperty: "error", reportInput: true } as const

/** Calls a tool with the caller's permissions. Refuses unknown arguments: a misspelt filter must not widen a search silently. */
export const callTool = Effect.fnUntraced(function* (caller: ToolCaller["Service"], name: ToolName, args: unknown) {
  const toolkit = yield* TOOLS
  const [missing] = missingPermissions(caller.asker, name)
  if (missing !== undefined) return yield* new ToolRefused({ message: explainRefusal(caller.asker, missing) })
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
  if (answer._tag === "None") return yield* Effect.die(`${name} returned nothing`)
  return answer.value.encodedResult as ToolAnswer
}, asHeavy)
