import * as Effect from "effect/Effect"
import type { Passage } from "../../search/SearchIndex.ts"
import { Database } from "../../storage/Database.ts"
import { readsDeals } from "../Asker.ts"
import { ToolRefused } from "./contract.ts"
import { selectText, type TextRow } from "./sql.ts"
import { ToolCaller } from "./ToolCaller.ts"

/** In UTF-16 units. */
const MAX_LENGTH = 6000

/** Reads a part of a document, which ends at the end of a line if it can. A document of a deal needs the permission to read deals. */
export const readDocument = Effect.fnUntraced(function* (id: string, start: number) {
  const { asker } = yield* ToolCaller
  const { scoped, sql } = yield* Database
  const [row] = yield* scoped<TextRow>(asker.organizationId, selectText(sql, id, start, start + MAX_LENGTH))
  if (row === undefined || (row.deal_id !== null && !readsDeals(asker))) {
    return yield* new ToolRefused({
      message: `no such document: '${id}', or it has no text yet; get_assets lists documents`,
    })
  }
  const { body } = row
  if (start > 0 && start >= body.length) {
    return yield* new ToolRefused({
      message: `the document ends at ${body.length}; give a start below it, not ${start}`,
    })
  }
  const whole = body.slice(start, start + MAX_LENGTH)
  const lastLine = start + MAX_LENGTH < body.length ? whole.lastIndexOf("\n") : -1
  const text = lastLine > MAX_LENGTH / 2 ? whole.slice(0, lastLine + 1) : whole
  const passage: Passage = {
    source: "document",
    id,
    name: row.file_name,
    dealId: row.deal_id,
    dealName: row.deal_name,
    competitorId: row.competitor_id,
    createdAt: row.created_at,
    n: 0,
    start,
    end: start + text.length,
    text,
    headings: [],
    place: { kind: "text" },
    places: row.places,
    tables: row.tables,
    score: 0,
  }
  return { passage, length: body.length }
})
