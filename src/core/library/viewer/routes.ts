import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { BlobStore } from "../../ports/BlobStore.ts"
import { DocumentReader } from "../../ports/DocumentReader.ts"
import { Database } from "../../storage/Database.ts"
import { DealRecords } from "../../search/DealRecords.ts"
import { isMedia } from "../document.ts"
import { Documents, originalKey } from "../Documents.ts"
import { attachment } from "../original.ts"
import { dealPage } from "./deal.ts"
import { documentPage } from "./page.ts"
import { type PartRow, partOf } from "./part.ts"
import { wantedOf } from "./places.ts"
import { rangeOf } from "./ranges.ts"
import type { Cited } from "./text.ts"
import { expiredPage, notFoundPage, page, unavailablePage } from "./shell.ts"
import { type Viewed, ViewerLinks } from "./ViewerLinks.ts"

/** `/viewer/documents/{id}` and its original, and `/viewer/deals/{id}`. The link's signature is the permission: there is no key in a browser. */
export const viewer = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const documents = yield* Documents
    const links = yield* ViewerLinks
    const database = yield* Database
    const blobs = yield* BlobStore
    const records = yield* DealRecords
    const reader = yield* DocumentReader

    /** Whose page the link opens, or the page that says why it opens none. */
    const opened = <E extends { readonly _tag: string }, R>(
      viewed: Viewed,
      show: (
        found: { readonly org: string; readonly id: string; readonly query: URLSearchParams },
        request: HttpServerRequest,
      ) => Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>,
    ) =>
      Effect.gen(function* () {
        const request = yield* HttpServerRequest
        const { id = "" } = yield* HttpRouter.params
        const query = new URL(request.url, "http://viewer").searchParams
        const link = yield* links.verify(id, query, viewed)
        if (link === "forged") return yield* notFoundPage
        if (link === "expired") return yield* expiredPage
        return yield* Effect.catch(show({ org: link.org, id, query }, request), ({ _tag }) =>
          _tag === "NotFound" || _tag === "BlobNotFound" ? notFoundPage : unavailablePage,
        )
      })

    yield* router.add(
      "GET",
      "/viewer/documents/:id",
      opened(
        "documents",
        Effect.fnUntraced(function* ({ org, id, query }) {
          const document = yield* documents.get(org, id)
          const cited = citedIn(query)
          const [part] = yield* database.scoped<PartRow>(
            org,
            partOf(database.sql, id, {
              part: offset(query.get("part")),
              start: offset(query.get("start")),
              wanted: wantedOf(query.get("at") ?? ""),
            }),
          )
          return yield* page(
            200,
            document.file_name,
            documentPage({ ...document, media: isMedia(reader.formatOf(document.content_type)) }, part, cited, query),
            {
              parts: part?.parts ?? 1,
              script: true,
            },
          )
        }),
      ),
    )

    yield* router.add(
      "GET",
      "/viewer/deals/:id",
      opened(
        "deals",
        Effect.fnUntraced(function* ({ org, id, query }) {
          const record = yield* records.text(org, id)
          if (record === undefined) return yield* notFoundPage
          return yield* page(200, record.name, dealPage(record, citedIn(query)), { script: true })
        }),
      ),
    )

    yield* router.add(
      "GET",
      "/viewer/documents/:id/original",
      opened(
        "documents",
        Effect.fnUntraced(function* ({ org, id, query }, { headers }) {
          const document = yield* documents.get(org, id)
          const size = yield* blobs.size(originalKey(org, id))
          // Nothing here has a validator, so a range that depends on one is answered with the whole.
          const range = headers["if-range"] === undefined ? rangeOf(headers["range"], size) : undefined
          if (range === "unsatisfiable") {
            return HttpServerResponse.empty({ status: 416, headers: { "content-range": `bytes */${size}` } })
          }
          const { start, end } = range ?? { start: 0, end: size }
          return HttpServerResponse.stream(yield* blobs.get(originalKey(org, id), { start, end }), {
            status: range === undefined ? 200 : 206,
            contentType: document.content_type,
            contentLength: end - start,
            headers: {
              ...attachment(document),
              ...(isMedia(reader.formatOf(document.content_type)) &&
                !query.has("download") && { "content-disposition": "inline" }),
              ...(range !== undefined && { "content-range": `bytes ${start}-${end - 1}/${size}` }),
              "accept-ranges": "bytes",
              "cache-control": "private, max-age=300, no-transform",
              "referrer-policy": "no-referrer",
              "x-robots-tag": "noindex, nofollow",
            },
          })
        }),
      ),
    )
  }),
)

/** A number of the address that can be an offset; whatever else stands there is as if it were not. */
const offset = (text: string | null) => (text !== null && /^\d{1,9}$/.test(text) ? Number(text) : undefined)

/** The passage that is marked. */
const citedIn = (query: URLSearchParams): Cited | undefined => {
  const start = offset(query.get("start"))
  const end = offset(query.get("end"))
  return start === undefined || end === undefined ? undefined : { start, end }
}
