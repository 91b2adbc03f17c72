import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { Fiber } from "effect/Fiber"
import * as Metric from "effect/Metric"
import { orElseAfter } from "../common/orElseAfter.ts"
import { DatabaseUnavailable } from "../ports/DatabaseUnavailable.ts"
import { observe } from "../telemetry/family.ts"
import { admissions, admissionsRefused, admissionsRunning, admissionsWaiting } from "../telemetry/metrics.ts"
import { CurrentClass } from "./CurrentClass.ts"
import { HostTransaction } from "./hostTransaction.ts"
import { NOBODY, Permits, type Ticket, WORK_CLASSES, type WorkClass } from "./Permits.ts"

/** How long work waits in its line. A part of an import or job is not refused while the machine is merely busy. */
const LINE_TIMEOUT_MS = { short: 5_000, heavy: 5_000, background: 60_000 } as const

const RETRY_SECONDS = { least: 1, most: 30 } as const

/** The time in which a request that has the reply to a statement asks for its next one. */
const NEXT_STATEMENT_MS = 1

/** The permit that this fiber works with. Statements within its transaction need no other, which they could wait for forever. */
const CurrentTicket = Context.Reference<Ticket | undefined>("sightline/storage/CurrentTicket", {
  defaultValue: () => undefined,
})

/** Whether this fiber has a connection: it runs in a transaction, ours or the host's. A fiber that outlived its transaction has none. */
export const hasConnection = (fiber: Fiber<unknown, unknown>): boolean =>
  fiber.getRef(CurrentTicket)?.state === "running" || fiber.getRef(HostTransaction) !== undefined

/** Makes the function that runs an effect with one of `size` permits, once `Permits` grants it. */
export const makeAdmit = Effect.fnUntraced(function* (size: number) {
  const { currentTimeMillisUnsafe } = yield* Clock.Clock
  const permits = new Permits(size, (grant) => {
    const granting = Effect.sync(() => grant(currentTimeMillisUnsafe()))
    Effect.runFork(Effect.andThen(Effect.sleep(NEXT_STATEMENT_MS), granting))
  })
  /** How long work of a class held its permit lately, in milliseconds. */
  const heldMs = { short: 10, heavy: 1_000, background: 100 }
  for (const workClass of WORK_CLASSES) {
    yield* observe(admissionsRunning({ class: workClass }), () => permits.running[workClass])
    yield* observe(admissionsWaiting({ class: workClass }), () => permits.waiting[workClass])
    // A counter shows before the first refusal, so that its rate has a start.
    yield* Metric.update(admissionsRefused({ class: workClass }), 0)
  }

  const refuse = (org: string, workClass: WorkClass, context: Context.Context<never>) => {
    admissionsRefused({ class: workClass }).updateUnsafe(1, context)
    const { waiting, ...standing } = permits.standingOf(org, workClass)
    const seconds = Math.ceil((heldMs[workClass] * (waiting + 1)) / standing.most / 1000)
    return busy(org, workClass, {
      ...standing,
      retryAfterSeconds: Math.min(Math.max(seconds, RETRY_SECONDS.least), RETRY_SECONDS.most),
    })
  }

  const admit = <A, E, R>(org: string, effect: Effect.Effect<A, E, R>): Effect.Effect<A, E | DatabaseUnavailable, R> =>
    Effect.uninterruptibleMask((restore) =>
      Effect.withFiber<A, E | DatabaseUnavailable, R>((fiber) => {
        const { context } = fiber
        const workClass = fiber.getRef(CurrentClass)
        const clock = fiber.getRef(Clock.Clock)
        const ticket = permits.enter(org, workClass, clock.currentTimeMillisUnsafe())
        if (ticket === undefined) return Effect.fail(refuse(org, workClass, context))
        let beganMs = 0
        const running = Effect.suspend(() => {
          beganMs = clock.currentTimeMillisUnsafe()
          admissions({ class: workClass }).updateUnsafe(1, context)
          return Effect.provideService(effect, CurrentTicket, ticket)
        })
        const refused = Effect.suspend(() => Effect.fail(refuse(org, workClass, context)))
        const admitted =
          ticket.state === "running"
            ? running
            : Effect.andThen(
                granted(ticket).pipe(
                  orElseAfter(LINE_TIMEOUT_MS[workClass], () =>
                    // It may have come in the same moment.
                    ticket.state === "running" ? Effect.void : refused,
                  ),
                ),
                running,
              )
        return Effect.onExit(restore(admitted), () =>
          Effect.sync(() => {
            const nowMs = clock.currentTimeMillisUnsafe()
            if (beganMs > 0) heldMs[workClass] += (nowMs - beganMs - heldMs[workClass]) / 16
            permits.leave(ticket, nowMs)
          }),
        )
      }),
    )
  return { admit, permits }
})

const granted = (ticket: Ticket) =>
  Effect.callback<void>((resume) => {
    if (ticket.state === "running") resume(Effect.void)
    else ticket.onGrant = () => resume(Effect.void)
  })

const NOUNS = {
  short: ["request", "requests"],
  heavy: ["report or question", "reports or questions"],
  background: ["job", "jobs"],
} as const

const busy = (
  org: string,
  workClass: WorkClass,
  standing: { running: number; most: number; isShared: boolean; retryAfterSeconds: number },
) => {
  if (org === NOBODY)
    return new DatabaseUnavailable({
      message: "the server is too busy to begin this; try again shortly",
      details: { reason: "busy" },
    })
  const { running, most, isShared, retryAfterSeconds } = standing
  const [one, many] = NOUNS[workClass]
  const atMost = `at most ${most} run at once${isShared ? " while others wait" : ""}`
  return new DatabaseUnavailable({
    message:
      running === 0
        ? `the server is busy, and none of the ${many} of this organization could begin; ${atMost}`
        : `${running} ${running === 1 ? `${one} of this organization is` : `${many} of this organization are`} running; ${atMost}`,
    reason: "concurrency",
    details: { scope: "concurrency" },
    limit: most,
    retryAfterSeconds,
  })
}
