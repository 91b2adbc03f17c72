import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as HttpRouter from "effect/http/HttpRouter"
import { HttpServerError } from "effect/http/HttpServerError"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { MethodNotAllowed, NotFound, toResponse } from "../http/errors/errors.ts"
import { OperatorApi } from "./contract.ts"
import { layerOperatorHandlers } from "./handlers.ts"
import { OperatorApp } from "./OperatorApp.ts"

export const layerOperatorApp = Layer.effect(
  OperatorApp,
  Effect.gen(function* () {
    const routes = yield* HttpRouter.toHttpEffect(
      Layer.provide(HttpApiBuilder.layer(OperatorApi), layerOperatorHandlers),
    )
    return OperatorApp.of({
      answer: () =>
        Effect.catch(routes, (error) =>
          error instanceof HttpServerError && error.reason._tag === "RouteNotFound"
            ? Effect.map(HttpServerRequest, answerUnrouted)
            : Effect.fail(error),
        ),
    })
  }),
)

const PATTERNS = Object.values(OperatorApi.groups).flatMap(({ endpoints }) =>
  Object.values(endpoints).map(({ path, method }) => ({
    pattern: new RegExp(`^${path.replaceAll(/:[^/]+/g, "[^/]+")}$`),
    method,
  })),
)

const answerUnrouted = ({ url }: HttpServerRequest) => {
  const path = url.split("?", 1)[0] ?? ""
  const methods = PATTERNS.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method)
  if (methods.length === 0)
    return toResponse(new NotFound({ message: "this path does not exist; docs/operator.md lists the paths" }))
  const allow = methods.join(", ")
  return toResponse(new MethodNotAllowed({ message: `this path accepts ${allow}` }), { allow })
}
