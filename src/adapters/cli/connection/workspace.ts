import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { layerOperator } from "../../../core/operator/layerOperator.ts"
import { Operator } from "../../../core/operator/Operator.ts"
import { layer } from "../../../core/layers.ts"
import { configuration } from "../../configuration/configuration.ts"
import { layerDatabase, options, withSigningSecret } from "../../configuration/options.ts"
import { serving } from "../../serving/serving.ts"
import { runningServer } from "./runningServer.ts"

/** Wrong usage that the command's grammar does not catch. Exit code 2. */
export class Usage extends Schema.TaggedError<Usage>()("Usage", { message: Schema.String }) {}

/** Seconds that a command waits for a database; a server waits longer. */
const DATABASE_TIMEOUT_SECONDS = 5

/** Runs `effect` on the services over the configured database. */
export const inWorkspace = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.flatMap(configuration, (settings) =>
    Effect.provide(effect, layer({ database: layerDatabase(settings.database, DATABASE_TIMEOUT_SECONDS) })),
  )

/**
 * Runs `effect` as the operator: through the server that holds the data directory, else directly on the database with
 * the configured stores, readers and signing secret.
 */
export const asOperator = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const settings = yield* configuration
    const server = yield* runningServer(settings)
    if (server !== undefined) {
      const { remoteOperator } = yield* Effect.promise(() => import("./remoteOperator.ts"))
      return yield* Effect.provideService(effect, Operator, remoteOperator(server.url, server.key))
    }
    const signed = yield* withSigningSecret(settings)
    const services = layer({
      ...options(signed),
      // A server with the same settings serves these links.
      publicUrl: signed.publicUrl ?? serving(signed.host, signed.port, signed.basePath).url,
      limits: undefined,
      database: layerDatabase(signed.database, DATABASE_TIMEOUT_SECONDS),
    })
    return yield* Effect.provide(effect, Layer.provide(layerOperator, services))
  })
