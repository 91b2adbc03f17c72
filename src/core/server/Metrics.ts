import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import { inBackground } from "../jobs/Background.ts"

/** The metrics of this process and of the whole service, for a host that serves them at an address of its own. */
export class Metrics extends Context.Service<
  Metrics,
  {
    /** In Prometheus's text format. */
    readonly page: () => Effect.Effect<string>
    /** Reads the gauges of the whole service from the database, at most every five seconds. */
    readonly refresh: () => Effect.Effect<void>
  }
>()("sightline/server/Metrics") {}

/** The key that opens `/metrics`. Without one, the path does not exist. */
export const MetricsKey = Context.Reference<Redacted.Redacted | undefined>("sightline/server/MetricsKey", {
  defaultValue: () => undefined,
})

/** Keeps the gauges fresh for an exporter that sends metrics by itself. */
export const layerMetricsUpkeep = Layer.effectDiscard(
  Effect.gen(function* () {
    const { refresh } = yield* Metrics
    yield* inBackground(Effect.forever(Effect.andThen(Effect.suspend(refresh), Effect.sleep("10 seconds"))))
  }),
)
