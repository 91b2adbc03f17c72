import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as HttpRouter from "effect/http/HttpRouter"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { BasePath } from "../http/addresses/basePath.ts"
import { noSuchPath } from "../http/addresses/noSuchPath.ts"
import { LoadConsole } from "../ports/ConsoleFiles.ts"
import { OpenIdProvider } from "../ports/IdentityProvider.ts"
import { openId } from "./openIdRoutes.ts"
import { CONSOLE_FILE, CONSOLE_PAGES } from "./pages.ts"
import { signIn } from "./signIn.ts"

/** Only own files; no script or markup made from data. Pictures of charts are drawn in the page. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; frame-src 'self'; media-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  svg: "image/svg+xml",
}

/** The page has these; the server replaces them with the base path and the name of the OpenID provider. */
const BASE = /%BASE%/g
const OPENID = /%OPENID%/g

/** Serves the console to browsers. Other clients get the reply of a path that does not exist, which names `/openapi.json`. */
const pages = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const load = yield* LoadConsole
    const provider = yield* OpenIdProvider
    const files = yield* Effect.cached(Effect.promise(load))

    const page = Effect.gen(function* () {
      const { headers } = yield* HttpServerRequest
      const built = /\btext\/html\b/.test(headers["accept"] ?? "") ? yield* files : undefined
      const html = built?.["index.html"]
      if (html === undefined) return yield* noSuchPath()
      return HttpServerResponse.text(
        html.replaceAll(BASE, escape(yield* BasePath)).replaceAll(OPENID, escape(provider?.name ?? "")),
        {
          contentType: "text/html; charset=utf-8",
          headers: {
            "cache-control": "no-cache",
            vary: "Accept",
            "content-security-policy": POLICY,
            "cross-origin-opener-policy": "same-origin",
            "referrer-policy": "no-referrer",
            "x-frame-options": "DENY",
          },
        },
      )
    })
    for (const path of CONSOLE_PAGES) yield* router.add("GET", path, page)

    yield* router.add(
      "GET",
      CONSOLE_FILE,
      Effect.gen(function* () {
        const { file = "" } = yield* HttpRouter.params
        const built = yield* files
        const name = `console/${file}`
        if (built === undefined || !Object.hasOwn(built, name)) return yield* noSuchPath()
        const contentType = CONTENT_TYPES[name.slice(name.lastIndexOf(".") + 1)] ?? "application/octet-stream"
        return HttpServerResponse.text(built[name]!, { contentType, headers: IMMUTABLE })
      }),
    )
  }),
)

const IMMUTABLE = { "cache-control": "public, max-age=31536000, immutable" }

const escape = (text: string) => text.replaceAll(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)

/** The console: its pages, its files, and signing in. */
export const console_ = Layer.mergeAll(pages, signIn, openId)
