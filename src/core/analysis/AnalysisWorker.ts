import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Deals } from "../deals/Deals.ts"
import { RecordEdits } from "../deals/edits/RecordEdits.ts"
import { Foreground } from "../jobs/Foreground.ts"
import { ANALYSIS_JOB, type Job, JobQueue } from "../jobs/JobQueue.ts"
import { Database } from "../storage/Database.ts"

/**
 * Analyzes the deals of each run, one after the other. After a crash another worker goes on with those that are not done. Loads the code
 * with the first run.
 */
export const layerAnalysisWorker = Layer.effectDiscard(
  Effect.gen(function* () {
    const database = yield* Database
    const jobs = yield* JobQueue
    const context = yield* Effect.context<Database | Deals | Foreground | RecordEdits>()

    const attempt = (job: Job) =>
      Effect.promise(() => import("./analyzeDeals.ts")).pipe(
        Effect.flatMap(({ analyzeDeals }) => analyzeDeals(job)),
        Effect.provideContext(context),
      )

    const fail = (job: Job, reason: string) =>
      Effect.promise(() => import("./writing.ts")).pipe(
        Effect.flatMap(({ failDeals }) =>
          database.transaction(job.org, failDeals(database.sql, job.org, job.id, reason)),
        ),
        Effect.asVoid,
      )

    yield* jobs.work(ANALYSIS_JOB, attempt, fail)
  }),
)
