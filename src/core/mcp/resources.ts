import * as Effect from "effect/Effect"
import { Documents } from "../library/Documents.ts"
import { DealRecords } from "../search/DealRecords.ts"
import { Database } from "../storage/Database.ts"
import { CODES, RpcError } from "./messages.ts"

const PAGE_SIZE = 100

/** In UTF-16 units. Longer texts are cut; the search tools reach the rest. */
export const MAX_TEXT_LENGTH = 500_000

const URI = /^sightline:\/\/(documents|deals)\/([^/?#]{1,200})$/

type Kind = "documents" | "deals"

export const makeUri = (kind: Kind, id: string): string => `sightline://${kind}/${encodeURIComponent(id)}`

/** Undefined for a text that is no URI of ours. */
export const parseUri = (uri: string): { readonly kind: Kind; readonly id: string } | undefined => {
  const [, kind, encoded = ""] = URI.exec(uri) ?? []
  try {
    const id = decodeURIComponent(encoded)
    return kind === undefined || id.includes("\0") ? undefined : { kind: kind as Kind, id }
  } catch {
    return undefined
  }
}

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

  const readText = Effect.fnUntraced(function* (org: string, kind: Kind, id: string) {
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
            uri: makeUri("documents", id),
            name: file_name,
            description: type === "intel" ? "external intelligence" : "sales material, or a document of a deal",
            mimeType: "text/plain",
            annotations: { lastModified: updated_at },
          })),
        ...(page.next_cursor !== null && { nextCursor: page.next_cursor }),
      }
    }),

    read: Effect.fnUntraced(function* (org: string, uri: string) {
      const named = parseUri(uri)
      const text = named === undefined ? undefined : yield* readText(org, named.kind, named.id)
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
