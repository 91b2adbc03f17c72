import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { Audit } from "../audit/Audit.ts"
import { Gone, NotFound } from "../http/errors/errors.ts"
import { attachment } from "../http/replies/attachment.ts"
import { parseRange } from "../http/replies/ranges.ts"
import { BlobStore } from "../ports/BlobStore.ts"
import { mapBlobErrors } from "../http/errors/blobs.ts"
import { DownloadLinks } from "./DownloadLinks.ts"
import { Exports, formatOf } from "./Exports.ts"
import { FORMATS } from "./options.ts"

/** `/exports/{token}` serves an export's file. The signed link is the permission. */
export const downloads = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const exports = yield* Exports
    const links = yield* DownloadLinks
    const blobs = yield* BlobStore
    const audit = yield* Audit

    yield* router.add(
      "GET",
      "/exports/:token",
      Effect.gen(function* () {
        const { headers, method } = yield* HttpServerRequest
        const { token = "" } = yield* HttpRouter.params
        const link = yield* links.open(token)
        if (typeof link === "string") return yield* LINK_ERRORS[link]
        const { file, file_size: size, sha256, completed_at } = yield* exports.file(link.org, link.id)
        const format = formatOf(file)
        const etag = `"${sha256}"`
        const isSame = headers["if-range"] === undefined || headers["if-range"] === etag
        const range = isSame ? parseRange(headers["range"], size) : undefined
        if (range === "unsatisfiable") {
          return HttpServerResponse.empty({ status: 416, headers: { "content-range": `bytes */${size}` } })
        }
        const { start, end } = range ?? { start: 0, end: size }
        // The audit log counts a resumed download once.
        if (method === "GET" && start === 0) yield* audit.recordReading(link, "export.downloaded", link.id)
        return HttpServerResponse.stream(yield* blobs.get(file, { start, end }), {
          status: range === undefined ? 200 : 206,
          contentType: FORMATS[format].contentType,
          contentLength: end - start,
          headers: {
            ...attachment({ file_name: `deals-${completed_at.slice(0, 10)}.${format}` }),
            ...(range !== undefined && { "content-range": `bytes ${start}-${end - 1}/${size}` }),
            etag,
            "accept-ranges": "bytes",
            "cache-control": "private, max-age=300, no-transform",
            "referrer-policy": "no-referrer",
            "x-robots-tag": "noindex, nofollow",
          },
        })
      }).pipe(mapBlobErrors),
    )
  }),
)

const LINK_ERRORS = {
  unknown: new NotFound({ message: "this path does not exist; use the export's download_url" }),
  expired: new Gone({
    message: "this link to the download has expired; ask for the export again, whose file is kept for 7 days",
  }),
  revoked: new Gone({
    message: "the key that asked for this download was revoked or has expired; ask for a link with another key",
  }),
}
