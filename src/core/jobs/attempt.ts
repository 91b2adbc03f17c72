import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import type { Fragment } from "effect/sql/Statement"
import type { DatabaseUnavailable } from "../ports/DatabaseUnavailable.ts"
import { Database, WhenDiskFull } from "../storage/Database.ts"
import { recordDue } from "../storage/recordChanges.ts"
import { timed } from "../telemetry/family.ts"
import { jobSeconds, jobsEnded } from "../telemetry/metrics.ts"
import { entrySpan, remoteSpan } from "../telemetry/tracing.ts"
import { CurrentJob, type Job, type JobFailed, JobLost, type Postponed, type TryAgain } from "./job.ts"

/** A worker that does not renew its lease for this long loses the job to the next one that claims. */
export const LEASE_SECONDS = 15
const MAX_ATTEMPTS = 5
const MAX_RETRY_SECONDS = 300

const FULL_DISK_RETRY_SECONDS = 10
const REPORT_INTERVAL = "300 millis"

/** A job as the database gives it to the worker that claims it. */
export interface Claimed {
  readonly org_id: string
  readonly id: string
  readonly subject: string
  readonly epoch: number
  readonly attempts: number
  /** The trace of the request that enqueued the job. */
  readonly traceparent: string | null
}

/** The work of a kind of job. */
export interface Handlers<R> {
  readonly handle: (
    job: Job,
  ) => Effect.Effect<void, JobFailed | TryAgain | Postponed | JobLost | DatabaseUnavailable, R>
  /** Runs in the transaction that marks the job as failed. */
  readonly onFailed: (job: Job, reason: string) => Effect.Effect<void, DatabaseUnavailable, R>
}

type AttemptOutcome = "completed" | "failed" | "retried" | "returned" | "lost"

/** Returns what runs one attempt at a claimed job: it renews the lease, writes progress and records how the attempt ended. */
export const makeAttempts = Effect.fnUntraced(function* (wake: (kind: string, org: string) => Effect.Effect<void>) {
  const hold = holdJob(yield* Database, wake)
  return Effect.fnUntraced(function* <R>(kind: string, row: Claimed, { handle, onFailed }: Handlers<R>) {
    const held = hold(kind, row)
    let outcome: AttemptOutcome = "lost"
    const endAs = (end: AttemptOutcome, write: Effect.Effect<void, JobLost | DatabaseUnavailable, R>) => {
      outcome = end
      return Effect.ignore(write)
    }
    const fail = (reason: string) => endAs("failed", held.fail(reason, onFailed(held.job, reason)))
    const retry = (reason: string) =>
      row.attempts >= MAX_ATTEMPTS ? fail(reason) : endAs("retried", held.retry(reason))
    const giveBack = (seconds: number, reason: string | null = null) =>
      endAs("returned", held.giveBack(seconds, reason))
    // Every earlier attempt died with its process.
    if (row.attempts > MAX_ATTEMPTS)
      return yield* fail("every attempt ended without an error message; try again, or use a smaller file")
    yield* Effect.raceAllFirst([handle(held.job), held.renewLease, held.writeReports]).pipe(
      Effect.andThen(held.complete),
      Effect.tap(() => Effect.sync(() => void (outcome = "completed"))),
      Effect.catchTags({
        JobFailed: ({ reason }) => fail(reason),
        TryAgain: ({ reason }) => retry(reason),
        Postponed: ({ reason, seconds }) => giveBack(seconds, reason),
        DatabaseUnavailable: ({ reason, message, retryAfterSeconds }) =>
          reason === "no_space"
            ? giveBack(FULL_DISK_RETRY_SECONDS)
            : reason === "concurrency"
              ? giveBack(retryAfterSeconds ?? 1)
              : retry(reason === undefined ? "the database was unreachable" : message),
        JobLost: () => Effect.void,
      }),
      Effect.catchDefect((defect) =>
        Effect.andThen(Effect.logError("job failed", { job: row.id }, defect), retry("the server failed")),
      ),
      Effect.onInterrupt(() => giveBack(0)),
      timed(jobSeconds({ kind })),
      Effect.ensuring(Effect.suspend(() => reportEnd(kind, outcome))),
      entrySpan(
        () => `job ${kind}`,
        () => ({ kind: "consumer", root: row.traceparent === null, parent: remoteSpan(row.traceparent) }),
      ),
      Effect.provideService(CurrentJob, { id: row.id, kind, organization: row.org_id, attempt: row.attempts }),
    )
  })
})

/** The writes of one attempt. They fail with `JobLost` if the attempt no longer holds the job. */
const holdJob = (database: Database["Service"], wake: (kind: string, org: string) => Effect.Effect<void>) => {
  const { sql } = database
  const lease = sql.literal(`interval '${LEASE_SECONDS} seconds'`)
  const completed = sql`state = 'completed', stage = 'completed', progress = 1, error = null, ended_at = now(), lease_until = null`

  return (kind: string, row: Claimed) => {
    const { org_id: org, id, subject, epoch } = row
    let phase: "running" | "finishing" | "finished" = "running"
    let pendingReport: Fragment | undefined
    /** Updates the job in a transaction. */
    const set = Effect.fnUntraced(function* (values: Fragment) {
      const rows = yield* sql`update jobs set ${values}
        where org_id = ${org} and id = ${id} and epoch = ${epoch} and state = 'running' returning id`
      if (rows.length === 0) return yield* new JobLost({ job: id })
    })
    const write = <R = never>(values: Fragment, last: Effect.Effect<void, DatabaseUnavailable, R> = Effect.void) =>
      Effect.provideService(database.transaction(org, Effect.andThen(set(values), last)), WhenDiskFull, "proceed")
    /** While `finish` runs, a job that is no longer `running` is not lost. */
    const keep = (values: Fragment) =>
      Effect.catchTags(write(values), {
        DatabaseUnavailable: () => Effect.void,
        JobLost: (lost) => (phase === "running" ? Effect.fail(lost) : Effect.never),
      })
    const renew = Effect.andThen(
      Effect.sleep(`${LEASE_SECONDS / 3} seconds`),
      Effect.suspend(() => keep(sql`lease_until = now() + ${lease}`)),
    )
    const writeReport = Effect.andThen(
      Effect.sleep(REPORT_INTERVAL),
      Effect.suspend(() => {
        const values = pendingReport
        pendingReport = undefined
        return values === undefined || phase !== "running" ? Effect.void : keep(values)
      }),
    )
    const end =
      (values: Fragment): Job["finish"] =>
      (last, locks = Effect.void) =>
        Effect.suspend(() => {
          phase = "finishing"
          const ending = Effect.andThen(locks, Effect.andThen(set(values), last))
          return Effect.onExit(database.transaction(org, ending), (exit) =>
            Effect.sync(() => {
              phase = exit._tag === "Success" ? "finished" : "running"
            }),
          )
        })
    const job: Job = {
      org,
      id,
      subject,
      attempt: row.attempts,
      epoch,
      report: (stage, progress) =>
        Effect.sync(() => {
          pendingReport = sql`stage = ${stage}, progress = ${progress}::real, lease_until = now() + ${lease}`
        }),
      finish: end(completed),
      handOver: (next) => (last, locks) =>
        Effect.tap(
          end(sql`kind = ${next}, state = 'queued', stage = 'queued', attempts = 0, error = null, progress = 0.3,
              lease_until = null, due_at = now()`)(
            Effect.tap(last, () => recordDue(next)),
            locks,
          ),
          () => wake(next, org),
        ),
    }
    return {
      job,
      renewLease: Effect.forever(renew),
      writeReports: Effect.forever(writeReport),
      /** Completes the job, unless its handler did. */
      complete: Effect.suspend(() => (phase === "finished" ? Effect.void : write(completed))),
      fail: <R>(reason: string, last: Effect.Effect<void, DatabaseUnavailable, R>) =>
        write(sql`state = 'failed', error = ${reason}, ended_at = now(), lease_until = null`, last),
      /** Queues the job for another attempt, after 2 to 300 seconds. */
      retry: (reason: string) =>
        write(sql`state = 'queued', stage = 'queued', error = ${reason}, lease_until = null,
          due_at = now() + ${Math.min(2 ** row.attempts, MAX_RETRY_SECONDS)}::int * interval '1 second'`),
      /** Queues the job as if there had been no attempt. */
      giveBack: (seconds: number, reason: string | null) =>
        write(
          sql`state = 'queued', attempts = attempts - 1, lease_until = null, error = coalesce(${reason}::text, error),
            due_at = now() + ${seconds}::int * interval '1 second'`,
          seconds === 0 ? recordDue(kind) : Effect.void,
        ),
    }
  }
}

/** The reason of a failure is in the job's record, not in the log: it can quote an address. */
const reportEnd = (kind: string, outcome: AttemptOutcome) =>
  Effect.andThen(
    Metric.update(jobsEnded({ kind, outcome }), 1),
    Effect.annotateLogs(Effect.logWithLevel(outcome === "failed" ? "Warn" : "Debug")("attempt ended"), { outcome }),
  )
