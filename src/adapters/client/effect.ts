import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import type * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as HttpApiClient from "effect/http-api/HttpApiClient"
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import { Access } from "../../core/access/Access.ts"
import { Api } from "../../core/server/api.ts"
import { randomKey } from "./randomKey.ts"

export interface Options {
  /** The server's address, such as `https://sightline.example.com`. */
  readonly baseUrl: string | URL
  readonly key: Redacted.Redacted
  /** Changes the HTTP client, for example to retry: `HttpClient.retryTransient({ times: 3 })`. */
  readonly transformClient?: ((client: HttpClient.HttpClient) => HttpClient.HttpClient) | undefined
}

/** A method for each endpoint, by group. */
export interface EffectClient extends HttpApiClient.ForApi<typeof Api> {}

/** Makes `HttpApiClient` of the contract: `client.deals.list({ query: { status: ["Won"] } })`. Every POST has an Idempotency-Key. */
export const make = ({
  baseUrl,
  key,
  transformClient,
}: Options): Effect.Effect<EffectClient, never, HttpClient.HttpClient> =>
  HttpApiClient.make(Api, { baseUrl, transformClient }).pipe(
    Effect.provide(
      // Runs once for each call, so that all attempts of a POST have the same key.
      HttpApiMiddleware.layerClient(Access, ({ next, request }) =>
        next(HttpClientRequest.bearerToken(withIdempotencyKey(request), Redacted.value(key))),
      ),
    ),
  )

const withIdempotencyKey = (request: HttpClientRequest.HttpClientRequest) =>
  request.method === "POST" ? HttpClientRequest.setHeader(request, "idempotency-key", randomKey()) : request

/** The client as a service. */
export class SightlineClient extends Context.Service<SightlineClient, EffectClient>()(
  "sightline/client/SightlineClient",
) {
  static readonly layer = (options: Options) => Layer.effect(SightlineClient, make(options))
}
