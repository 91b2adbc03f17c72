import * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { makeComparer } from "../access/makeComparer.ts"
import { MethodNotAllowed, toResponse, Unauthorized } from "../http/errors/errors.ts"
import type { Metrics } from "./Metrics.ts"

export const isMetricsPath = (url: string): boolean => /^\/metrics(?:\?|$)/.test(url)

/** The content type of Prometheus's text format. */
export const METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8"

/** Serves `/metrics` to requests with the key of the metrics. */
export const metricsRoute = Effect.fnUntraced(function* (key: Redacted.Redacted, { page }: Metrics["Service"]) {
  const isKey = yield* makeComparer(key)
  return Effect.gen(function* () {
    const { headers, method } = yield* HttpServerRequest
    if (method !== "GET" && method !== "HEAD") return onlyGet
    const given = /^bearer +(\S+)$/i.exec(headers["authorization"] ?? "")?.[1]
    if (given === undefined || !(yield* isKey(given))) return unauthorized
    return HttpServerResponse.text(yield* page(), {
      contentType: METRICS_TYPE,
      headers: { "cache-control": "no-store" },
    })
  })
})

const onlyGet = toResponse(new MethodNotAllowed({ message: "this path accepts GET only" }), { allow: "GET, HEAD" })

const unauthorized = toResponse(
  new Unauthorized({
    message: "send 'Authorization: Bearer <key>' with the key of `metricsKey` (SIGHTLINE_METRICS_KEY)",
  }),
  { "www-authenticate": "Bearer", "cache-control": "no-store" },
)
