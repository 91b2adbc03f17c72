import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { allows, type Grant } from "../../access/permissions.ts"
import { Audit } from "../../audit/Audit.ts"
import { BlobStore } from "../../ports/BlobStore.ts"
import { DocumentReader } from "../../ports/DocumentReader.ts"
import { DealRecords } from "../../search/DealRecords.ts"
import { isMedia } from "../../ports/document.ts"
import { Documents, originalKey } from "../Documents.ts"
import { attachment } from "../../http/replies/attachment.ts"
import { DealFindings, type ShownFinding } from "./DealFindings.ts"
import { dealPage } from "./deal.ts"
import { documentPage } from "./page.ts"
import type { PartRow } from "./part.ts"
import { findIn, makePassages } from "./passages.ts"
import { makePictures } from "./pictures.ts"
import { formatAnchor, parseAnchor } from "./places.ts"
import { parseRange } from "../../http/replies/ranges.ts"
import type { Opened } from "../../signing/Links.ts"
import type { Cited } from "./picture.ts"
import { notFoundPage, page, REFUSAL_PAGES, unavailablePage } from "./shell.ts"
import { type Viewed, ViewerLinks } from "./ViewerLinks.ts"

type OpenedLink = Opened<Viewed> & { readonly token: string; readonly query: URLSearchParams }

/** Serves `/v/{token}`, a document or a deal, and of a document `/v/{token}/original` and `/v/{token}/pages/{page}`, a picture. The link replaces the key, which a browser does not have. */
export const viewer = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const documents = yield* Documents
    const links = yield* ViewerLinks
    const audit = yield* Audit
    const blobs = yield* BlobStore
    const records = yield* DealRecords
    const findings = yield* DealFindings
    const reader = yield* DocumentReader
    const pictures = yield* makePictures
    const showPassage = yield* makePassages

    /** Shows what the link opens, or a page that says why it does not open. */
    const openLink = <E extends { readonly _tag: string }, R>(
      show: (
        found: OpenedLink,
        request: HttpServerRequest,
      ) => Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>,
    ) =>
      Effect.gen(function* () {
        const request = yield* HttpServerRequest
        const { token = "" } = yield* HttpRouter.params
        const link = yield* links.open(token)
        if (typeof link === "string") return yield* REFUSAL_PAGES[link]
        const query = new URL(request.url, "http://viewer").searchParams
        return yield* show({ ...link, token, query }, request)
      }).pipe(
        Effect.catch(({ _tag }) =>
          _tag === "NotFound" || _tag === "BlobNotFound" || _tag === "UnreadableDocument"
            ? notFoundPage
            : unavailablePage,
        ),
      )

    const showDocument = Effect.fnUntraced(function* (opened: OpenedLink) {
      const { org, id, token, passage, query } = opened
      const document = yield* documents.get(org, id)
      const asked = { part: parseOffset(query.get("part")), wanted: parseAnchor(query.get("at") ?? "") }
      const isAsked = asked.part !== undefined || asked.wanted !== undefined
      const { part, cited, lost } = yield* showPassage(
        { org, id, reading: document.updated_at },
        parseCited(query) ?? passage,
        isAsked ? asked : undefined,
      )
      const media = isMedia(reader.formatOf(document.content_type))
      const newer = document.replaced_by === null ? undefined : yield* links.within(opened, document.replaced_by)
      const body = documentPage({ ...document, media, newer, lost }, part, cited, token)
      return yield* page(200, document.file_name, body, {
        parts: part?.parts ?? 1,
        at: isAsked ? undefined : anchorAt(part?.elements ?? [], cited?.start),
        script: true,
      })
    })

    const showDeal = Effect.fnUntraced(function* (opened: OpenedLink) {
      const { org, id, passage, query, grant } = opened
      const record = yield* records.text(org, id)
      if (record === undefined) return yield* notFoundPage
      const readsDocuments = grant === undefined || allows(grant as Grant, "documents.read")
      const found = yield* Effect.forEach(yield* findings.of(org, id), (each) =>
        Effect.map(
          readsDocuments ? links.within(opened, each.document_id, sourced(each)) : Effect.undefined,
          (link) => ({
            ...each,
            link,
          }),
        ),
      )
      const cited = parseCited(query) ?? findIn([{ text: record.text, start: 0 }], passage)
      return yield* page(200, record.name, dealPage(record, cited, found), { script: true })
    })

    yield* router.add(
      "GET",
      "/v/:token",
      openLink((found) => (found.target === "deals" ? showDeal(found) : showDocument(found))),
    )

    yield* router.add(
      "GET",
      "/v/:token/original",
      openLink(
        Effect.fnUntraced(function* ({ org, id, keyHash, target, query }, { headers, method }) {
          if (target !== "documents") return yield* notFoundPage
          const document = yield* documents.get(org, id)
          const size = yield* blobs.size(originalKey(org, id))
          // Originals have no validators, so a range with If-Range gets the whole file.
          const range = headers["if-range"] === undefined ? parseRange(headers["range"], size) : undefined
          if (range === "unsatisfiable") {
            return HttpServerResponse.empty({ status: 416, headers: { "content-range": `bytes */${size}` } })
          }
          const { start, end } = range ?? { start: 0, end: size }
          if (method === "GET" && start === 0) {
            yield* audit.recordReading({ org, keyHash }, "document.downloaded", id)
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

    yield* router.add(
      "GET",
      "/v/:token/pages/:page",
      openLink(
        Effect.fnUntraced(function* ({ org, id, target }) {
          const { page = "" } = yield* HttpRouter.params
          const number = parseOffset(page)
          if (target !== "documents" || number === undefined) return yield* notFoundPage
          const { content_type } = yield* documents.get(org, id)
          const picture = yield* pictures.draw(org, id, content_type, number)
          return HttpServerResponse.uint8Array(picture.bytes, {
            contentType: picture.type,
            headers: {
              "cache-control": "private, max-age=86400",
              "referrer-policy": "no-referrer",
              "x-content-type-options": "nosniff",
              "x-robots-tag": "noindex, nofollow",
            },
          })
        }),
      ),
    )
  }),
)

/** The quote of a finding, to link to. */
const sourced = ({ start, end, quote }: ShownFinding) => ({ start, end, source: { text: quote, start } })

/** Ignores what is not a number. */
const parseOffset = (text: string | null) => (text !== null && /^\d{1,9}$/.test(text) ? Number(text) : undefined)

/** The anchor of the cited passage, which the link does not name. */
const anchorAt = (elements: PartRow["elements"] & {}, start: number | undefined) => {
  const element = start === undefined ? undefined : elements.findLast((each) => each.start <= start)
  return element && formatAnchor(element.place)
}

/** A passage in the query, which takes precedence over the link's own. */
const parseCited = (query: URLSearchParams): Cited | undefined => {
  const start = parseOffset(query.get("start"))
  const end = parseOffset(query.get("end"))
  return start === undefined || end === undefined ? undefined : { start, end }
}
