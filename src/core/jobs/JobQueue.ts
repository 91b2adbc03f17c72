import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import type { Scope } from "effect/Scope"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { makeId } from "../common/ids.ts"
import type { DatabaseUnavailable } from "../ports/DatabaseUnavailable.ts"
import { Database, DiskGuard, unavailable, WhenDiskFull } from "../storage/Database.ts"
import { utc } from "../storage/sql.ts"
import { timed } from "../telemetry/family.ts"
import { jobAge, jobs, jobSeconds, jobsEnded } from "../telemetry/metrics.ts"
import { currentTraceparent, entrySpan, remoteSpan } from "../telemetry/tracing.ts"
import { Background, WorksInBackground } from "./Background.ts"
import { CurrentJob, type Job, JobFailed, JobLost, type JobStatus, TryAgain } from "./job.ts"

export { type Job, JobFailed, JobLost, type JobStatus, TryAgain }

/** A worker that does not renew its lease for this long loses the job to the next one that claims. */
export const LEASE_SECONDS = 15
const MAX_ATTEMPTS = 5

const FULL_DISK_RETRY_SECONDS = 10

/** Limits how many jobs of one kind run at once for one organization, across all processes. */
export const RunningPerOrganization = Context.Reference<number>("sightline/jobs/RunningPerOrganization", {
  defaultValue: () => 2,
})
const REPORT_INTERVAL = "300 millis"

/** Stores background jobs in the database. Any process may run a job; one worker at a time holds it, by a lease. */
export class JobQueue extends Context.Service<
  JobQueue,
  {
    /** Enqueues in the caller's transaction and returns the job's id. */
    readonly enqueue: (
      org: string,
      job: { readonly kind: string; readonly subject: string; readonly prefix: string },
    ) => Effect.Effect<string, DatabaseUnavailable>
    /** Cancels the jobs of a subject in the caller's transaction. A running attempt is interrupted within a third of the lease. */
    readonly cancel: (org: string, subject: string) => Effect.Effect<void, DatabaseUnavailable>
    /**
     * The longest wait of a queued job, in seconds. Considers only the kinds that this process works on, and of these only
     * kinds with no job running: a job behind a long recording is no sign of trouble.
     */
    readonly longestWait: Effect.Effect<number, DatabaseUnavailable>
    /** Wakes this process's workers of a kind. Call it after the enqueuing transaction commits. */
    readonly wake: (kind: string) => Effect.Effect<void>
    readonly find: (org: string, id: string) => Effect.Effect<JobStatus | undefined, DatabaseUnavailable>
    /** Claims and runs jobs in the background. An interrupted attempt is returned to the queue and does not count. */
    readonly work: <R>(
      kind: string,
      handle: (job: Job) => Effect.Effect<void, JobFailed | TryAgain | JobLost | DatabaseUnavailable, R>,
      /** Runs in the transaction that marks the job as failed. */
      onFailed: (job: Job, reason: string) => Effect.Effect<void, DatabaseUnavailable, R>,
      /** Jobs that this process runs at the same time; 1 by default. */
      loops?: number,
    ) => Effect.Effect<void, never, R | Scope>
  }
>()("sightline/jobs/JobQueue") {
  static readonly layer = Layer.effect(
    JobQueue,
    Effect.gen(function* () {
      const database = yield* Database
      const { sql } = database
      const maxPerOrganization = yield* RunningPerOrganization
      const background = yield* Background
      const isOn = yield* WorksInBackground
      const kinds = new Set<string>()
      const lease = sql.literal(`interval '${LEASE_SECONDS} seconds'`)

      /** Updates a job in a transaction; fails if this attempt no longer holds it. */
      const set = Effect.fnUntraced(function* ({ org_id, id, epoch }: Claimed, values: Fragment) {
        const rows = yield* sql`update jobs set ${values}
          where org_id = ${org_id} and id = ${id} and epoch = ${epoch} and state = 'running' returning id`
        if (rows.length === 0) return yield* new JobLost({ job: id })
      })
      const write = (row: Claimed, values: Fragment) =>
        Effect.provideService(database.transaction(row.org_id, set(row, values)), WhenDiskFull, "proceed")
      const completed = sql`state = 'completed', stage = 'completed', progress = 1, ended_at = now(), lease_until = null`

      const checkDisk = unavailable(yield* DiskGuard)
      /** Claims no job while the disk is too full for its writes. */
      const whenDiskAllows = <Row extends object>(statement: Fragment) =>
        Effect.andThen(checkDisk, database.unscoped<Row>(statement))

      const attempt = Effect.fnUntraced(function* <R>(
        kind: string,
        row: Claimed,
        handle: (job: Job) => Effect.Effect<void, JobFailed | TryAgain | JobLost | DatabaseUnavailable, R>,
        onFailed: (job: Job, reason: string) => Effect.Effect<void, DatabaseUnavailable, R>,
      ) {
        const { org_id: org, id, subject, epoch } = row
        let outcome: Outcome = "lost"
        let phase: "running" | "finishing" | "finished" = "running"
        let pendingReport: Fragment | undefined
        /** While `finish` runs, a job that is no longer `running` is not lost. */
        const keep = (values: Fragment) =>
          Effect.catchTags(write(row, values), {
            DatabaseUnavailable: () => Effect.void,
            JobLost: (lost) => (phase === "running" ? Effect.fail(lost) : Effect.never),
          })
        const renew = Effect.andThen(
          Effect.sleep(`${LEASE_SECONDS / 3} seconds`),
          Effect.suspend(() => keep(sql`lease_until = now() + ${lease}`)),
        )
        const writeReports = Effect.andThen(
          Effect.sleep(REPORT_INTERVAL),
          Effect.suspend(() => {
            const values = pendingReport
            pendingReport = undefined
            return values === undefined || phase !== "running" ? Effect.void : keep(values)
          }),
        )
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
          finish: (last, locks = Effect.void) =>
            Effect.suspend(() => {
              phase = "finishing"
              const completing = Effect.andThen(locks, Effect.andThen(set(row, completed), last))
              return Effect.onExit(database.transaction(org, completing), (exit) =>
                Effect.sync(() => {
                  phase = exit._tag === "Success" ? "finished" : "running"
                }),
              )
            }),
        }
        const fail = (reason: string) => {
          outcome = "failed"
          return Effect.ignore(
            database
              .transaction(
                org,
                Effect.andThen(
                  set(row, sql`state = 'failed', error = ${reason}, ended_at = now(), lease_until = null`),
                  onFailed(job, reason),
                ),
              )
              .pipe(Effect.provideService(WhenDiskFull, "proceed")),
          )
        }
        const retry = (reason: string) => {
          if (row.attempts >= MAX_ATTEMPTS) return fail(reason)
          outcome = "retried"
          return Effect.ignore(
            write(
              row,
              sql`state = 'queued', stage = 'queued', error = ${reason}, lease_until = null,
                due_at = now() + ${Math.min(2 ** row.attempts, 300)}::int * interval '1 second'`,
            ),
          )
        }
        const giveBack = (seconds: number) => {
          outcome = "returned"
          return Effect.ignore(
            write(
              row,
              sql`state = 'queued', attempts = attempts - 1, lease_until = null,
                due_at = now() + ${seconds}::int * interval '1 second'`,
            ),
          )
        }
        // Every earlier attempt died with its process.
        if (row.attempts > MAX_ATTEMPTS)
          return yield* fail("every attempt ended without an error message; try again, or use a smaller file")
        yield* Effect.raceAllFirst([handle(job), Effect.forever(renew), Effect.forever(writeReports)]).pipe(
          Effect.andThen(Effect.suspend(() => (phase === "finished" ? Effect.void : write(row, completed)))),
          Effect.tap(() => Effect.sync(() => void (outcome = "completed"))),
          Effect.catchTags({
            JobFailed: ({ reason }) => fail(reason),
            TryAgain: ({ reason }) => retry(reason),
            DatabaseUnavailable: ({ reason }) =>
              reason === "no_space" ? giveBack(FULL_DISK_RETRY_SECONDS) : retry("the database was unreachable"),
            JobLost: () => Effect.void,
          }),
          Effect.catchDefect((defect) =>
            Effect.andThen(Effect.logError("job failed", { job: id }, defect), retry("the server failed")),
          ),
          Effect.onInterrupt(() => giveBack(0)),
          timed(jobSeconds({ kind })),
          Effect.ensuring(Effect.suspend(() => reportEnd(kind, outcome))),
          entrySpan(
            () => `job ${kind}`,
            () => ({ kind: "consumer", root: row.traceparent === null, parent: remoteSpan(row.traceparent) }),
          ),
          Effect.provideService(CurrentJob, { id, kind, organization: org, attempt: row.attempts }),
        )
      })

      return JobQueue.of({
        enqueue: Effect.fn("JobQueue.enqueue")(function* (org: string, { kind, subject, prefix }) {
          const id = yield* makeId(prefix)
          const traceparent = (yield* currentTraceparent) ?? null
          yield* unavailable(sql`insert into jobs ${sql.insert({ org_id: org, id, kind, subject, traceparent })}`)
          return id
        }),
        cancel: (org, subject) =>
          Effect.asVoid(
            unavailable(sql`update jobs set state = 'cancelled', ended_at = now(), lease_until = null
              where org_id = ${org} and subject = ${subject} and state in ('queued', 'running')`),
          ),
        longestWait: Effect.map(
          Effect.suspend(() =>
            database.unscoped<{ seconds: number }>(sql`select longest_wait(${[...kinds]}::text[]) as seconds`),
          ),
          ([row]) => row?.seconds ?? 0,
        ),
        wake: background.wake,
        find: (org, id) =>
          Effect.map(
            database.scoped<JobStatus>(
              org,
              sql`select id, kind, subject, state, stage, progress, attempts, error,
                  ${sql.literal(["created_at", "started_at", "ended_at"].map((at) => `${utc(at)} as ${at}`).join(", "))}
                from jobs where org_id = scope.org and id = ${id}`,
            ),
            ([row]) => row,
          ),
        work: (kind, handle, onFailed, loops = 1) =>
          Effect.suspend(() => {
            // If only ticks work, jobs may wait for the next one.
            if (isOn) kinds.add(kind)
            const round = Effect.gen(function* () {
              const [row] = yield* whenDiskAllows<Claimed>(
                sql`select * from claim_job(${kind}, ${lease}, ${maxPerOrganization}::int)`,
              )
              if (row === undefined) return 0
              yield* attempt(kind, row, handle, onFailed)
              return 1
            })
            return Effect.andThen(showEmpty(kind), background.work({ name: kind, round, loops }))
          }),
      })
    }),
  ).pipe(Layer.provideMerge(Background.layer))
}

/** Deletes a job with the thing that it worked on, in the caller's transaction. */
export const deleteJob = (sql: SqlClient, org: string, id: string) =>
  sql`delete from jobs where org_id = ${org} and id = ${id}`

interface Claimed {
  readonly org_id: string
  readonly id: string
  readonly subject: string
  readonly epoch: number
  readonly attempts: number
  /** The trace of the request that enqueued the job. */
  readonly traceparent: string | null
}

type Outcome = "completed" | "failed" | "retried" | "returned" | "lost"

/** Shows the gauges of a kind before it has a job. */
const showEmpty = (kind: string) =>
  Effect.forEach([jobs({ kind, state: "queued" }), jobs({ kind, state: "running" }), jobAge({ kind })], (metric) =>
    Metric.update(metric, 0),
  )

/** The reason of a failure is in the job's record, not in the log: it can quote an address. */
const reportEnd = (kind: string, outcome: Outcome) =>
  Effect.andThen(
    Metric.update(jobsEnded({ kind, outcome }), 1),
    Effect.annotateLogs(Effect.logWithLevel(outcome === "failed" ? "Warn" : "Debug")("attempt ended"), { outcome }),
  )
