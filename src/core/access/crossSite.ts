import * as Effect from "effect/Effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import { hash } from "./secret.ts"
import { ORIGIN_HASH_BYTES } from "./tokenContent.ts"

/** Methods that change nothing, so that a forged request does no harm. */
const SAFE: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"])

/**
 * Whether a page of another site may have made the browser send this request with the user's cookies. A request with
 * `Authorization` is safe: the browser asks the service first (CORS) whether a page may set that header.
 */
export const isCrossSite = (
  { method, headers }: HttpServerRequest,
  ownOrigin: string | undefined,
  allowedOrigins: ReadonlySet<string>,
): boolean => {
  const { origin, authorization, "sec-fetch-site": site } = headers
  if (SAFE.has(method) || authorization !== undefined) return false
  if (site === "same-origin" || site === "none") return false
  if (origin === undefined) return site !== undefined
  if (allowedOrigins.has(origin)) return false
  // Without `Sec-Fetch-Site`, hosts are compared: behind a proxy that ends TLS, the schemes differ.
  return site !== undefined || hostOf(origin) === undefined || hostOf(origin) !== hostOf(ownOrigin)
}

const hostOf = (origin: string | undefined) =>
  origin !== undefined && URL.canParse(origin) ? new URL(origin).host : undefined

export const hashOfOrigin = (origin: string) => Effect.map(hash(origin), (digest) => digest.slice(0, ORIGIN_HASH_BYTES))

/**
 * Whether a page of the token's origin sent this request. Browsers leave `Origin` out of requests to the page's own origin that change
 * nothing, and then mark them as such.
 */
export const isFrom = (originHash: Uint8Array, { headers }: HttpServerRequest) => {
  const { origin, "sec-fetch-site": site } = headers
  return origin === undefined
    ? Effect.succeed(site === "same-origin")
    : Effect.map(hashOfOrigin(origin), (found) => found.every((byte, at) => byte === originHash[at]))
}
