import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Base64Url from "effect/encoding/Base64Url"
import * as HttpBody from "effect/http/HttpBody"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { compressOnce } from "../http/replies/compression.ts"

/** How long a cache serves its copy without revalidating. */
const MAX_AGE_SECONDS = 300

/** Makes a reply with the same bytes for every request: compressed once, and 304 for a caller that has them. */
export const makeStaticReply = Effect.fnUntraced(function* (
  content: string | Uint8Array,
  { "content-type": contentType, ...headers }: Readonly<Record<string, string>>,
) {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content
  const digest = yield* Effect.promise(() => crypto.subtle.digest("SHA-256", bytes as Uint8Array<ArrayBuffer>))
  // Weak, because all encodings share it.
  const etag = `W/"${Base64Url.encode(new Uint8Array(digest).subarray(0, 16))}"`
  const validators = { etag, "cache-control": `public, max-age=${MAX_AGE_SECONDS}` }
  const whole = HttpServerResponse.empty({ status: 200, headers: { ...headers, ...validators } }).pipe(
    HttpServerResponse.setBody(compressOnce(HttpBody.uint8Array(bytes, contentType))),
  )
  const unchanged = HttpServerResponse.empty({ status: 304, headers: { ...validators, vary: "Accept-Encoding" } })
  return Effect.map(Effect.context<HttpServerRequest>(), (context) => {
    const known = Context.get(context, HttpServerRequest).headers["if-none-match"]
    return known !== undefined && includesTag(known, etag) ? unchanged : whole
  })
})

/** `If-None-Match` compares weakly (RFC 9110, 13.1.2). */
const includesTag = (header: string, etag: string) =>
  header.split(",").some((each) => each.trim() === "*" || each.trim().replace(/^(W\/)?/, "W/") === etag)
