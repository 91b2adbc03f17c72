import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import { fromApi } from "effect/http-api/OpenApi"
import { BaseUrl } from "../http/addresses/BaseUrl.ts"
import { ICON_LINK } from "../http/replies/icon.ts"
import { noSuchPath } from "../http/addresses/noSuchPath.ts"
import { Settings } from "../http/Settings.ts"
import { makeStaticReply } from "./staticReply.ts"

const SCALAR = {
  withDefaultFonts: false,
  telemetry: false,
  showDeveloperTools: "never",
  hideClientButton: true,
  authentication: { preferredSecurityScheme: "bearer" },
}

/** Allows only inline scripts and styles, and requests to this server. */
const POLICY =
  "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:; font-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

type Json = Record<string, any>

/**
 * Adapts the description to Scalar. Requests go to the host that served the page. Scalar would fill in every optional
 * parameter and write an object as `[object Object]`; so each example is text, and disabled until the reader selects it.
 */
const forPage = (spec: Json): Json => {
  for (const server of spec["servers"]) server.url = new URL(server.url, "http://host.invalid").pathname
  const operations = Object.values<Json>(spec["paths"]).flatMap((methods) => Object.values<Json>(methods))
  const parameters = [
    ...operations.map((operation) => operation["parameters"] ?? []),
    Object.values(spec["components"]["parameters"]),
  ]
  for (const parameter of parameters.flat() as ReadonlyArray<Json>) {
    const { example } = parameter
    if (example === undefined) continue
    const value = typeof example === "object" ? JSON.stringify(example) : String(example)
    parameter["examples"] = { default: { value, "x-disabled": parameter["required"] !== true } }
    delete parameter["example"]
  }
  // Scalar's body editor reads only `examples`; without them it starts with empty values, which the server refuses.
  for (const { requestBody } of operations) {
    for (const media of Object.values<Json>(requestBody?.content ?? {})) {
      if (media["example"] === undefined) continue
      media["examples"] = { default: { value: media["example"] } }
      delete media["example"]
    }
  }
  return spec
}

/**
 * Serves `/openapi.json` and `/docs`. They need no key, so each is rendered once, on the first request, and compressed once
 * per encoding. The script of the page is three megabytes, which that request loads.
 */
export const documentation = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const baseUrl = yield* BaseUrl
    const { basePath, docs } = yield* Settings
    // If only requests know the address, the description's server is relative to its own URL.
    const published = Effect.flatMap(baseUrl.known, (base) =>
      Effect.promise(async () => {
        const { publishedAt } = await import("./openapi.ts")
        return (transform?: (spec: Json) => Json) => publishedAt(base ?? (basePath || "/"), transform)
      }),
    )
    const description = yield* Effect.cached(
      Effect.flatMap(published, (publish) =>
        makeStaticReply(JSON.stringify(fromApi(publish())), { "content-type": "application/json" }),
      ),
    )
    yield* router.add("GET", "/openapi.json", Effect.flatten(description))
    // Any method: the page's path is listed as one that accepts GET.
    if (!docs) return yield* router.add("*", "/docs", noSuchPath())
    // The page includes its scripts and loads nothing from elsewhere.
    const page = yield* Effect.cached(
      Effect.gen(function* () {
        const { layer } = yield* Effect.promise(() => import("effect/http-api/HttpApiScalar"))
        const api = (yield* published)(forPage)
        const rendered = yield* HttpRouter.toHttpEffect(layer(api, { scalar: SCALAR as never }))
        const { body } = yield* Effect.provideService(
          Effect.scoped(rendered),
          HttpServerRequest.HttpServerRequest,
          HttpServerRequest.fromWeb(new Request("http://localhost/docs")),
        )
        if (body._tag !== "Uint8Array") return yield* Effect.die("the page is not made in one piece")
        const html = new TextDecoder().decode(body.body).replace("<head>", () => `<head>${ICON_LINK}`)
        return yield* makeStaticReply(html, {
          "content-type": "text/html; charset=utf-8",
          "content-security-policy": POLICY,
        })
      }),
    )
    yield* router.add("GET", "/docs", Effect.flatten(page))
  }),
)
