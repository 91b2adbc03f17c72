import { createServer } from "node:http"
import { makeHandler } from "@effect/platform-node/NodeHttpServer"
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Scope from "effect/Scope"
import { port, REFUSAL } from "./deals.ts"

/** The constant again, by the server and router that Sightline is built on, and nothing else. */
const constant = HttpRouter.add(
  "GET",
  "/*",
  Effect.map(HttpServerRequest, ({ headers }) =>
    HttpServerResponse.text(REFUSAL, {
      status: headers["x-organization"] === "-" ? 401 : 200,
      contentType: "application/json",
    }),
  ),
)

const scope = Scope.makeUnsafe()
const handler = HttpRouter.toHttpEffect(constant).pipe(
  Effect.flatMap((app) => makeHandler(app, { scope })),
  Scope.provide(scope),
)
createServer(await Effect.runPromise(handler)).listen(port, "127.0.0.1")
