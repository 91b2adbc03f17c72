import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import { fromApi } from "effect/http-api/OpenApi"
import { BaseUrl } from "./BaseUrl.ts"
import { makeStaticReply } from "./staticReply.ts"

const SCALAR = {
  withDefaultFonts: false,
  telemetry: false,
  showDeveloperTools: "never",
  hideClientButton: true,
  authentication: { preferredSecurityScheme: "bearer" },
}

/** The page's own scripts and styles, requests to this server, and nothing else. */
const POLICY =
  "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:; font-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/**
 * `/openapi.json` and `/docs`: anyone may ask for them, so each is made once, when first asked for, and compressed once for
 * each encoding.
 */
export const documentation = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const baseUrl = yield* BaseUrl
    // Where only a request knows the address, the description's own is the server's.
    const api = Effect.flatMap(baseUrl.known, (base) =>
      Effect.promise(async () => (await import("./openapi.ts")).publishedAt(base)),
    )
    const description = yield* Effect.cached(
      Effect.flatMap(api, (published) =>
        makeStaticReply(JSON.stringify(fromApi(published)), { "content-type": "application/json" }),
      ),
    )
    yield* router.add("GET", "/openapi.json", Effect.flatten(description))
    // The page's scripts are part of it: nothing is loaded from elsewhere.
    const page = yield* Effect.cached(
      Effect.gen(function* () {
        const { layer } = yield* Effect.promise(() => import("effect/http-api/HttpApiScalar"))
        const rendered = yield* HttpRouter.toHttpEffect(layer(yield* api, { scalar: SCALAR as never }))
        const { body } = yield* Effect.provideService(
          Effect.scoped(rendered),
          HttpServerRequest.HttpServerRequest,
          HttpServerRequest.fromWeb(new Request("http://localhost/docs")),
        )
        if (body._tag !== "Uint8Array") return yield* Effect.die("the page is not made in one piece")
        return yield* makeStaticReply(body.body, {
          "content-type": "text/html; charset=utf-8",
          "content-security-policy": POLICY,
        })
      }),
    )
    yield* router.add("GET", "/docs", Effect.flatten(page))
  }),
)
