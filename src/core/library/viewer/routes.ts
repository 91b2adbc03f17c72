import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { recordReading } from "../../access/audit/recordReading.ts"
import { BlobStore } from "../../ports/BlobStore.ts"
import { DocumentReader } from "../../ports/DocumentReader.ts"
import { Database } from "../../storage/Database.ts"
import { DealRecords } from "../../search/DealRecords.ts"
import { isMedia } from "../../ports/document.ts"
import { Documents, originalKey } from "../Documents.ts"
import { attachment } from "../../http/attachment.ts"
import { dealPage } from "./deal.ts"
import { documentPage } from "./page.ts"
import { type PartRow, partOf } from "./part.ts"
import { anchorOf, wantedOf } from "./places.ts"
import { rangeOf } from "../../http/ranges.ts"
import type { Opened } from "../../signing/Links.ts"
import type { Cited } from "./text.ts"
import { expiredPage, notFoundPage, page, revokedPage, unavailablePage } from "./shell.ts"
import { type Viewed, ViewerLinks } from "./ViewerLinks.ts"

type Shown = Opened<Viewed> & { readonly token: string; readonly query: URLSearchParams }

/** `/v/{token}`, a document or a deal, and a document's `/v/{token}/original`. The link is the permission: there is no key in a browser. */
export const viewer = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const documents = yield* Documents
    const links = yield* ViewerLinks
    const database = yield* Database
    const blobs = yield* BlobStore
    const records = yield* DealRecords
    const reader = yield* DocumentReader

    /** What the link opens, or the page that says why it opens nothing. */
    const opened = <E extends { readonly _tag: string }, R>(
      show: (found: Shown, request: HttpServerRequest) => Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>,
    ) =>
      Effect.gen(function* () {
        const request = yield* HttpServerRequest
        const { token = "" } = yield* HttpRouter.params
        const link = yield* links.open(token)
        if (typeof link === "string") return yield* REFUSED[link]
        const query = new URL(request.url, "http://viewer").searchParams
        return yield* show({ ...link, token, query }, request)
      }).pipe(
        Effect.catch(({ _tag }) => (_tag === "NotFound" || _tag === "BlobNotFound" ? notFoundPage : unavailablePage)),
      )

    const showDocument = Effect.fnUntraced(function* ({ org, id, token, passage, query }: Shown) {
      const document = yield* documents.get(org, id)
      const cited = citedIn(query) ?? passage
      const asked = { part: offset(query.get("part")), wanted: wantedOf(query.get("at") ?? "") }
      const isAsked = asked.part !== undefined || asked.wanted !== undefined
      const [part] = yield* database.scoped<PartRow>(
        org,
        partOf(database.sql, id, isAsked ? asked : { start: cited?.start }),
      )
      const media = isMedia(reader.formatOf(document.content_type))
      return yield* page(200, document.file_name, documentPage({ ...document, media }, part, cited, token), {
        parts: part?.parts ?? 1,
        at: isAsked ? undefined : anchorAt(part?.elements ?? [], cited?.start),
        script: true,
      })
    })

    const showDeal = Effect.fnUntraced(function* ({ org, id, passage, query }: Shown) {
      const record = yield* records.text(org, id)
      if (record === undefined) return yield* notFoundPage
      return yield* page(200, record.name, dealPage(record, citedIn(query) ?? passage), { script: true })
    })

    yield* router.add(
      "GET",
      "/v/:token",
      opened((found) => (found.target === "deals" ? showDeal(found) : showDocument(found))),
    )

    yield* router.add(
      "GET",
      "/v/:token/original",
      opened(
        Effect.fnUntraced(function* ({ org, id, keyHash, target, query }, { headers, method }) {
          if (target !== "documents") return yield* notFoundPage
          const document = yield* documents.get(org, id)
          const size = yield* blobs.size(originalKey(org, id))
          // Nothing here has a validator, so a range that depends on one is answered with the whole.
          const range = headers["if-range"] === undefined ? rangeOf(headers["range"], size) : undefined
          if (range === "unsatisfiable") {
            return HttpServerResponse.empty({ status: 416, headers: { "content-range": `bytes */${size}` } })
          }
          const { start, end } = range ?? { start: 0, end: size }
          if (method === "GET" && start === 0) {
            yield* recordReading(database, { org, keyHash }, "document.downloaded", id)
          }
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

const REFUSED = { unknown: notFoundPage, expired: expiredPage, revoked: revokedPage }

/** The place of what is cited: a page or a second that the link itself does not name. */
const anchorAt = (elements: PartRow["elements"] & {}, start: number | undefined) => {
  const element = start === undefined ? undefined : elements.findLast((each) => each.start <= start)
  return element && anchorOf(element.place)
}

/** A passage that the address asks for besides the link's own. */
const citedIn = (query: URLSearchParams): Cited | undefined => {
  const start = offset(query.get("start"))
  const end = offset(query.get("end"))
  return start === undefined || end === undefined ? undefined : { start, end }
}
