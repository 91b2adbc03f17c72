import process from "node:process"
import * as Effect from "effect/Effect"
import { open } from "../../core/Sightline.ts"
import { withoutKind } from "../configuration/choices.ts"
import { portableOptions } from "../configuration/portableOptions.ts"
import { layerPostgres } from "../database/postgres.ts"
import { compressor } from "../serving/serving.ts"
import { hostedLibrary } from "./library.ts"
import { type HostedConfiguration, hostedConfiguration } from "./settings.ts"

const options = (settings: HostedConfiguration) => ({
  ...portableOptions(settings),
  compressor,
  // An instance lives as long as it has requests, and many may live at once.
  database: layerPostgres({ ...withoutKind(settings.database), listen: false }),
  library: hostedLibrary(settings),
})

/** Opens the service with the settings of the environment. Throws with a line for each invalid setting. */
export const start = async () => {
  const settings = await Effect.runPromise(
    Effect.mapError(hostedConfiguration(process.env), ({ message }) => new Error(`invalid configuration:\n${message}`)),
  )
  return open(options(settings))
}
