import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import type { Configuration } from "../configuration/configuration.ts"
import { configuration, InvalidConfiguration } from "../configuration/configuration.ts"
import { inspectEnvironment } from "../configuration/environment.ts"
import type { BlobsChoice, DatabaseChoice } from "../configuration/choices.ts"

/** The settings of a host that keeps no files. */
export interface HostedConfiguration extends Configuration {
  readonly database: Extract<DatabaseChoice, { kind: "postgres" }>
  readonly blobs: Exclude<BlobsChoice, { kind: "files" }>
}

/** The defaults of a host without files and programs. */
const DEFAULTS = { SIGHTLINE_BLOBS: "database:", SIGHTLINE_TRANSCRIPTION_URL: "off", SIGHTLINE_OCR_URL: "off" }

export type Environment = Readonly<Record<string, string | undefined>>

/** Reads the server's settings from the environment of a host that keeps no files. One failure reports all invalid settings; warns of names that are no setting. */
export const hostedConfiguration = Effect.fnUntraced(function* (environment: Environment) {
  const settings = yield* configuration.pipe(
    Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromUnknown({ ...DEFAULTS, ...environment })),
  )
  const { database, blobs, signingSecret, redisUrl } = settings
  if (database.kind === "postgres" && blobs.kind !== "files" && signingSecret !== undefined && redisUrl === undefined) {
    for (const problem of (yield* inspectEnvironment(environment)).problems) yield* Effect.logWarning(problem)
    return { ...settings, database, blobs } satisfies HostedConfiguration
  }
  const problems = [
    database.kind !== "postgres" &&
      "SIGHTLINE_DATABASE_URL must be postgres://user:password@host:5432/database: this host keeps no files",
    blobs.kind === "files" &&
      "SIGHTLINE_BLOBS must be database: or s3://bucket/prefix, or be unset: this host keeps no files",
    signingSecret === undefined &&
      "SIGHTLINE_SIGNING_SECRET must be set, to at least 32 random characters: all instances sign with it",
    redisUrl !== undefined &&
      "SIGHTLINE_REDIS_URL must be unset: this host counts limits in the database, so unset it on every host of this database",
  ]
  return yield* new InvalidConfiguration({ message: problems.filter((problem) => problem !== false).join("\n") })
})
