import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as OpenApi from "effect/http-api/OpenApi"
import { Api } from "../api.ts"

let text: string | undefined

/** The contract as OpenAPI 3.1, written from the same definitions that validate requests. */
export const documentation = Layer.mergeAll(
  HttpRouter.add(
    "GET",
    "/openapi.json",
    Effect.sync(() => {
      text ??= JSON.stringify(OpenApi.fromApi(Api))
      return HttpServerResponse.text(text, { contentType: "application/json" })
    }),
  ),
)
