import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { Answerer } from "../answers/Answerer.ts"
import { JobQueue } from "../jobs/JobQueue.ts"

const report = (status: number, body: object) =>
  HttpServerResponse.jsonUnsafe(body, { status, headers: { "cache-control": "no-store" } })

/** If a due job waits longer while no job of its kind runs, its worker is stuck or gone. */
const MAX_WAIT_SECONDS = 60

/**
 * Live: the process replies. Ready: the database replies within two seconds and has free disk space, and no due job waits
 * longer than `MAX_WAIT_SECONDS`. `answers` is the kind of answerer.
 */
export const health = Layer.mergeAll(
  HttpRouter.add("GET", "/health/live", Effect.succeed(report(200, { status: "live" }))),
  HttpRouter.use(
    Effect.fnUntraced(function* (router) {
      const jobs = yield* JobQueue
      const { kind } = yield* Answerer
      yield* router.add(
        "GET",
        "/health/ready",
        jobs.longestWait.pipe(
          Effect.timeout("2 seconds"),
          Effect.map((seconds) =>
            seconds <= MAX_WAIT_SECONDS
              ? report(200, { status: "ready", database: "reachable", jobs: "keeping up", answers: kind })
              : report(503, {
                  status: "not ready",
                  database: "reachable",
                  jobs: `the oldest due job has waited for ${Math.round(seconds)} s`,
                  answers: kind,
                }),
          ),
          Effect.catch((error) => {
            const database =
              error._tag === "DatabaseUnavailable" && error.reason === "no_space"
                ? "disk full, only reads"
                : "unreachable"
            return Effect.succeed(report(503, { status: "not ready", database, answers: kind }))
          }),
        ),
      )
    }),
  ),
)
