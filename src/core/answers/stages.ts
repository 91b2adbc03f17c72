import * as Effect from "effect/Effect"
import { Database } from "../storage/Database.ts"

/** A stage of deals, as prompts describe it. */
export interface Stage {
  readonly name: string
  readonly category: string
}

/** The first stages of the workspace, in order. */
export const readStages = Effect.fnUntraced(function* (org: string) {
  const { scoped, sql } = yield* Database
  return yield* scoped<Stage>(
    org,
    sql`select name, category from stages where org_id = scope.org order by position, name limit 50`,
  )
})

export const describeStages = (stages: ReadonlyArray<Stage>): string =>
  stages.map(({ name, category }) => `${name} (${category})`).join(", ")
