import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { SqlClient } from "effect/sql/SqlClient"
import { layerLexical } from "../../src/core/search/layerLexical.ts"
import { SearchIndex } from "../../src/core/search/SearchIndex.ts"
import { Database } from "../../src/core/storage/Database.ts"
import { Organizations } from "../../src/core/catalogue/Organizations.ts"
import { addDocuments, type Source } from "../../test/support/addDocuments.ts"
import { layerOrganizations } from "../../test/support/organizations.ts"

type Services = Database | Organizations | SearchIndex

/** Runs `use` with search over a database. */
export const withIndex = <A, E>(
  database: Layer.Layer<SqlClient, E>,
  use: Effect.Effect<A, unknown, Services>,
): Promise<A> =>
  Effect.runPromise(
    Effect.provide(
      use,
      Layer.merge(layerLexical, layerOrganizations).pipe(Layer.provideMerge(Database.layer), Layer.provide(database)),
    ),
  )

/** Makes an organization with these documents. Returns its id. */
export const workspaceOf = Effect.fnUntraced(function* (documents: ReadonlyArray<Source>) {
  const { id } = yield* (yield* Organizations).create({ name: "Bench", plan: "enterprise" })
  yield* addDocuments(id, documents)
  return id
})

export const searched = (org: string, text: string) =>
  Effect.flatMap(SearchIndex, (index) => index.search(org, { text, limit: 10 }))

/** The median and the 95th percentile. */
export const spreadOf = (values: ReadonlyArray<number>) => {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (part: number) => sorted[Math.floor((sorted.length - 1) * part)] ?? 0
  return { median: at(0.5), slow: at(0.95) }
}
