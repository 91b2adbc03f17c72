import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerResponse from "effect/http/HttpServerResponse"

/** The contract as OpenAPI 3.1 text, written once, when first asked for. */
const openapi = Effect.runSync(
  Effect.cached(
    Effect.promise(async () => {
      const [{ fromApi }, { published }] = await Promise.all([
        import("effect/http-api/OpenApi"),
        import("./openapi.ts"),
      ])
      return JSON.stringify(fromApi(published))
    }),
  ),
)

/** The page that shows it. Its scripts are part of the reply: nothing is loaded from elsewhere. */
const reference = Effect.runSync(
  Effect.cached(
    Effect.gen(function* () {
      const [{ layer }, { published }] = yield* Effect.promise(() =>
        Promise.all([import("effect/http-api/HttpApiScalar"), import("./openapi.ts")]),
      )
      return yield* HttpRouter.toHttpEffect(
        layer(published, { scalar: { withDefaultFonts: false, hideClientButton: true } as never }),
      )
    }),
  ),
)

/** `/openapi.json` and `/docs`. Both are made when first asked for: they cost nothing at the start. */
export const documentation = Layer.mergeAll(
  HttpRouter.add(
    "GET",
    "/openapi.json",
    Effect.map(openapi, (text) => HttpServerResponse.text(text, { contentType: "application/json" })),
  ),
  HttpRouter.add("GET", "/docs", Effect.flatten(reference)),
)
