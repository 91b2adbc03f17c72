import * as Effect from "effect/Effect"
import { replaceText } from "../../src/core/library/writing.ts"
import { Database } from "../../src/core/storage/Database.ts"

/** A document as consecutive chunks. Its name is its id. */
export interface Source {
  readonly name: string
  readonly chunks: ReadonlyArray<string>
  readonly type?: "asset" | "intel"
  readonly competitorId?: string
  readonly dealId?: string
  readonly createdAt?: string
}

/** Adds documents in the state after their run. An existing one gets new chunks. */
export const addDocuments = Effect.fnUntraced(function* (org: string, documents: ReadonlyArray<Source>) {
  const database = yield* Database
  const { sql } = database
  for (const { name, chunks, type = "intel", competitorId = null, dealId = null, createdAt } of documents) {
    const text = chunks.join("\n\n")
    const place = { kind: "text" } as const
    let end = -2
    const placed = chunks.map((chunk) => {
      const start = end + 2
      end = start + chunk.length
      return { start, end, text: chunk, headings: [], place, places: [{ start, end, place }], tables: [] }
    })
    const row = {
      org_id: org,
      id: name,
      type,
      source: "api",
      file_name: name,
      content_type: "text/plain",
      competitor_id: competitorId,
      deal_id: dealId,
      created_at: createdAt ?? "2026-01-01T00:00:00Z",
    }
    yield* database.transaction(
      org,
      Effect.gen(function* () {
        yield* sql`select set_config('plan_cache_mode', 'auto', true)`
        yield* sql`insert into documents ${sql.insert(row)} on conflict do nothing`
        yield* replaceText(sql, org, name, { text, elements: [], chunks: placed, warnings: [] })
      }),
    )
  }
})
