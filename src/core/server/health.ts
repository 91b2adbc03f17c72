import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { Answerer } from "../answers/Answerer.ts"
import { JobQueue } from "../jobs/JobQueue.ts"

const report = (status: number, body: object) =>
  HttpServerResponse.jsonUnsafe(body, { status, headers: { "cache-control": "no-store" } })

/** A due job that waits longer than this many seconds while none of its kind is worked on: who should is stuck, or gone. */
const LONGEST_WAIT = 60

/**
 * Live: the process answers. Ready: so does the database, within two seconds, which has room on its disk, and no job waits
 * for long with nobody at work; `answers` says by what questions are answered.
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
            seconds <= LONGEST_WAIT
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
