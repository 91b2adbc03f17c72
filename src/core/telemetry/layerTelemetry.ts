import * as Layer from "effect/Layer"
import * as HttpMiddleware from "effect/http/HttpMiddleware"
import { askParent, type FindParent, HostParent } from "./hostParent.ts"

/** The host's logger, tracer and exporters, and what the spans of requests need besides. */
export const layerTelemetry = ({
  telemetry,
  parent,
}: {
  readonly telemetry?: Layer.Layer<never> | undefined
  readonly parent?: FindParent | undefined
}) =>
  Layer.mergeAll(
    telemetry ?? Layer.empty,
    Layer.succeed(HostParent, parent && askParent(parent)),
    // Effect's span of a request has its whole URL, and our URLs hold questions and signed links.
    Layer.succeed(HttpMiddleware.TracerDisabledWhen, () => true),
  )
