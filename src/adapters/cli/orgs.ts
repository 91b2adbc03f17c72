import * as Effect from "effect/Effect"
import { Organizations, type Plan } from "../../core/workspace/Organizations.ts"
import { print } from "./output.ts"
import { inWorkspace, Usage } from "./workspace.ts"

export const create = Effect.fnUntraced(function* (input: {
  readonly name: string
  readonly plan: Plan
  readonly json: boolean
}) {
  if (input.name.trim() === "" || input.name.includes("\0"))
    return yield* new Usage({ message: "--name must not be empty" })
  const made = yield* inWorkspace(
    Organizations.use((organizations) => organizations.create({ name: input.name.trim(), plan: input.plan })),
  )
  yield* print(input.json, made, [`${made.id}  ${made.name}  ${made.plan}`])
})
