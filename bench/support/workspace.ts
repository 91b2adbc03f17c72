import * as Effect from "effect/Effect"
import { replaceText } from "../../src/core/library/sql.ts"
import { Database } from "../../src/core/storage/Database.ts"
import type { Source } from "./retrieval.ts"

/** Adds documents as they are after reading. */
export const addDocuments = Effect.fnUntraced(function* (org: string, documents: ReadonlyArray<Source>) {
  const database = yield* Database
  const { sql } = database
  for (const { name, chunks } of documents) {
    let end = -2
    const placed = chunks.map((text) => {
      const start = end + 2
      end = start + text.length
      const place = { kind: "text" } as const
      return { start, end, text, headings: [], place, places: [{ start, end, place }] }
    })
    yield* database.transaction(
      org,
      Effect.gen(function* () {
        yield* sql`select set_config('plan_cache_mode', 'auto', true)`
        yield* sql`insert into documents ${sql.insert({ org_id: org, id: name, type: "intel", source: "api", file_name: name, content_type: "text/plain" })}`
        const text = chunks.join("\n\n")
        yield* Effect.forEach(
          replaceText(sql, org, name, { text, starts: [], chunks: placed }, { elements: [], warnings: [] }),
          (statement) => statement,
        )
      }),
    )
  }
})
