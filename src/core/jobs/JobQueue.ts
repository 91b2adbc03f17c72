import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import type { SqlError } from "effect/sql/SqlError"
import type { Fragment } from "effect/sql/Statement"
import { makeId } from "../common/ids.ts"
import type { DatabaseUnavailable } from "../ports/DatabaseUnavailable.ts"
import { Database, Room, unavailable, WhenFull } from "../storage/Database.ts"
import { utc } from "../storage/sql.ts"

/** A job as one attempt at it sees it. */
export interface Job {
  readonly org: string
  readonly id: string
  /** What it is about: a document, an export. */
  readonly subject: string
  /** Counts from 1. */
  readonly attempt: number
  /** Counts from 1 too, and is never the same for two holders. */
  readonly epoch: number
  /** Tells those who ask how far it is, a moment later: of what is quick nothing is told. */
  readonly report: (stage: string, progress: number) => Effect.Effect<void>
  /** Ends the job in one transaction with its last write; fails when another has taken the job over. */
  readonly finish: <A, E, R>(
    last: Effect.Effect<A, E, R>,
  ) => Effect.Effect<A, Exclude<E, SqlError> | JobLost | DatabaseUnavailable, R>
}

/** As `GET /runs/{run_id}` tells it; times in ISO 8601. */
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

/** Another worker holds the job now: this attempt's lease lapsed, or the job was cancelled. */
export class JobLost extends Schema.TaggedError<JobLost>()("JobLost", { job: Schema.String }) {}

/** The job cannot succeed. `reason` is for a person, and says what to do. */
export class JobFailed extends Schema.TaggedError<JobFailed>()("JobFailed", { reason: Schema.String }) {}

/** The attempt failed; another may succeed. `reason` is kept if none does. */
export class TryAgain extends Schema.TaggedError<TryAgain>()("TryAgain", { reason: Schema.String }) {}

/** A holder that does not renew for this long has lost the job to whoever asks next. */
export const LEASE_SECONDS = 15
const MOST_ATTEMPTS = 5

/** Seconds until a job that found no room for what it writes is tried again. */
const UNTIL_SPACE = 10

/** Jobs of one kind that run at once for one organization, over all processes. */
export const RunningPerOrganization = Context.Reference<number>("sightline/jobs/RunningPerOrganization", {
  defaultValue: () => 2,
})
const BETWEEN_REPORTS = "300 millis"
/** Seconds between looks for what other processes enqueued, or what fell due: more each time nothing is found. */
const POLL = { least: 0.5, most: 3 }

/** Work that outlives the request: kept in the database, done by any process, by one at a time, until it ends. */
export class JobQueue extends Context.Service<
  JobQueue,
  {
    /** Enqueues within the caller's transaction: with it, or not at all. Answers the job's id. */
    readonly enqueue: (
      org: string,
      job: { readonly kind: string; readonly subject: string; readonly prefix: string },
    ) => Effect.Effect<string, DatabaseUnavailable>
    /** Calls off what is to be done with a subject, within the caller's transaction. Who works on it is interrupted within a third of the lease. */
    readonly cancel: (org: string, subject: string) => Effect.Effect<void, DatabaseUnavailable>
    /**
     * How many seconds the job has waited that waits longest, of the kinds that this process works at, where none of its
     * kind is being worked on: behind a long recording it waits its turn, and nothing is wrong. Fails where the database
     * has no room for what they would write.
     */
    readonly longestWait: Effect.Effect<number, DatabaseUnavailable>
    /** Wakes this process's workers at a kind; call it after the transaction that enqueued. */
    readonly wake: (kind: string) => Effect.Effect<void>
    readonly find: (org: string, id: string) => Effect.Effect<JobStatus | undefined, DatabaseUnavailable>
    /** Works until interrupted; an attempt then interrupted is given back, uncounted. */
    readonly work: <R>(
      kind: string,
      handle: (job: Job) => Effect.Effect<void, JobFailed | TryAgain | JobLost | DatabaseUnavailable, R>,
      /** In the transaction that ends a job without success. */
      onFailed: (job: Job, reason: string) => Effect.Effect<void, DatabaseUnavailable, R>,
    ) => Effect.Effect<never, never, R>
  }
>()("sightline/jobs/JobQueue") {
  static readonly layer = Layer.effect(
    JobQueue,
    Effect.gen(function* () {
      const database = yield* Database
      const { sql } = database
      const perOrganization = yield* RunningPerOrganization
      /** Those who wait for a job of a kind, and how often they were woken: one may be while it looks. */
      const wakings = new Map<string, { readonly latch: Latch.Latch; times: number }>()
      const wakingOf = (kind: string) => {
        const waking = wakings.get(kind) ?? { latch: Latch.makeUnsafe(false), times: 0 }
        wakings.set(kind, waking)
        return waking
      }
      const kinds = new Set<string>()
      const lease = sql.literal(`interval '${LEASE_SECONDS} seconds'`)

      /** Writes to a job, in a transaction, only as its present holder. */
      const set = Effect.fnUntraced(function* ({ org_id, id, epoch }: Claimed, values: Fragment) {
        const rows = yield* sql`update jobs set ${values}
          where org_id = ${org_id} and id = ${id} and epoch = ${epoch} and state = 'running' returning id`
        if (rows.length === 0) return yield* new JobLost({ job: id })
      })
      const write = (row: Claimed, values: Fragment) =>
        Effect.provideService(database.transaction(row.org_id, set(row, values)), WhenFull, "goes on")
      const completed = sql`state = 'completed', stage = 'completed', progress = 1, ended_at = now(), lease_until = null`

      const room = unavailable(yield* Room)
      /** None is asked where there is no room for what would follow. */
      const withRoom = <Row extends object>(statement: Fragment) =>
        Effect.andThen(room, database.unscoped<Row>(statement))

      const attempt = Effect.fnUntraced(function* <R>(
        row: Claimed,
        handle: (job: Job) => Effect.Effect<void, JobFailed | TryAgain | JobLost | DatabaseUnavailable, R>,
        onFailed: (job: Job, reason: string) => Effect.Effect<void, DatabaseUnavailable, R>,
      ) {
        const { org_id: org, id, subject, epoch } = row
        let phase: "running" | "finishing" | "finished" = "running"
        let told: Fragment | undefined
        /** While the job ends itself, that it runs no more is no loss. */
        const keep = (values: Fragment) =>
          Effect.catchTags(write(row, values), {
            DatabaseUnavailable: () => Effect.void,
            JobLost: (lost) => (phase === "running" ? Effect.fail(lost) : Effect.never),
          })
        const renew = Effect.andThen(
          Effect.sleep(`${LEASE_SECONDS / 3} seconds`),
          Effect.suspend(() => keep(sql`lease_until = now() + ${lease}`)),
        )
        const tell = Effect.andThen(
          Effect.sleep(BETWEEN_REPORTS),
          Effect.suspend(() => {
            const values = told
            told = undefined
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
              told = sql`stage = ${stage}, progress = ${progress}::real, lease_until = now() + ${lease}`
            }),
          finish: (last) =>
            Effect.suspend(() => {
              phase = "finishing"
              return Effect.onExit(database.transaction(org, Effect.andThen(set(row, completed), last)), (exit) =>
                Effect.sync(() => {
                  phase = exit._tag === "Success" ? "finished" : "running"
                }),
              )
            }),
        }
        const fail = (reason: string) =>
          Effect.ignore(
            database
              .transaction(
                org,
                Effect.andThen(
                  set(row, sql`state = 'failed', error = ${reason}, ended_at = now(), lease_until = null`),
                  onFailed(job, reason),
                ),
              )
              .pipe(Effect.provideService(WhenFull, "goes on")),
          )
        const again = (reason: string) =>
          row.attempts >= MOST_ATTEMPTS
            ? fail(reason)
            : Effect.ignore(
                write(
                  row,
                  sql`state = 'queued', stage = 'queued', error = ${reason}, lease_until = null,
                    due_at = now() + ${Math.min(2 ** row.attempts, 300)}::int * interval '1 second'`,
                ),
              )
        const giveBack = (seconds: number) =>
          Effect.ignore(
            write(
              row,
              sql`state = 'queued', attempts = attempts - 1, lease_until = null,
                due_at = now() + ${seconds}::int * interval '1 second'`,
            ),
          )
        // The attempts before ended with their process, each time.
        if (row.attempts > MOST_ATTEMPTS)
          return yield* fail("every attempt ended without an error message; try again, or use a smaller file")
        yield* Effect.raceAllFirst([handle(job), Effect.forever(renew), Effect.forever(tell)]).pipe(
          Effect.andThen(Effect.suspend(() => (phase === "finished" ? Effect.void : write(row, completed)))),
          Effect.catchTags({
            JobFailed: ({ reason }) => fail(reason),
            TryAgain: ({ reason }) => again(reason),
            DatabaseUnavailable: ({ reason }) =>
              reason === "no_space" ? giveBack(UNTIL_SPACE) : again("the database was unreachable"),
            JobLost: () => Effect.void,
          }),
          Effect.catchDefect((defect) =>
            Effect.andThen(Effect.logError("job failed", { job: id }, defect), again("the server failed")),
          ),
          Effect.onInterrupt(() => giveBack(0)),
        )
      })

      return JobQueue.of({
        enqueue: Effect.fn("JobQueue.enqueue")(function* (org: string, { kind, subject, prefix }) {
          const id = yield* makeId(prefix)
          yield* unavailable(sql`insert into jobs ${sql.insert({ org_id: org, id, kind, subject })}`)
          return id
        }),
        cancel: (org, subject) =>
          Effect.asVoid(
            unavailable(sql`update jobs set state = 'cancelled', ended_at = now(), lease_until = null
              where org_id = ${org} and subject = ${subject} and state in ('queued', 'running')`),
          ),
        longestWait: Effect.map(
          Effect.suspend(() =>
            Effect.provideService(
              withRoom<{ seconds: number }>(sql`select longest_wait(${[...kinds]}::text[]) as seconds`),
              WhenFull,
              "refused",
            ),
          ),
          ([row]) => row?.seconds ?? 0,
        ),
        wake: (kind) =>
          Effect.suspend(() => {
            const waking = wakingOf(kind)
            waking.times++
            return Effect.asVoid(waking.latch.release)
          }),
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
        work: (kind, handle, onFailed) =>
          Effect.suspend(() => {
            let pause = POLL.least
            const waking = wakingOf(kind)
            kinds.add(kind)
            return Effect.gen(function* () {
              const seen = waking.times
              const claimed = yield* Effect.catch(
                withRoom<Claimed>(sql`select * from claim_job(${kind}, ${lease}, ${perOrganization}::int)`),
                () => Effect.as(Effect.sleep("2 seconds"), []),
              )
              const [row] = claimed
              if (row === undefined) {
                const woken = Effect.suspend(() => (waking.times === seen ? waking.latch.await : Effect.void))
                yield* Effect.raceFirst(woken, Effect.sleep(`${pause} seconds`))
              } else yield* attempt(row, handle, onFailed)
              pause = row === undefined && waking.times === seen ? Math.min(pause * 2, POLL.most) : POLL.least
            }).pipe(
              // Whatever befalls a worker, it works on.
              Effect.catchDefect((defect) =>
                Effect.andThen(Effect.logError("a job worker failed and continues", defect), Effect.sleep("2 seconds")),
              ),
              Effect.forever,
            )
          }),
      })
    }),
  )
}

interface Claimed {
  readonly org_id: string
  readonly id: string
  readonly subject: string
  readonly epoch: number
  readonly attempts: number
}
