import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Headers from "effect/http/Headers"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import type { HttpServerResponse } from "effect/http/HttpServerResponse"
import { sessionIn } from "./cookies.ts"
import { CONSOLE_HEADER } from "./pages.ts"

/** Whether our own page sent the request: a page of another site can neither set the header nor change `Sec-Fetch-Site`. */
export const isFromConsole = ({ headers }: HttpServerRequest): boolean =>
  headers[CONSOLE_HEADER] !== undefined && (headers["sec-fetch-site"] ?? "same-origin") === "same-origin"

/**
 * Turns the cookie of a request of the console into a bearer credential. Behind it, the API knows bearer tokens alone and
 * reads no cookie.
 */
export const withSession = <E, R>(app: Effect.Effect<HttpServerResponse, E, R>) =>
  Effect.withFiber<HttpServerResponse, E, R | HttpServerRequest>((fiber) => {
    const request = Context.getUnsafe(fiber.context, HttpServerRequest)
    const { headers, url } = request
    if (headers[CONSOLE_HEADER] === undefined || headers["authorization"] !== undefined) return app
    if (!url.startsWith("/api/v1/") || !isFromConsole(request)) return app
    const token = sessionIn(headers["cookie"])
    return token === undefined
      ? app
      : Effect.provideService(
          app,
          HttpServerRequest,
          request.modify({ headers: Headers.set(headers, "authorization", `Bearer ${token}`) }),
        )
  })
