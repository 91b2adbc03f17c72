import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import type { Scope } from "effect/Scope"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { makeId } from "../common/ids.ts"
import type { DatabaseUnavailable } from "../ports/DatabaseUnavailable.ts"
import { Database, DiskGuard, unavailable } from "../storage/Database.ts"
import { recordDue } from "../storage/recordChanges.ts"
import { utc } from "../storage/sql.ts"
import { jobAge, jobs } from "../telemetry/metrics.ts"
import { currentTraceparent } from "../telemetry/tracing.ts"
import { Background } from "./Background.ts"
import { OwnWork } from "./kinds.ts"
import { NextClaims, type Place } from "./NextClaims.ts"
import { type Claimed, type Handlers, LEASE_SECONDS, makeAttempts } from "./attempt.ts"
import { ANALYSIS_JOB, type Job, JobFailed, JobLost, type JobStatus, Postponed, TryAgain, UNDO_JOB } from "./job.ts"

export { ANALYSIS_JOB, type Job, JobFailed, JobLost, type JobStatus, LEASE_SECONDS, Postponed, TryAgain, UNDO_JOB }

/** Limits how many jobs of one kind run at once for one organization, across all processes. */
export const RunningPerOrganization = Context.Reference<number>("sightline/jobs/RunningPerOrganization", {
  defaultValue: () => 2,
})

/** Stores background jobs in the database. Any process may run a job; one worker at a time holds it, by a lease. */
export class JobQueue extends Context.Service<
  JobQueue,
  {
    /** Enqueues in the caller's transaction, whose commit notifies other processes, and returns the job's id. */
    readonly enqueue: (
      org: string,
      job: { readonly kind: string; readonly subject: string; readonly prefix: string },
    ) => Effect.Effect<string, DatabaseUnavailable>
    /** Cancels the jobs of a subject in the caller's transaction. A running attempt is interrupted within a third of the lease. */
    readonly cancel: (org: string, subject: string) => Effect.Effect<void, DatabaseUnavailable>
    /**
     * The longest wait of a queued job, in seconds. Considers only the kinds that this process works on, and of these only
     * kinds with no job running: a job behind a long recording is no sign of trouble. Undefined while a server of a cluster is down.
     */
    readonly longestWait: Effect.Effect<number | undefined, DatabaseUnavailable>
    /** Wakes this process's workers of a kind for a job of the organization. Call it after the enqueuing transaction commits. */
    readonly wake: (kind: string, org: string) => Effect.Effect<void>
    readonly find: (org: string, id: string) => Effect.Effect<JobStatus | undefined, DatabaseUnavailable>
    /** Claims and runs jobs in the background. An interrupted attempt is returned to the queue and does not count. */
    readonly work: <R>(
      kind: string,
      handle: Handlers<R>["handle"],
      onFailed: Handlers<R>["onFailed"],
      /** Jobs that this process runs at the same time, unless the host says how many; 1 by default. */
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
      const { isOn, does, concurrencyOf } = yield* OwnWork
      const claims = new Map<string, NextClaims>()
      const lease = sql.literal(`interval '${LEASE_SECONDS} seconds'`)

      const checkDisk = unavailable(yield* DiskGuard)
      /** Claims no job while the disk is too full for its writes. */
      const whenDiskAllows = <Row extends object>(statement: Fragment) =>
        Effect.andThen(checkDisk, database.unscoped<Row>(statement))

      const claim = (kind: string, { org }: Place) =>
        whenDiskAllows<Claimed>(
          org === undefined
            ? sql`select * from claim_job(${kind}, ${lease}, ${maxPerOrganization}::int)`
            : sql`select * from claim_job_of(${org}, ${kind}, ${lease}, ${maxPerOrganization}::int)`,
        )

      const wake = (kind: string, org: string) =>
        Effect.suspend(() => {
          claims.get(kind)?.want(org)
          return background.wake(kind)
        })

      const runAttempt = yield* makeAttempts(wake)

      return JobQueue.of({
        enqueue: Effect.fn("JobQueue.enqueue")(function* (org: string, { kind, subject, prefix }) {
          const id = yield* makeId(prefix)
          const traceparent = (yield* currentTraceparent) ?? null
          yield* unavailable(sql`insert into jobs ${sql.insert({ org_id: org, id, kind, subject, traceparent })}`)
          yield* recordDue(kind)
          return id
        }),
        cancel: (org, subject) =>
          Effect.asVoid(
            unavailable(sql`update jobs set state = 'cancelled', ended_at = now(), lease_until = null
              where org_id = ${org} and subject = ${subject} and state in ('queued', 'running')`),
          ),
        longestWait: Effect.map(
          Effect.suspend(() =>
            database.unscoped<{ seconds: number | null }>(
              sql`select longest_wait(${[...claims.keys()]}::text[]) as seconds`,
            ),
          ),
          ([row]) => row?.seconds ?? undefined,
        ),
        wake,
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
            const next = new NextClaims()
            // If only ticks work, jobs may wait for the next one.
            if (isOn && does(kind)) claims.set(kind, next)
            const round = Effect.gen(function* () {
              const place = isOn ? next.take() : {}
              if (place === undefined) return 0
              const [row] = yield* Effect.onError(claim(kind, place), () => Effect.sync(() => next.putBack(place)))
              if (row === undefined) return 0
              // Another loop may find another job, and this one when the organization may run more again.
              const lookAgain = Effect.sync(() => next.putBack(place))
              yield* Effect.andThen(lookAgain, background.wake(kind))
              yield* Effect.ensuring(runAttempt(kind, row, { handle, onFailed }), lookAgain)
              return 1
            })
            const onDue = (org?: string) => (org === undefined ? next.wantAll() : next.want(org))
            const work = { name: kind, round, loops: concurrencyOf(kind, loops), onDue }
            return Effect.andThen(showEmpty(kind), background.work(work))
          }),
      })
    }),
  ).pipe(Layer.provideMerge(Background.layer))
}

/** Deletes a job with the thing that it worked on, in the caller's transaction. */
export const deleteJob = (sql: SqlClient, org: string, id: string) =>
  sql`delete from jobs where org_id = ${org} and id = ${id}`

/** Shows the gauges of a kind before it has a job. */
const showEmpty = (kind: string) =>
  Effect.forEach([jobs({ kind, state: "queued" }), jobs({ kind, state: "running" }), jobAge({ kind })], (metric) =>
    Metric.update(metric, 0),
  )
