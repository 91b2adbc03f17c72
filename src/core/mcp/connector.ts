import * as Effect from "effect/Effect"
import { type Asker, readsDeals, readsDocuments, scopeOf } from "../answers/Asker.ts"
import { pointByUrl } from "../answers/citations/citing.ts"
import { ToolRefused } from "../answers/tools/contract.ts"
import { refusal } from "../answers/tools/readArguments.ts"
import { selectText, type TextRow } from "../answers/tools/sql.ts"
import { ViewerLinks } from "../library/viewer/ViewerLinks.ts"
import { DealRecords } from "../search/DealRecords.ts"
import { type Passage, SearchIndex } from "../search/SearchIndex.ts"
import { Database } from "../storage/Database.ts"
import { MAX_TEXT_LENGTH, parseUri, makeUri } from "./resources.ts"

/** Passages that one search reads, and documents and deals that it returns at most. */
const MAX_PASSAGES = 50
const MAX_RESULTS = 10

/** A document is named with its deal: many are called "Call.md". */
const writeTitle = (name: string, dealName: string | null) =>
  dealName === null || dealName === name ? name : `${name} (${dealName})`

const kindOf = ({ source }: Passage) => (source === "deal" ? "deals" : "documents")

/** Finds the documents and deals that have the best passages, each once. */
export const search = Effect.fnUntraced(function* (asker: Asker, { query }: { readonly query: string }) {
  const index = yield* SearchIndex
  const org = asker.organizationId
  const { passages } = yield* index.search(org, { text: query, limit: MAX_PASSAGES, scope: scopeOf(asker) })
  const best = new Map<string, Passage>()
  for (const passage of passages) {
    const id = makeUri(kindOf(passage), passage.id)
    if (best.size < MAX_RESULTS && !best.has(id)) best.set(id, passage)
  }
  const results = yield* Effect.forEach(best, ([id, passage]) =>
    Effect.map(pointByUrl(org, passage), ({ url }) => ({
      id,
      title: writeTitle(passage.name, passage.source === "deal" ? null : passage.dealName),
      url,
    })),
  )
  return { results }
})

/** Reads what `search` found: a whole document, or a deal's record. */
export const fetch = Effect.fnUntraced(function* (asker: Asker, { id }: { readonly id: string }) {
  const found = parseUri(id)
  if (found === undefined) {
    return yield* refuse(
      `id must be the id of a result of search, such as ${makeUri("documents", "doc_1")}, not '${id}'`,
    )
  }
  const item = yield* found.kind === "deals" ? readDeal(asker, found.id) : readDocument(asker, found.id)
  if (item === undefined) return yield* refuse(`nothing that this key can read has the id '${id}': search lists ids`)
  const { title, text, url, metadata } = item
  return {
    id,
    title,
    text: text.slice(0, MAX_TEXT_LENGTH),
    url,
    metadata: { ...metadata, ...(text.length > MAX_TEXT_LENGTH && { truncated_at: String(MAX_TEXT_LENGTH) }) },
  }
})

const refuse = (problem: string) => Effect.fail(new ToolRefused({ message: refusal([problem]) }))

const readDeal = Effect.fnUntraced(function* (asker: Asker, id: string) {
  const org = asker.organizationId
  const record = readsDeals(asker) ? yield* (yield* DealRecords).text(org, id) : undefined
  if (record === undefined) return undefined
  const url = yield* (yield* ViewerLinks).dealUrl(org, id)
  return { title: record.name, text: record.text, url, metadata: { type: "deal", deal_id: id, deal_name: record.name } }
})

const readDocument = Effect.fnUntraced(function* (asker: Asker, id: string) {
  const org = asker.organizationId
  const { sql, scoped } = yield* Database
  const [row] = readsDocuments(asker) ? yield* scoped<TextRow>(org, selectText(sql, id, 0, 0)) : []
  if (row === undefined || (row.deal_id !== null && !readsDeals(asker))) return undefined
  return {
    title: writeTitle(row.file_name, row.deal_name),
    text: row.body,
    url: yield* (yield* ViewerLinks).url(org, id),
    metadata: {
      type: "document",
      document_id: id,
      created_at: row.created_at,
      ...(row.deal_id !== null && { deal_id: row.deal_id, deal_name: row.deal_name ?? "" }),
      ...(row.competitor_id !== null && { competitor_id: row.competitor_id }),
    },
  }
})
