import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as References from "effect/References"
import type { Scope } from "effect/Scope"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpEffect from "effect/http/HttpEffect"
import { layerHttp } from "../../../core/layers.ts"
import type { Services } from "../../../core/provided.ts"
import { HttpApp } from "../../../core/server/HttpApp.ts"
import type { ClientOptions, SightlineError } from "../../client/client.ts"
import { createOperator } from "../../client/operator.ts"
import { type Configuration, configuration } from "../../configuration/configuration.ts"
import { layerDatabase, options, withSigningSecret } from "../../configuration/options.ts"
import { serving } from "../../serving/address.ts"
import { makeCalls } from "./client.ts"
import { runningServer } from "./runningServer.ts"
import { DATABASE_TIMEOUT_SECONDS } from "./workspace.ts"

/**
 * Reaches `/operator`: of the server that holds the data directory, else of this process, which opens the database with the configured
 * stores, readers and signing secret.
 */
export const reachOperator = Effect.gen(function* () {
  const settings = yield* configuration
  const server = yield* runningServer(settings)
  const reached: ClientOptions = { ...(server ?? (yield* openHere(settings))), maxRetries: 0 }
  const operator = createOperator(reached)
  return {
    ...makeCalls(operator, describe(reached)),
    within: (organization: string) => makeCalls(operator.of(organization), describe(reached)),
    address: server?.baseUrl ?? "",
  }
})

/** Runs `use` as the operator, and then closes a database that this process opened. */
export const asOperator = <A, E, R>(use: (operator: Effect.Success<typeof reachOperator>) => Effect.Effect<A, E, R>) =>
  Effect.scoped(Effect.flatMap(reachOperator, use))

const describe =
  ({ baseUrl }: ClientOptions) =>
  (error: SightlineError) => {
    switch (error.code) {
      case "network_error":
        return `the server at ${baseUrl} is unreachable, or its reply was interrupted`
      case "unauthorized":
        return "the server refuses the operator key; set SIGHTLINE_OPERATOR_KEY to the server's key"
      default:
        return error.message
    }
  }

/** The service in this process. Its key is known to nobody else. */
const openHere = Effect.fnUntraced(function* (settings: Configuration) {
  const signed = yield* withSigningSecret(settings)
  const key = crypto.randomUUID()
  const services = yield* Layer.build(
    layerHttp({
      ...options(signed),
      // A server with the same settings serves these links.
      publicUrl: signed.publicUrl ?? serving(signed.host, signed.port, signed.basePath).url,
      basePath: undefined,
      limits: undefined,
      telemetry: undefined,
      operatorKey: key,
      database: layerDatabase(signed.database, DATABASE_TIMEOUT_SECONDS),
    }),
  )
  // The command's own logger. At its default level it would report each slow reply to a person who waits for it.
  const level = yield* References.MinimumLogLevel
  const context = Context.merge(yield* Effect.context<never>(), services).pipe(
    Context.add(References.MinimumLogLevel, level === "Info" ? "Warn" : level),
  )
  const answer = HttpEffect.toWebHandlerWith<Services, HttpServerRequest | Scope>(context)(
    Context.get(services, HttpApp),
  )
  return { baseUrl: "http://localhost", key, fetch: (url: string, init: RequestInit) => answer(new Request(url, init)) }
})
