import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { SqlError } from "effect/sql/SqlError"
import type { DatabaseUnavailable } from "../ports/DatabaseUnavailable.ts"
import type { WorkKind } from "./kinds.ts"

/** One attempt at a job. */
export interface Job {
  readonly org: string
  readonly id: string
  /** The id of the thing to work on, such as a document or an export. */
  readonly subject: string
  /** Counts from 1. */
  readonly attempt: number
  /** Counts from 1; each claim of the job has a new one. */
  readonly epoch: number
  /** Updates the job's progress (0 to 1), throttled to 300 ms; jobs that finish sooner never write it. */
  readonly report: (stage: string, progress: number) => Effect.Effect<void>
  /**
   * Completes the job and runs its last write in one transaction. Fails if another worker holds the job. `locks` runs first,
   * to take locks in the order of other transactions.
   */
  readonly finish: Finish
  /** Like `finish`, but queues the job for the workers of another kind, with its id and new attempts. Wakes them. */
  readonly handOver: (kind: string) => Finish
}

/** The kind of jobs that analyze deals. The subject is the deal, or empty if a job analyzes several. */
export const ANALYSIS_JOB = "analysis" satisfies WorkKind

/** The kind of jobs that undo imports. The subject is the import. */
export const UNDO_JOB = "undo" satisfies WorkKind

/** How an attempt writes its last result. */
type Finish = <A, E, R>(
  last: Effect.Effect<A, E, R>,
  locks?: Effect.Effect<unknown, SqlError>,
) => Effect.Effect<A, Exclude<E, SqlError> | JobLost | DatabaseUnavailable, R>

/** The reply of `GET /runs/{run_id}`; times in ISO 8601. */
export interface JobStatus {
  readonly id: string
  readonly kind: string
  readonly subject: string
  readonly state: "queued" | "running" | "completed" | "failed" | "cancelled"
  readonly stage: string
  readonly progress: number
  readonly attempts: number
  readonly error: string | null
  readonly created_at: string
  readonly started_at: string | null
  readonly ended_at: string | null
}

/** This attempt no longer holds the job: its lease expired, or the job was cancelled. */
export class JobLost extends Schema.TaggedError<JobLost>()("JobLost", { job: Schema.String }) {}

/** The job cannot succeed. `reason` tells the user what to do. */
export class JobFailed extends Schema.TaggedError<JobFailed>()("JobFailed", { reason: Schema.String }) {}

/** The attempt failed, and a retry may succeed. The last `reason` is stored. */
export class TryAgain extends Schema.TaggedError<TryAgain>()("TryAgain", { reason: Schema.String }) {}

/**
 * The job waits for `seconds`, because something that it needs is down or because others have waited long enough; the attempt does not
 * count. A `reason` is stored.
 */
export class Postponed extends Schema.TaggedError<Postponed>()("Postponed", {
  reason: Schema.NullOr(Schema.String),
  seconds: Schema.Int,
}) {}

/** The job that a worker runs, for the log. */
export const CurrentJob = Context.Reference<
  | {
      readonly id: string
      readonly kind: string
      readonly organization: string
      readonly attempt: number
    }
  | undefined
>("sightline/jobs/CurrentJob", { defaultValue: () => undefined })
