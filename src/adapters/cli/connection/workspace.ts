import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { layerOperator } from "../../../core/operator/layerOperator.ts"
import { Operator } from "../../../core/operator/Operator.ts"
import { layer } from "../../../core/Sightline.ts"
import { configuration } from "../../configuration/configuration.ts"
import { layerDatabase, options, withSigningSecret } from "../../configuration/options.ts"
import { serving } from "../../serving/serving.ts"
import { runningServer } from "./runningServer.ts"

/** The command line was used wrongly, in a way its grammar does not catch. Exit code 2. */
export class Usage extends Schema.TaggedError<Usage>()("Usage", { message: Schema.String }) {}

/** Seconds a command waits for a database; a server waits longer. */
const PATIENCE = 5

/** Runs `effect` on the services over the database that the environment names. */
export const inWorkspace = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.flatMap(configuration, (settings) =>
    Effect.provide(effect, layer({ database: layerDatabase(settings.database, PATIENCE) })),
  )

/**
 * Runs `effect` as the operator: through the server that holds the data directory, else on the database itself, with
 * documents, where they are kept, what reads them, and links to them that work.
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
      // A server that is started with the same settings opens them.
      publicUrl: signed.publicUrl ?? serving(signed.host, signed.port).url,
      limits: undefined,
      database: layerDatabase(signed.database, PATIENCE),
    })
    return yield* Effect.provide(effect, Layer.provide(layerOperator, services))
  })
