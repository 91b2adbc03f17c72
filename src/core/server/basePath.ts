import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import type { HttpServerResponse } from "effect/http/HttpServerResponse"
import { BasePath } from "../http/addresses/basePath.ts"
import { NotFound } from "../http/errors/errors.ts"
import { RESOURCE_METADATA, SERVER_METADATA } from "../oauth/SigningIn.ts"
import { envelope } from "./envelope.ts"

/** Answers requests below a base path without it, so that the routes do not know it. All other requests get a 404. */
export const withBasePath =
  (basePath: string) =>
  <E, R>(app: Effect.Effect<HttpServerResponse, E, R>) => {
    if (basePath === "") return app
    const outside = envelope(Effect.fail(new NotFound({ message: `this service answers below ${basePath} only` })))
    return Effect.withFiber<HttpServerResponse, E, R | HttpServerRequest>((fiber) => {
      const request = Context.getUnsafe(fiber.context, HttpServerRequest)
      const url = stripBasePath(basePath, request.url)
      return url === undefined
        ? outside
        : Effect.provideContext(
            app,
            Context.make(HttpServerRequest, request.modify({ url })).pipe(Context.add(BasePath, basePath)),
          )
    })
  }

/** The rest of a path with its query; undefined outside the base path. Well-known addresses have the path of their subject behind them. */
const stripBasePath = (basePath: string, url: string): string | undefined => {
  const known = [SERVER_METADATA, RESOURCE_METADATA].find((path) => url.startsWith(path + basePath))
  if (known !== undefined) return url
  if (!url.startsWith(basePath)) return undefined
  const rest = url.slice(basePath.length)
  return rest.startsWith("/") ? rest : rest === "" || rest.startsWith("?") ? `/${rest}` : undefined
}
