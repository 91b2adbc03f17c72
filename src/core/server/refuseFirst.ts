import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import { Authentication } from "../access/Authentication.ts"
import { CurrentRequest } from "../http/CurrentRequest.ts"
import { isTraced } from "../telemetry/tracing.ts"

/**
 * Answers requests to the API that `Authentication` refuses by memory alone, as the endpoint's own middleware would. That one runs in
 * the context of the handlers, which Effect merges into the request's: it copies every service of the API for each request. With a
 * tracer it decides, so that each refusal has its spans.
 */
export const refuseFirst = HttpRouter.middleware(
  Effect.map(
    Authentication,
    ({ findRefusal }) =>
      (answer) =>
        Effect.withFiber((fiber): typeof answer => {
          const { context } = fiber
          if (isTraced(context)) return answer
          const state = fiber.getRef(CurrentRequest)
          const refusal = findRefusal(Context.getUnsafe(context, HttpServerRequest), state)
          if (refusal === undefined) return answer
          state.route = Context.getUnsafe(context, HttpRouter.RouteContext).route.path
          return Effect.succeed(refusal)
        }),
  ),
).layer
