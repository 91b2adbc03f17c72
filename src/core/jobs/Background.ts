import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import * as Layer from "effect/Layer"
import * as Random from "effect/Random"
import type { Scope } from "effect/Scope"
import { DatabaseUnavailable } from "../ports/DatabaseUnavailable.ts"
import { Commits } from "../storage/Commits.ts"
import { asBackground } from "../storage/CurrentClass.ts"
import { Database, WhenDiskFull } from "../storage/Database.ts"
import { Notifications, readNotice } from "../storage/notifications.ts"
import { keepListening } from "./keepListening.ts"
import { OwnWork } from "./kinds.ts"
import type { Chore, Work } from "./work.ts"

/** The work that a tick did, by the names of work and chores, and whether due work remains. */
export interface TickReport {
  readonly done: Readonly<Record<string, number>>
  readonly remaining: boolean
}

/**
 * How often a process asks the database for due work: after work, soon again, because work causes work; while idle, less than
 * once in five seconds. Work enqueued in this process wakes its loops at once, and so do notifications of other processes.
 */
export const PollSeconds = Context.Reference("sightline/jobs/PollSeconds", {
  defaultValue: () => ({ min: 0.5, max: 8, jitter: 0.2 }),
})

/** A tick ends once nothing was due for this long: a changed deal's record is due two seconds after the change. */
const QUIET_MS = 3000
const RETRY_MS = 2000
/** If more organizations committed meanwhile, the work looks at all at once. */
const MAX_CHECKED_COMMITS = 8

interface Registered {
  readonly work: Work<never>
  /** `times` detects a wake-up that arrives during a round. */
  readonly latch: Latch.Latch
  times: number
}

/** The background work of this process: it registers here, and runs in loops or, on short-lived hosts, in ticks. */
export class Background extends Context.Service<
  Background,
  {
    /** Registers work, and runs it in loops until the scope closes, unless this process does no such work. */
    readonly work: <R>(work: Work<R>) => Effect.Effect<void, never, R | Scope>
    /** Registers a chore, and runs it at its interval until the scope closes, unless this process does no upkeep. */
    readonly chore: <R>(chore: Chore<R>) => Effect.Effect<void, never, R | Scope>
    /** Wakes the loops of some work. Call it after the commit. */
    readonly wake: (name: string) => Effect.Effect<void>
    /** Does due work for at most `seconds`. Work that is cut short is returned to its queue. */
    readonly tick: (seconds: number) => Effect.Effect<TickReport>
  }
>()("sightline/jobs/Background") {
  static readonly layer = Layer.effect(
    Background,
    Effect.gen(function* () {
      const { sql, unscoped } = yield* Database
      const { isOn, does } = yield* OwnWork
      const notifications = yield* Notifications
      const pollSeconds = yield* PollSeconds
      const commits = yield* Commits
      const registered = new Set<Registered>()
      const chores: Array<Chore<never>> = []

      const names = () => [...new Set([...registered].map(({ work }) => work.name))]
      const findDue = Effect.map(
        Effect.suspend(() => {
          const model = [...registered].find(({ work }) => work.model !== undefined)?.work.model ?? null
          return unscoped<{ name: string }>(sql`select name from due_work(${names()}::text[], ${model}::text) as name`)
        }),
        (rows) => rows.map(({ name }) => name),
      )
      /** Gives the chore to the first of several processes that asks. */
      const claim = ({ name, everySeconds, isLocal }: Chore<never>) =>
        isLocal === true
          ? Effect.succeed(true)
          : Effect.map(
              unscoped(sql`insert into chores (name) values (${name}) on conflict (name) do update set ran_at = now()
                where chores.ran_at <= now() - ${everySeconds}::int * interval '1 second' returning name`),
              (rows) => rows.length > 0,
            )
      const runChore = (chore: Chore<never>) =>
        Effect.flatMap(claim(chore), (isOurs) => (isOurs ? Effect.as(chore.run, 1) : Effect.succeed(0)))

      const wake = (name: string) => {
        for (const entry of registered) {
          if (entry.work.name !== name) continue
          entry.times++
          entry.latch.openUnsafe()
        }
      }
      /** Wakes work that is due in an organization, or somewhere. */
      const wakeDue = (name: string, org?: string) => {
        for (const { work } of registered) if (work.name === name) work.onDue?.(org)
        wake(name)
      }
      /** While the database is unreachable or full, each request that needs it says so. */
      const logFailure = (name: string) => (cause: Cause.Cause<unknown>) =>
        Cause.squash(cause) instanceof DatabaseUnavailable
          ? Effect.logDebug(`${name}: the work waits for the database`)
          : Effect.logWarning(`${name}: the work failed`, cause)

      /** Open after some work was done, until the next poll. */
      const worked = Latch.makeUnsafe(false)

      const loop = (entry: Registered) =>
        Effect.gen(function* () {
          const { work, latch } = entry
          const seen = entry.times
          const did = yield* Effect.catchCause(work.round, (cause) =>
            Effect.as(Effect.andThen(logFailure(work.name)(cause), Effect.sleep(work.retryMs ?? RETRY_MS)), 0),
          )
          if (did > 0) return worked.openUnsafe()
          if (work.rest !== undefined) yield* work.rest
          if (entry.times === seen) {
            latch.closeUnsafe()
            yield* latch.await
          }
          if (work.delayMs !== undefined) yield* Effect.sleep(work.delayMs)
        }).pipe(Effect.forever)

      const lookForDue = Effect.gen(function* () {
        const due = registered.size === 0 ? [] : yield* Effect.orElseSucceed(findDue, () => [])
        for (const name of due) wakeDue(name)
      })
      const poll = Effect.gen(function* () {
        const { min, max, jitter } = pollSeconds
        let seconds = min
        for (;;) {
          const factor = yield* Random.nextBetween(1 - jitter, 1 + jitter)
          const pause = Effect.sleep(`${seconds * factor} seconds`)
          const hasWorked = yield* Effect.raceFirst(Effect.as(pause, false), Effect.as(worked.await, true))
          if (hasWorked) {
            worked.closeUnsafe()
            yield* Effect.sleep(`${min} seconds`)
          }
          seconds = hasWorked ? min : Math.min(seconds * 2, max)
          yield* lookForDue
        }
      })
      const heed = (payload: string) => {
        const notice = readNotice(payload, notifications?.sender)
        if (notice === undefined) return
        for (const kind of notice.kinds) wakeDue(kind, notice.org)
      }
      if (isOn) yield* inBackground(poll)
      // What became due before the server listened was not heard.
      if (isOn && notifications?.listen !== undefined)
        yield* inBackground(keepListening(notifications.listen, { onListening: lookForDue, onNotice: heed }))

      /** Wakes work on commits that concern it. Commits that arrive during a check are checked together afterwards. */
      const followCommits = Effect.fnUntraced(function* (
        name: string,
        mayHaveWork: (org: string) => Effect.Effect<boolean, unknown>,
      ) {
        const committed = new Set<string>()
        const latch = Latch.makeUnsafe(false)
        const listen = (org: string) => {
          committed.add(org)
          latch.openUnsafe()
        }
        yield* Effect.acquireRelease(
          Effect.sync(() => commits.subscribe(listen)),
          (unsubscribe) => Effect.sync(unsubscribe),
        )
        const check = Effect.gen(function* () {
          yield* latch.await
          latch.closeUnsafe()
          const orgs = [...committed]
          committed.clear()
          if (orgs.length > MAX_CHECKED_COMMITS) return wake(name)
          for (const org of orgs)
            if (yield* Effect.catchCause(mayHaveWork(org), () => Effect.succeed(true))) return wake(name)
        })
        yield* inBackground(Effect.forever(check))
      })

      /** Runs rounds until nothing is due. */
      const drain = (work: Work<never>, report: (name: string, count: number) => void) =>
        Effect.gen(function* () {
          let did = 0
          for (let count = yield* work.round; count > 0; count = yield* work.round) {
            did += count
            report(work.name, count)
          }
          if (did > 0 && work.settle !== undefined) yield* work.settle
        }).pipe(Effect.catchCause(logFailure(work.name)))

      const tick = Effect.fn("Background.tick")(function* (seconds: number) {
        const done: Record<string, number> = {}
        let lastMs = -Infinity
        const report = (name: string, count: number) => {
          done[name] = (done[name] ?? 0) + count
        }
        const pass = Effect.gen(function* () {
          const before = JSON.stringify(done)
          yield* Effect.forEach(registered, ({ work }) => drain(work, report), { concurrency: "unbounded" })
          return JSON.stringify(done) !== before
        })
        const doAll = Effect.gen(function* () {
          for (const chore of chores) {
            const count = yield* Effect.catchCause(runChore(chore), (cause) =>
              Effect.as(logFailure(chore.name)(cause), 0),
            )
            if (count > 0) report(chore.name, count)
          }
          lastMs = yield* Clock.currentTimeMillis
          while ((yield* Clock.currentTimeMillis) - lastMs < QUIET_MS) {
            if (yield* pass) lastMs = yield* Clock.currentTimeMillis
            else yield* Effect.sleep(QUIET_MS / 10)
          }
        })
        const isOver = yield* Effect.provideService(
          Effect.timeoutOrElse(Effect.as(doAll, false), {
            duration: `${seconds} seconds`,
            orElse: () => Effect.succeed(true),
          }),
          WhenDiskFull,
          "wait",
        ).pipe(asBackground)
        const due = yield* Effect.orElseSucceed(findDue, () => ["unknown"])
        return { done, remaining: isOver || due.length > 0 }
      })

      return Background.of({
        work: Effect.fnUntraced(function* <R>(work: Work<R>) {
          if (!does(work.name)) return
          const context = yield* Effect.context<R>()
          const bound: Work<never> = { ...work, round: Effect.provideContext(work.round, context) }
          const entry: Registered = { work: bound, latch: Latch.makeUnsafe(false), times: 0 }
          yield* Effect.acquireRelease(
            Effect.sync(() => registered.add(entry)),
            () => Effect.sync(() => registered.delete(entry)),
          )
          if (!isOn) return
          for (let n = 0; n < (work.loops ?? 1); n++) yield* inBackground(loop(entry))
          const { followsCommits } = work
          if (followsCommits === undefined) return
          yield* followCommits(work.name, followsCommits)
        }),
        chore: Effect.fnUntraced(function* <R>(chore: Chore<R>) {
          if (chore.isLocal !== true && !does("upkeep")) return
          const context = yield* Effect.context<R>()
          const bound: Chore<never> = { ...chore, run: Effect.provideContext(chore.run, context) }
          chores.push(bound)
          if (!isOn) return
          const round = Effect.catchCause(runChore(bound), logFailure(chore.name))
          yield* inBackground(Effect.forever(Effect.andThen(round, Effect.sleep(`${chore.everySeconds} seconds`))))
        }),
        wake: (name) => Effect.sync(() => wake(name)),
        tick,
      })
    }),
  )
}

/**
 * Runs `work` in the background until the scope closes. It starts after a random delay of 100 to 500 ms, so that workers
 * neither slow the first requests down nor each open a database connection at once. It is of the class `background`. When the disk is
 * full, its writes wait for space. Its spans are hidden except below an `entrySpan`.
 */
export const inBackground = <A, E, R>(work: Effect.Effect<A, E, R>) =>
  Effect.flatMap(Random.nextIntBetween(100, 500), (ms) => Effect.delay(work, ms)).pipe(
    Effect.provideService(WhenDiskFull, "wait"),
    asBackground,
    Effect.withTracerEnabled(false),
    Effect.forkScoped,
  )
