import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { Answerer } from "../answers/Answerer.ts"
import { Database } from "../storage/Database.ts"

const report = (status: number, body: object) =>
  HttpServerResponse.jsonUnsafe(body, { status, headers: { "cache-control": "no-store" } })

/** Live: the process answers. Ready: so does the database, within two seconds; `answers` says by what questions are answered. */
export const health = Layer.mergeAll(
  HttpRouter.add("GET", "/health/live", Effect.succeed(report(200, { status: "live" }))),
  HttpRouter.use(
    Effect.fnUntraced(function* (router) {
      const database = yield* Database
      const { kind } = yield* Answerer
      yield* router.add(
        "GET",
        "/health/ready",
        database.unscoped(database.sql`select 1 as one`).pipe(
          Effect.timeout("2 seconds"),
          Effect.as(report(200, { status: "ready", database: "reachable", answers: kind })),
          Effect.catch(() =>
            Effect.succeed(report(503, { status: "not ready", database: "out of reach", answers: kind })),
          ),
        ),
      )
    }),
  ),
)
