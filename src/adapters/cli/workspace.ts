import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { layer } from "../../core/Sightline.ts"
import { configuration } from "../config.ts"
import { layerDatabase, options, withSigningSecret } from "../options.ts"
import { serving } from "../serving.ts"

/** The command line was used wrongly, in a way its grammar does not catch. Exit code 2. */
export class Usage extends Schema.TaggedError<Usage>()("Usage", { message: Schema.String }) {}

/** Seconds a command waits for a database; a server waits longer. */
const PATIENCE = 5

/** Runs `effect` on the services over the database that the environment names. */
export const inWorkspace = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.flatMap(configuration, (settings) =>
    Effect.provide(effect, layer({ database: layerDatabase(settings.database, PATIENCE) })),
  )

/** The same with documents: where they are kept, what reads them, and links to them that work. */
export const inLibrary = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.flatMap(Effect.flatMap(configuration, withSigningSecret), (settings) =>
    Effect.provide(
      effect,
      layer({
        ...options(settings),
        // A server that is started with the same settings opens them.
        publicUrl: settings.publicUrl ?? serving(settings.host, settings.port).url,
        limits: undefined,
        database: layerDatabase(settings.database, PATIENCE),
      }),
    ),
  )
