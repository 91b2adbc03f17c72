import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { Answerer } from "../answers/Answerer.ts"
import { JobQueue } from "../jobs/JobQueue.ts"
import { Database } from "../storage/Database.ts"

const report = (status: number, body: object) =>
  HttpServerResponse.jsonUnsafe(body, { status, headers: { "cache-control": "no-store" } })

/** If a due job waits longer while no job of its kind runs, its worker is stuck or gone. */
const MAX_WAIT_SECONDS = 60

/**
 * Live: the process replies. Ready: the database replies within two seconds, and no due job waits longer than
 * `MAX_WAIT_SECONDS`. While one server of a cluster is down, the service stays ready for the organizations of the others. With a full
 * disk, jobs wait and reads work, so the service stays ready, with a note. `answers` is the kind of answerer.
 */
export const health = Layer.mergeAll(
  HttpRouter.add("GET", "/health/live", Effect.succeed(report(200, { status: "live" }))),
  HttpRouter.use(
    Effect.fnUntraced(function* (router) {
      const jobs = yield* JobQueue
      const { isReadOnly } = yield* Database
      const { kind: answers } = yield* Answerer
      yield* router.add(
        "GET",
        "/health/ready",
        Effect.all([jobs.longestWait, isReadOnly]).pipe(
          Effect.timeout("2 seconds"),
          Effect.match({
            onFailure: () => report(503, { status: "not ready", database: "unreachable", answers }),
            onSuccess: ([seconds, readOnly]) => {
              if (readOnly)
                return report(200, { status: "ready", note: "read_only", database: "disk full, only reads", answers })
              if (seconds === undefined)
                return report(200, {
                  status: "ready",
                  database: "some organizations are unreachable",
                  jobs: "waiting",
                  answers,
                })
              const late = seconds > MAX_WAIT_SECONDS
              return report(late ? 503 : 200, {
                status: late ? "not ready" : "ready",
                database: "reachable",
                jobs: late ? `the oldest due job has waited for ${Math.round(seconds)} s` : "keeping up",
                answers,
              })
            },
          }),
        ),
      )
    }),
  ),
)
