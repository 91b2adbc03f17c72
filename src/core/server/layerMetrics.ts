import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import { format } from "effect/observability/PrometheusMetrics"
import { STATUSES } from "../library/contract.ts"
import { Database } from "../storage/Database.ts"
import { databaseReadOnly, databaseUp, deliveriesQueued, documents, jobAge, jobs } from "../telemetry/metrics.ts"
import { Metrics } from "./Metrics.ts"

/** Several scrapers within this time share one look at the database. */
const CACHED = "5 seconds"
const READ_TIMEOUT = "3 seconds"

interface StateRow {
  readonly metric: "jobs" | "age" | "documents" | "deliveries"
  readonly label: string
  readonly state: string
  readonly value: number
}

const makeGauge = ({ metric, label, state }: StateRow) => {
  if (metric === "jobs") return jobs({ kind: label, state })
  if (metric === "age") return jobAge({ kind: label })
  return metric === "documents" ? documents({ status: label }) : deliveriesQueued({})
}

export const layerMetrics = Layer.effect(
  Metrics,
  Effect.gen(function* () {
    const { sql, unscoped, isReadOnly } = yield* Database
    const seen = new Set<Metric.Gauge<number>>(STATUSES.map((status) => documents({ status })))

    const read = Effect.gen(function* () {
      const rows = yield* unscoped<StateRow>(sql`select metric, label, state, value from service_state()`)
      const values = new Map(rows.map((row) => [makeGauge(row), row.value]))
      for (const metric of values.keys()) seen.add(metric)
      // A state without rows has none.
      for (const metric of seen) yield* Metric.update(metric, values.get(metric) ?? 0)
      yield* Metric.update(databaseReadOnly({}), (yield* isReadOnly) ? 1 : 0)
    }).pipe(
      Effect.timeout(READ_TIMEOUT),
      Effect.matchCauseEffect({
        onFailure: () => Metric.update(databaseUp({}), 0),
        onSuccess: () => Metric.update(databaseUp({}), 1),
      }),
    )
    const refresh = yield* Effect.cachedWithTTL(read, CACHED)
    return Metrics.of({
      refresh: () => refresh,
      page: () => Effect.andThen(refresh, format()),
    })
  }),
)
