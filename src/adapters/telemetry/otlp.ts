import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Otlp from "effect/observability/Otlp"
import * as OtlpSerialization from "effect/observability/OtlpSerialization"
import { VERSION } from "../version.ts"

/** The defaults of OpenTelemetry's own variables. Logs go to stderr, where the platform collects them. */
const DEFAULTS = {
  OTEL_TRACES_EXPORTER: "otlp",
  OTEL_METRICS_EXPORTER: "otlp",
  OTEL_SERVICE_NAME: "sightline",
}

/** Exports traces and metrics by OTLP/HTTP, as the standard `OTEL_…` variables say. */
export const layerOtlp = (protocol: "http/protobuf" | "http/json") =>
  Layer.unwrap(
    Effect.map(ConfigProvider.ConfigProvider, (environment) =>
      Otlp.layerFromConfig({ resource: { serviceVersion: VERSION } }).pipe(
        Layer.provide([
          FetchHttpClient.layer,
          protocol === "http/json" ? OtlpSerialization.layerJson : OtlpSerialization.layerProtobuf,
          ConfigProvider.layer(ConfigProvider.orElse(environment, ConfigProvider.fromUnknown(DEFAULTS))),
        ]),
      ),
    ),
  )
