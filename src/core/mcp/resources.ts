import * as Effect from "effect/Effect"
import { Documents } from "../library/Documents.ts"
import { DealRecords } from "../search/DealRecords.ts"
import { Database } from "../storage/Database.ts"
import { CODES, RpcError } from "./messages.ts"

const PAGE = 100

/** Of a text, in UTF-16 units; what is beyond is left to the search tools. */
const LONGEST = 500_000

const URI = /^sightline:\/\/(documents|deals)\/([^/?#]{1,200})$/

export const TEMPLATES = [
  {
    uriTemplate: "sightline://documents/{id}",
    name: "document",
    title: "Document",
    description: "The text of a document or transcript, by the id that tools and citations give",
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

/** Documents, and records of deals, as resources of MCP. */
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
      const page = yield* Effect.catchTag(documents.list(org, {}, { size: PAGE, cursor }), "BadRequest", () =>
        Effect.fail(new RpcError({ code: CODES.params, message: "the cursor is not from an earlier reply" })),
      )
      // Those that are being read anew are served as they were.
      const ids = page.data.map(({ id }) => id)
      const read = yield* database.scoped<{ id: string }>(
        org,
        database.sql`select document_id as id from document_texts
          where org_id = scope.org and document_id = any(${ids}::text[])`,
      )
      const has = new Set(read.map(({ id }) => id))
      return {
        resources: page.data
          .filter(({ id }) => has.has(id))
          .map(({ id, file_name, type, updated_at }) => ({
            uri: `sightline://documents/${encodeURIComponent(id)}`,
            name: file_name,
            description: type === "intel" ? "intelligence from outside" : "sales material, or a deal's document",
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
      const cut = text.length > LONGEST
      return {
        contents: [
          {
            uri,
            mimeType: "text/plain",
            text: cut ? text.slice(0, LONGEST) : text,
            ...(cut && { _meta: { "sightline/truncated": true, "sightline/length": text.length } }),
          },
        ],
      }
    }),
  }
})
