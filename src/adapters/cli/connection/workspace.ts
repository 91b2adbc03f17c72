import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { layer } from "../../../core/layers.ts"
import { configuration } from "../../configuration/configuration.ts"
import { layerDatabase } from "../../configuration/options.ts"

/** Wrong usage that the command's grammar does not catch. Exit code 2. */
export class Usage extends Schema.TaggedError<Usage>()("Usage", { message: Schema.String }) {}

/** Seconds that a command waits for a database; a server waits longer. */
export const DATABASE_TIMEOUT_SECONDS = 5

/** Runs `effect` on the services over the configured database. */
export const inWorkspace = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.flatMap(configuration, (settings) =>
    Effect.provide(effect, layer({ database: layerDatabase(settings.database, DATABASE_TIMEOUT_SECONDS) })),
  )
