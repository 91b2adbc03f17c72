import type { Database } from "../storage/Database.ts"

/** A stage of deals, as a model is told of it. */
export interface Stage {
  readonly name: string
  readonly category: string
}

/** The workspace's stages, in their order. */
export const stagesOf = (database: Database["Service"], org: string) =>
  database.scoped<Stage>(
    org,
    database.sql`select name, category from stages where org_id = scope.org order by position, name limit 50`,
  )

export const named = (stages: ReadonlyArray<Stage>): string =>
  stages.map(({ name, category }) => `${name} (${category})`).join(", ")
