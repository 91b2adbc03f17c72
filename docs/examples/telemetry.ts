// npm install sightline effect @effect/sql-pg @effect/opentelemetry pino @opentelemetry/api@1.9 @opentelemetry/sdk-trace-node@2 @opentelemetry/exporter-trace-otlp-http@0.223
// node telemetry.ts
import { OtelTracer } from "@effect/opentelemetry"
import { context, trace } from "@opentelemetry/api"
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http"
import { BatchSpanProcessor, NodeTracerProvider } from "@opentelemetry/sdk-trace-node"
import { Layer, Logger, References } from "effect"
import { pino } from "pino"
import { open } from "sightline"
import { layerPostgres } from "sightline/postgres"

// The host's own tracer and logger. Each line gets the trace that is active when it is logged.
const provider = new NodeTracerProvider({ spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())] })
provider.register()
const tracer = trace.getTracer("app")
const activeSpan = () => trace.getSpanContext(context.active())
const log = pino({ level: "debug", mixin: () => ({ trace_id: activeSpan()?.traceId }) })

const LEVELS: Record<string, "fatal" | "error" | "warn" | "debug" | "trace"> = {
  FATAL: "fatal",
  ERROR: "error",
  WARN: "warn",
  DEBUG: "debug",
  TRACE: "trace",
}
const toPino = Logger.map(Logger.formatStructured, ({ level, message, annotations, cause }) =>
  log[LEVELS[level] ?? "info"]({ ...annotations, cause }, [message].flat().map(String).join(" ")),
)

const sightline = await open({
  database: layerPostgres({ url: process.env.DATABASE_URL ?? "postgres://app@localhost/app" }),
  telemetry: Layer.mergeAll(
    OtelTracer.layerGlobal,
    Logger.layer([toPino]),
    // Logs each request. Without it, only those that fail or are slow.
    Layer.succeed(References.MinimumLogLevel, "Debug"),
  ),
  parent: activeSpan,
})

// What the host's server does with each request.
const answer = (request: Request) =>
  tracer.startActiveSpan("app request", async (span) => {
    const response = await sightline.handler(request)
    log.info({ status: response.status }, "answered")
    span.end()
    return response
  })

// A request with its caller's trace: `parent` wins over this header.
const request = () =>
  new Request("http://localhost/health/ready", {
    headers: { traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01" },
  })
await answer(request())
await sightline.ready({ seconds: 600 })
await answer(request())

await sightline.dispose()
await provider.shutdown()
