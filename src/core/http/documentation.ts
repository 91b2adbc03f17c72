import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { fromApi } from "effect/http-api/OpenApi"

/** The contract as OpenAPI 3.1 text, written once, when first asked for. */
const openapi = Effect.runSync(
  Effect.cached(Effect.promise(async () => JSON.stringify(fromApi((await import("./openapi.ts")).published)))),
)

/** The page that shows it. Its scripts are part of the reply: nothing is loaded from elsewhere. */
const reference = Effect.runSync(
  Effect.cached(
    Effect.gen(function* () {
      const [{ layer }, { published }] = yield* Effect.promise(() =>
        Promise.all([import("effect/http-api/HttpApiScalar"), import("./openapi.ts")]),
      )
      return yield* HttpRouter.toHttpEffect(layer(published, { scalar: SCALAR as never }))
    }),
  ),
)

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

/** `/openapi.json` and `/docs`. Both are made when first asked for: they cost nothing at the start. */
export const documentation = Layer.mergeAll(
  HttpRouter.add(
    "GET",
    "/openapi.json",
    Effect.map(openapi, (text) => HttpServerResponse.text(text, { contentType: "application/json" })),
  ),
  HttpRouter.add(
    "GET",
    "/docs",
    Effect.map(Effect.flatten(reference), HttpServerResponse.setHeader("content-security-policy", POLICY)),
  ),
)
