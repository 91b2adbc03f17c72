import process from "node:process"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import { observe } from "../../core/telemetry/family.ts"
import { buildInfo, loopLag, processMemory } from "../../core/telemetry/metrics.ts"
import { VERSION } from "../version.ts"

/** Milliseconds between samples of the event loop. */
const RESOLUTION_MS = 20

/** Metrics of this process. The event loop's delay is missing on runtimes that do not measure it. */
export const layerProcessMetrics = Layer.effectDiscard(
  Effect.gen(function* () {
    const runtime = "Bun" in globalThis ? "bun" : "Deno" in globalThis ? "deno" : "node"
    yield* Metric.update(buildInfo({ version: VERSION, runtime }), 1)
    yield* observe(processMemory({}), () => process.memoryUsage.rss())
    const delay = yield* Effect.acquireRelease(Effect.sync(measureDelay), (opened) =>
      Effect.sync(() => opened?.disable()),
    )
    if (delay === undefined) return
    yield* observe(loopLag({}), () => {
      // A sample is the time between two timers, so its resolution is no delay.
      const seconds = Math.max(delay.percentile(99) / 1e9 - RESOLUTION_MS / 1000, 0)
      delay.reset()
      return seconds
    })
  }),
)

const measureDelay = () => {
  try {
    const histogram = process.getBuiltinModule("node:perf_hooks").monitorEventLoopDelay({ resolution: RESOLUTION_MS })
    histogram.enable()
    return histogram
  } catch {
    return undefined
  }
}
