import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import type { Scope } from "effect/Scope"

/** A metric as the documentation, the dashboard and the alerts name it. */
export interface Declared {
  readonly type: "counter" | "gauge" | "histogram"
  readonly description: string
  readonly labels: ReadonlyArray<string>
}

/** Every metric of this process's code by name. */
export const DECLARED = new Map<string, Declared>()

type Labels<Label extends string> = { readonly [K in Label]: string }

interface Made<M> {
  metric: M | undefined
  readonly next: Map<string, Made<M>>
}

/** Bounds in seconds, from a cached refusal to the longest answer or job. */
const SECONDS = Metric.boundariesFromIterable([
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 600, 3600,
])

/**
 * Metrics of one name, one for each set of labels. Code alone decides the labels, so their number is bounded: never a path, an
 * organization or a caller's text. Each metric is made once, because making one costs more than updating it.
 */
const family =
  <M>(
    type: Declared["type"],
    make: (name: string, options: { readonly description: string; readonly attributes: Record<string, string> }) => M,
  ) =>
  <const Label extends string = never>(name: string, description: string, ...labels: ReadonlyArray<Label>) => {
    DECLARED.set(name, { type, description, labels })
    // By the first label's value, then the second's, and so on: a key of all of them would be a new text for each update.
    const made: Made<M> = { metric: undefined, next: new Map() }
    return (values: Labels<Label>): M => {
      let at = made
      for (const label of labels) {
        let next = at.next.get(values[label])
        if (next === undefined) at.next.set(values[label], (next = { metric: undefined, next: new Map() }))
        at = next
      }
      return (at.metric ??= make(name, { description, attributes: { ...values } }))
    }
  }

export const counter = family("counter", (name, options) => Metric.counter(name, { ...options, incremental: true }))
export const gauge = family("gauge", (name, options) => Metric.gauge(name, options))
export const histogram = family("histogram", (name, options) =>
  Metric.histogram(name, { ...options, boundaries: SECONDS }),
)

/** Reads a gauge from `read` whenever the metrics are read, until the scope closes. Costs nothing otherwise. */
export const observe = (metric: Metric.Gauge<number>, read: () => number): Effect.Effect<void, never, Scope> =>
  Effect.contextWith((context) =>
    Effect.asVoid(
      Effect.acquireRelease(
        Effect.sync(() =>
          Metric.registerUnsafe(metric, context, {
            get: () => ({ value: read() }),
            update: () => {},
            modify: () => {},
          }),
        ),
        (registration) => Effect.sync(() => registration.remove()),
      ),
    ),
  )

const NANOSECONDS = 1e9

/** Returns a function that tells the seconds since. */
export const startTimer = (context: Context.Context<never>) => {
  const clock = Context.get(context, Clock.Clock)
  const began = clock.monotonicTimeNanosUnsafe()
  return () => Number(clock.monotonicTimeNanosUnsafe() - began) / NANOSECONDS
}

/** Records the seconds that an effect runs, whatever its outcome. */
export const timed =
  (metric: Metric.Histogram<number>) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.contextWith((context: Context.Context<never>) => {
      const elapsed = startTimer(context)
      return Effect.ensuring(
        effect,
        Effect.sync(() => metric.updateUnsafe(elapsed(), context)),
      )
    })
