import { assert, describe, layer } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import { type Job, JobFailed, type JobLost, JobQueue, TryAgain } from "../../src/core/jobs/JobQueue.ts"
import type { DatabaseUnavailable } from "../../src/core/ports/DatabaseUnavailable.ts"
import { Database } from "../../src/core/storage/Database.ts"
import { Organizations } from "../../src/core/catalogue/Organizations.ts"
import { engines } from "../support/engines.ts"
import { lateEffect, untilEffect } from "../support/until.ts"
import { layerOrganizations } from "../support/organizations.ts"
import { UNLIMITED } from "../support/unlimited.ts"

const waitForState = (org: string, id: string, ...states: ReadonlyArray<string>) =>
  untilEffect(
    `job ${id} is ${states.join(" or ")}`,
    Effect.gen(function* () {
      const status = yield* (yield* JobQueue).find(org, id)
      return status !== undefined && states.includes(status.state) ? status : undefined
    }),
  )
const waitForEnd = (org: string, id: string) => waitForState(org, id, "completed", "failed")

const enqueue = (org: string, kind: string, subject = "subject") =>
  Effect.gen(function* () {
    const queue = yield* JobQueue
    const { transaction } = yield* Database
    const id = yield* transaction(org, queue.enqueue(org, { kind, subject, prefix: "run" }))
    yield* queue.wake(kind, org)
    return id
  })

const never = () => Effect.void

for (const engine of engines) {
  const services = Layer.merge(JobQueue.layer, layerOrganizations).pipe(
    Layer.provideMerge(Database.layer),
    Layer.provide(engine.database),
  )
  describe(`JobQueue on ${engine.name}`, () => {
    layer(services, { excludeTestServices: true })((it) => {
      const organization = Effect.map(
        Effect.flatMap(Organizations, (organizations) => organizations.create({ name: "Acme", plan: UNLIMITED })),
        ({ id }) => id,
      )
      const startWorker = <R = never>(
        kind: string,
        handle: (job: Job) => Effect.Effect<void, JobFailed | TryAgain | JobLost | DatabaseUnavailable, R>,
        onFailed: (job: Job, reason: string) => Effect.Effect<void> = never,
      ) =>
        Effect.flatMap(JobQueue, (queue) =>
          Effect.forkChild(Effect.scoped(Effect.andThen(queue.work(kind, handle, onFailed), Effect.never))),
        )

      it.effect("runs each job once across several workers, and reports progress", () =>
        Effect.gen(function* () {
          const org = yield* organization
          const done: Array<string> = []
          const workers = yield* Effect.forEach(Array.from({ length: 3 }), () =>
            startWorker("once", (job) =>
              Effect.gen(function* () {
                yield* job.report("opening", 0.1)
                yield* job.report("reading", 0.5)
                if (job.subject === "s0") {
                  const find = (yield* JobQueue).find(org, job.id)
                  const { progress } = yield* untilEffect(
                    "the job is reading",
                    Effect.map(find, (status) => (status?.stage === "reading" ? status : undefined)),
                  )
                  assert.strictEqual(progress, 0.5)
                }
                done.push(job.subject)
              }),
            ),
          )
          const ids = yield* Effect.forEach(Array.from({ length: 12 }), (_, index) => enqueue(org, "once", `s${index}`))
          for (const id of ids) assert.strictEqual((yield* waitForEnd(org, id)).state, "completed")
          assert.sameMembers(
            done,
            ids.map((_, index) => `s${index}`),
          )
          yield* Fiber.interruptAll(workers)
        }),
      )

      it.effect("retries jobs that may succeed, and stores the reason of those that cannot", () =>
        Effect.gen(function* () {
          const org = yield* organization
          const reasons: Array<string> = []
          const worker = yield* startWorker(
            "moody",
            (job) =>
              job.subject === "broken"
                ? Effect.fail(new JobFailed({ reason: "the file is encrypted; upload it without a password" }))
                : job.attempt < 2
                  ? Effect.fail(new TryAgain({ reason: "unreachable" }))
                  : Effect.void,
            (_, reason) => Effect.sync(() => void reasons.push(reason)),
          )
          const passing = yield* enqueue(org, "moody", "passing")
          const broken = yield* enqueue(org, "moody", "broken")
          const failed = yield* waitForEnd(org, broken)
          assert.strictEqual(failed.state, "failed")
          assert.strictEqual(failed.error, "the file is encrypted; upload it without a password")
          assert.deepStrictEqual(reasons, [failed.error])
          const passed = yield* waitForEnd(org, passing)
          assert.strictEqual(passed.state, "completed")
          assert.strictEqual(passed.attempts, 2)
          yield* Fiber.interrupt(worker)
        }),
      )

      it.effect("releases its jobs on stop; another worker takes over after a crash", () =>
        Effect.gen(function* () {
          const org = yield* organization
          const database = yield* Database
          const stopped = yield* startWorker("handed", () => Effect.never)
          const id = yield* enqueue(org, "handed")
          yield* waitForState(org, id, "running")
          yield* Fiber.interrupt(stopped)
          const back = yield* (yield* JobQueue).find(org, id)
          assert.strictEqual(back?.state, "queued")
          assert.strictEqual(back?.attempts, 0)

          // The lease of a crashed worker ends; the epoch makes its late writes fail.
          const late: Array<string> = []
          const [held, taken, refused] = [
            yield* Deferred.make<Job>(),
            yield* Deferred.make<void>(),
            yield* Deferred.make<void>(),
          ]
          const crashed = yield* startWorker("handed", (job) =>
            Effect.gen(function* () {
              yield* Deferred.succeed(held, job)
              yield* Deferred.await(taken)
              const write = Effect.sync(() => void late.push("written"))
              yield* Effect.catchTag(job.finish(write), "JobLost", () => Effect.sync(() => void late.push("refused")))
              yield* Deferred.succeed(refused, undefined)
            }).pipe(Effect.uninterruptible),
          )
          const { epoch } = yield* Deferred.await(held)
          const successor = yield* startWorker("handed", () =>
            Effect.andThen(Deferred.succeed(taken, undefined), Deferred.await(refused)),
          )
          yield* untilEffect(
            "the successor holds the job",
            Effect.gen(function* () {
              // The crashed worker may have renewed its lease since.
              yield* database.transaction(
                org,
                database.sql`update jobs set lease_until = now() - interval '1 second'
                  where org_id = ${org} and id = ${id} and epoch = ${epoch}`,
              )
              yield* (yield* JobQueue).wake("handed", org)
              return yield* Deferred.isDone(taken)
            }),
          )
          assert.strictEqual((yield* waitForEnd(org, id)).state, "completed")
          assert.deepStrictEqual(late, ["refused"])
          yield* Fiber.interruptAll([crashed, successor])
        }),
      )

      it.effect("completes a job and its last write together or not at all", () =>
        Effect.gen(function* () {
          const org = yield* organization
          const { scoped, sql } = yield* Database
          const rename = (name: string) => sql`update organizations set name = ${name} where id = ${org}`
          const worker = yield* startWorker("last", (job) =>
            job.subject === "broken"
              ? Effect.asVoid(
                  job.finish(Effect.andThen(rename("Broken"), new JobFailed({ reason: "the disk is full" }))),
                )
              : // The job has completed, so a later failure changes nothing.
                Effect.andThen(job.finish(rename("Renamed")), new JobFailed({ reason: "too late" })),
          )
          const broken = yield* waitForEnd(org, yield* enqueue(org, "last", "broken"))
          const name = scoped<{ name: string }>(org, sql`select name from organizations where id = scope.org`)
          assert.deepStrictEqual([broken.state, yield* name], ["failed", [{ name: "Acme" }]])
          const { state, stage, progress } = yield* waitForEnd(org, yield* enqueue(org, "last", "sound"))
          assert.deepStrictEqual([state, stage, progress], ["completed", "completed", 1])
          assert.deepStrictEqual(yield* name, [{ name: "Renamed" }])
          yield* Fiber.interrupt(worker)
        }),
      )

      it.effect("fails a job whose every attempt killed its process", () =>
        Effect.gen(function* () {
          const org = yield* organization
          const { transaction, sql } = yield* Database
          const id = yield* transaction(
            org,
            (yield* JobQueue).enqueue(org, { kind: "deadly", subject: "subject", prefix: "run" }),
          )
          yield* transaction(
            org,
            sql`update jobs set state = 'running', attempts = 5, lease_until = now() - interval '1 second'
              where org_id = ${org} and id = ${id}`,
          )
          const handled: Array<string> = []
          const reasons: Array<string> = []
          const worker = yield* startWorker(
            "deadly",
            (job) => Effect.sync(() => void handled.push(job.id)),
            (_, reason) => Effect.sync(() => void reasons.push(reason)),
          )
          const { state, error } = yield* waitForEnd(org, id)
          assert.deepStrictEqual([state, handled, reasons], ["failed", [], [error]])
          yield* Fiber.interrupt(worker)
        }),
      )

      it.effect("interrupts a cancelled job, and never runs it again", () =>
        Effect.gen(function* () {
          const org = yield* organization
          const queue = yield* JobQueue
          const handled: Array<string> = []
          const worker = yield* startWorker("called off", ({ subject }) =>
            Effect.gen(function* () {
              handled.push(subject)
              if (subject === "running") yield* Effect.never
            }).pipe(Effect.onInterrupt(() => Effect.sync(() => void handled.push("interrupted")))),
          )
          const running = yield* enqueue(org, "called off", "running")
          yield* waitForState(org, running, "running")
          const waiting = yield* enqueue(org, "called off", "waiting")
          const { transaction } = yield* Database
          yield* transaction(org, queue.cancel(org, "waiting"))
          yield* transaction(org, queue.cancel(org, "running"))
          // The worker takes the oldest job first.
          yield* waitForEnd(org, yield* enqueue(org, "called off", "last"))
          assert.deepStrictEqual(handled, ["running", "interrupted", "last"])
          for (const id of [running, waiting]) {
            assert.strictEqual((yield* queue.find(org, id))?.state, "cancelled")
          }
          yield* Fiber.interrupt(worker)
        }),
      )

      it.effect("reports the longest wait of a job that this process could run", () =>
        Effect.gen(function* () {
          const org = yield* organization
          const queue = yield* JobQueue
          const { transaction, sql } = yield* Database
          assert.isBelow((yield* queue.longestWait)!, 60)
          const set = (subject: string, changed: string) =>
            transaction(
              org,
              sql`update jobs set ${sql.literal(changed)} where org_id = ${org} and subject = ${subject}`,
            )
          yield* transaction(org, queue.enqueue(org, { kind: "unattended", subject: "waiting", prefix: "run" }))
          yield* set("waiting", "due_at = now() - interval '90 seconds'")
          // This process does not work on jobs of that kind.
          assert.isBelow((yield* queue.longestWait)!, 60)
          yield* transaction(org, queue.enqueue(org, { kind: "attended", subject: "other", prefix: "run" }))
          const claimed = yield* Deferred.make<void>()
          const worker = yield* startWorker("attended", () =>
            Effect.andThen(Deferred.succeed(claimed, undefined), Effect.never),
          )
          yield* Deferred.await(claimed)
          yield* Fiber.interrupt(worker)
          yield* set("other", "claimed_at = null")
          yield* set("waiting", "kind = 'attended'")
          assert.isAtLeast((yield* queue.longestWait)!, 90)
          const long = `state = 'running', claimed_at = now() - interval '90 seconds', lease_until = now()`
          yield* set("other", `${long} + interval '1 hour'`)
          assert.isBelow((yield* queue.longestWait)!, 60)
          // The holder crashed.
          yield* set("other", `${long} - interval '1 second'`)
          assert.isAtLeast((yield* queue.longestWait)!, 90)
          yield* set("other", `claimed_at = now()`)
          assert.isBelow((yield* queue.longestWait)!, 60)
          for (const subject of ["waiting", "other"]) yield* transaction(org, queue.cancel(org, subject))
        }),
      )

      it.effect("does not let one organization starve another", () =>
        Effect.gen(function* () {
          const busy = yield* organization
          const quiet = yield* organization
          const order: Array<string> = []
          for (let index = 0; index < 10; index++) yield* enqueue(busy, "fair")
          const id = yield* enqueue(quiet, "fair")
          const workers = yield* Effect.forEach(Array.from({ length: 3 }), () =>
            startWorker("fair", (job) =>
              Effect.andThen(
                Effect.sync(() => void order.push(job.org)),
                lateEffect(100),
              ),
            ),
          )
          yield* waitForEnd(quiet, id)
          assert.isBelow(order.indexOf(quiet), 4)
          yield* Fiber.interruptAll(workers)
        }),
      )
    })
  })
}
