import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Scope } from "effect/Scope"
import * as Tracer from "effect/Tracer"
import * as HttpMiddleware from "effect/http/HttpMiddleware"
import { HttpPlatform } from "effect/http/HttpPlatform"
import * as HttpRouter from "effect/http/HttpRouter"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import type { HttpServerResponse } from "effect/http/HttpServerResponse"
import { HostPrincipals } from "../access/askHost.ts"
import { RefusedSignIns } from "../access/RefusedSignIns.ts"
import { withSession } from "../console/withSession.ts"
import { TrustedProxies } from "../http/addresses/client.ts"
import { withCompressor } from "../http/replies/compression.ts"
import { Settings } from "../http/Settings.ts"
import { Foreground } from "../jobs/Foreground.ts"
import { isOperatorPath, OperatorApp, OperatorKey, requireOperatorKey } from "../operator/OperatorApp.ts"
import { answerWithin, NamedOrganization, withNamedOrganization } from "../operator/organizationApi.ts"
import { HostParent } from "../telemetry/hostParent.ts"
import { withBasePath } from "./basePath.ts"
import { Closing } from "./Closing.ts"
import { envelope } from "./envelope.ts"
import { Metrics, MetricsKey } from "./Metrics.ts"
import { isMetricsPath, metricsRoute } from "./metricsRoute.ts"
import { layerRoutes } from "./routes.ts"
import { withWholeBody } from "./wholeBody.ts"

type App = Effect.Effect<HttpServerResponse, never, HttpServerRequest | Scope>

/** The whole HTTP service as one effect from a request to its response, which a host adds to its own `HttpRouter`. */
export class HttpApp extends Context.Service<HttpApp, App>()("sightline/HttpApp") {
  static readonly layer = Layer.effect(
    HttpApp,
    Effect.gen(function* () {
      const { basePath, corsOrigins, compressor, trustedProxies } = yield* Settings
      const { track } = yield* Foreground
      const routes = yield* Effect.provideService(
        HttpRouter.toHttpEffect(layerRoutes),
        HttpRouter.RouterConfig,
        ROUTING,
      )
      const platform = withCompressor(yield* HttpPlatform, compressor)
      const tenants =
        corsOrigins.length === 0
          ? routes
          : HttpMiddleware.cors({
              allowedOrigins: corsOrigins,
              exposedHeaders: EXPOSED,
              // The host knows its users by cookies. Browsers refuse them together with `*`.
              credentials: (yield* HostPrincipals) !== undefined && corsOrigins[0] !== "*",
            })(routes)
      const asOperator = yield* requireOperatorKey(yield* OperatorKey, yield* RefusedSignIns)
      const operator = asOperator(Effect.suspend((yield* OperatorApp).answer))
      const within = yield* answerWithin(routes)
      const metricsKey = yield* MetricsKey
      const metrics = metricsKey === undefined ? tenants : yield* metricsRoute(metricsKey, yield* Metrics)
      const all = Effect.withFiber<HttpServerResponse, unknown, HttpServerRequest | Scope>((fiber) => {
        const organization = fiber.getRef(NamedOrganization)
        if (organization !== undefined) return asOperator(within(organization))
        const { url } = Context.getUnsafe(fiber.context, HttpServerRequest)
        return isOperatorPath(url) ? operator : isMetricsPath(url) ? metrics : tenants
      })
      const closing = yield* Closing
      const tracer = yield* Tracer.Tracer
      const hostParent = yield* HostParent
      return all.pipe(
        withWholeBody,
        envelope,
        withNamedOrganization,
        withSession,
        withBasePath(basePath),
        compression,
        track,
        // The adapter's requests do not have the context of this layer.
        tracer === Tracer.nativeTracer ? (app) => app : Effect.provideService(Tracer.Tracer, tracer),
        hostParent === undefined ? (app) => app : Effect.provideService(HostParent, hostParent),
        Effect.updateContext((context: Context.Context<HttpServerRequest | Scope>) =>
          context.pipe(
            Context.add(HttpPlatform, platform),
            Context.add(TrustedProxies, trustedProxies),
            Context.add(Closing, closing),
          ),
        ),
      )
    }),
  )
}

/** Each resource has one URL. The schema limits the length of ids, so the router does not. */
const ROUTING = { caseSensitive: true, ignoreDuplicateSlashes: false, maxParamLength: 4096 }

const compression = HttpMiddleware.compression({ algorithms: ["br", "gzip"] })

/** Response headers that a page of another origin may read. */
const EXPOSED = [
  "x-request-id",
  "x-ratelimit-limit",
  "x-ratelimit-remaining",
  "x-ratelimit-reset",
  "link",
  "location",
  "retry-after",
  "idempotent-replayed",
]
