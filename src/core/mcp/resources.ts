import * as Effect from "effect/Effect"
import { Documents } from "../library/Documents.ts"
import { DealRecords } from "../search/DealRecords.ts"
import { Database } from "../storage/Database.ts"
import { CODES, RpcError } from "./messages.ts"

const PAGE_SIZE = 100

/** In UTF-16 units. Longer texts are cut; the search tools reach the rest. */
const MAX_TEXT_LENGTH = 500_000

const URI = /^sightline:\/\/(documents|deals)\/([^/?#]{1,200})$/

export const TEMPLATES = [
  {
    uriTemplate: "sightline://documents/{id}",
    name: "document",
    title: "Document",
    description: "The text of a document or transcript, by its id from tools and citations",
    mimeType: "text/plain",
  },
  {
    uriTemplate: "sightline://deals/{id}",
    name: "deal",
    title: "Deal",
    description: "A deal's record as text, by its id",
    mimeType: "text/plain",
  },
]

/** Documents and deal records as MCP resources. */
export const makeResources = Effect.gen(function* () {
  const database = yield* Database
  const documents = yield* Documents
  const records = yield* DealRecords

  const textOf = Effect.fnUntraced(function* (org: string, kind: string, id: string) {
    if (kind === "deals") return (yield* records.text(org, id))?.text
    const [row] = yield* database.scoped<{ body: string }>(
      org,
      database.sql`select body from document_texts where org_id = scope.org and document_id = ${id}`,
    )
    return row?.body
  })

  return {
    list: Effect.fnUntraced(function* (org: string, cursor: string | undefined) {
      const page = yield* Effect.catchTag(documents.list(org, {}, { size: PAGE_SIZE, cursor }), "BadRequest", () =>
        Effect.fail(new RpcError({ code: CODES.params, message: "the cursor is not from an earlier reply" })),
      )
      // A document that is being read again keeps its previous text.
      const ids = page.data.map(({ id }) => id)
      const withText = yield* database.scoped<{ id: string }>(
        org,
        database.sql`select document_id as id from document_texts
          where org_id = scope.org and document_id = any(${ids}::text[])`,
      )
      const readable = new Set(withText.map(({ id }) => id))
      return {
        resources: page.data
          .filter(({ id }) => readable.has(id))
          .map(({ id, file_name, type, updated_at }) => ({
            uri: `sightline://documents/${encodeURIComponent(id)}`,
            name: file_name,
            description: type === "intel" ? "external intelligence" : "sales material, or a document of a deal",
            mimeType: "text/plain",
            annotations: { lastModified: updated_at },
          })),
        ...(page.next_cursor !== null && { nextCursor: page.next_cursor }),
      }
    }),

    read: Effect.fnUntraced(function* (org: string, uri: string) {
      const [, kind = "", encoded = ""] = URI.exec(uri) ?? []
      const id = yield* Effect.orElseSucceed(
        Effect.try(() => decodeURIComponent(encoded)),
        () => "",
      )
      const text = id === "" || id.includes("\0") ? undefined : yield* textOf(org, kind, id)
      if (text === undefined) {
        return yield* new RpcError({ code: CODES.resource, message: "this resource does not exist", data: { uri } })
      }
      const isCut = text.length > MAX_TEXT_LENGTH
      return {
        contents: [
          {
            uri,
            mimeType: "text/plain",
            text: isCut ? text.slice(0, MAX_TEXT_LENGTH) : text,
            ...(isCut && { _meta: { "sightline/truncated": true, "sightline/length": text.length } }),
          },
        ],
      }
    }),
  }
})
