import process from "node:process"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as Scope from "effect/Scope"
import { isSqlError } from "effect/sql/SqlError"
import type { Options } from "../../core/Sightline.ts"
import { lazily } from "../../core/common/lazily.ts"
import { Transcriber } from "../../core/ports/Transcriber.ts"
import { UrlFetcher } from "../../core/ports/UrlFetcher.ts"
import type { BlobsChoice, DatabaseChoice, ModelChoice, TranscriptionChoice } from "./choices.ts"
import type { Configuration } from "./configuration.ts"
import {
  type DirectoryUnusable,
  ensureDirectory,
  keptOperatorKey,
  keptSigningSecret,
} from "../directory/dataDirectory.ts"

/** The database cannot be opened, and why; never with a password. */
export class CannotOpenDatabase extends Schema.TaggedError<CannotOpenDatabase>()("CannotOpenDatabase", {
  message: Schema.String,
}) {}

type OpenError =
  | Layer.Error<ReturnType<typeof layerDatabase>>
  | Layer.Error<ReturnType<typeof layerRedisLimits>>
  | Layer.Error<ReturnType<typeof layerLibrary>>

/** What a configuration makes of the service. An engine is loaded when it is chosen. */
export const options = ({
  database,
  blobs,
  transcription,
  model,
  embedding,
  jobsPerOrganization,
  redisUrl,
  publicUrl,
  corsOrigins,
  trustedProxies,
  operatorKey,
  signingSecret,
  previousSigningSecret,
  linkDays,
  webhookHosts,
}: Configuration): Options<OpenError> => ({
  database: layerDatabase(database),
  limits: redisUrl === undefined ? undefined : layerRedisLimits(redisUrl),
  library: layerLibrary(blobs, transcription, webhookHosts),
  answerer: model === undefined ? undefined : layerModel(model),
  embedder: embedding === undefined ? undefined : layerEmbedder(embedding),
  jobsPerOrganization,
  publicUrl,
  corsOrigins,
  trustedProxies,
  operatorKey,
  signingSecret,
  previousSigningSecret,
  linkDays,
})

/** The configuration with a signing secret: the one that is set, else the one kept with the data. */
export const withSigningSecret = Effect.fnUntraced(function* (settings: Configuration) {
  const { signingSecret, dataDirectory, database } = settings
  if (signingSecret !== undefined || database.kind === "memory") return settings
  const kept = keptSigningSecret(dataDirectory)
  // With PostgreSQL the data directory may be no place to write to.
  const found = database.kind === "directory" ? kept : Effect.catchTag(kept, "DirectoryUnusable", unsigned)
  return { ...settings, signingSecret: yield* found }
})

/** The configuration with an operator key: the one that is set, else the one kept with the data. */
export const withOperatorKey = Effect.fnUntraced(function* (settings: Configuration) {
  const { operatorKey, dataDirectory, database } = settings
  if (operatorKey !== undefined || database.kind === "memory") return settings
  const kept = keptOperatorKey(dataDirectory)
  // With PostgreSQL the data directory may be no place to write to: `/operator` stays closed then.
  const found = database.kind === "directory" ? kept : Effect.orElseSucceed(kept, () => undefined)
  return { ...settings, operatorKey: yield* found }
})

const unsigned = ({ message }: DirectoryUnusable) =>
  Effect.as(
    Effect.logWarning(
      `${message}; links to documents stop with this process: set SIGHTLINE_SIGNING_SECRET to keep them working`,
    ),
    undefined,
  )

const layerLibrary = (
  blobs: BlobsChoice,
  transcription: TranscriptionChoice,
  webhookHosts: Configuration["webhookHosts"],
) =>
  Layer.unwrap(
    Effect.map(
      Effect.promise(() => import("../reading/layerReader.ts")),
      ({ layerReader }) =>
        Layer.mergeAll(
          layerBlobs(blobs),
          lazily(UrlFetcher, async () => (await import("../fetch/guarded.ts")).layerGuarded({ webhookHosts })),
          layerReader,
          layerTranscriber(transcription),
        ),
    ),
  )

/** The local engine is looked for when it is to be used: it is found, or there is none. */
const layerTranscriber = (choice: TranscriptionChoice) =>
  Layer.unwrap(
    Effect.promise(async () => {
      if (choice.kind === "off") return Transcriber.layerNone
      if (choice.kind === "openai") return (await import("../speech/openai.ts")).layerOpenAi(choice)
      const { findPrograms, layerLocal } = await import("../speech/local.ts")
      const programs = await findPrograms()
      return programs === undefined ? Transcriber.layerNone : layerLocal(programs)
    }),
  )

const layerModel = (choice: ModelChoice) =>
  Layer.unwrap(
    Effect.map(
      Effect.promise(() => import("../models/openai.ts")),
      ({ answererOf }) => answererOf(choice),
    ),
  )

const layerEmbedder = (choice: ModelChoice) =>
  Layer.unwrap(
    Effect.map(
      Effect.promise(() => import("../embeddings/openai.ts")),
      ({ embedderOf }) => embedderOf(choice),
    ),
  )

const layerRedisLimits = (url: Redacted.Redacted) =>
  Layer.unwrap(
    Effect.map(
      Effect.promise(() => import("../limits/redis.ts")),
      ({ layerRedis }) => layerRedis({ url }),
    ),
  )

/** Where uploads are kept. */
export const layerBlobs = (choice: BlobsChoice) =>
  Layer.unwrap(
    Effect.promise(async () => {
      if (choice.kind === "database") return (await import("../blobs/database.ts")).layerDatabase
      if (choice.kind === "s3") return (await import("../blobs/s3.ts")).layerS3(choice)
      return (await import("../blobs/files.ts")).layerFiles({ directory: choice.directory })
    }),
  )

/** Waits up to `patience` seconds for a PostgreSQL that is out of reach. */
export const layerDatabase = (choice: DatabaseChoice, patience = 60) =>
  Layer.unwrap(
    Effect.promise(async () => {
      if (choice.kind === "postgres") {
        const { layerPostgres } = await import("../database/postgres.ts")
        return patiently(layerPostgres(choice), choice.url, patience)
      }
      const { layerPglite } = await import("../database/pglite.ts")
      const layer = layerPglite({ ...(choice.kind === "directory" && { directory: choice.directory }), onEnd: exit })
      const opened = Layer.effectContext(explained(Layer.build(layer), choice))
      return choice.kind === "memory" ? opened : Layer.unwrap(Effect.as(ensureDirectory(choice.directory), opened))
    }),
  )

/** The engine is a part of this process, and whoever supervises it starts both again. What is in flight is told first. */
const exit = (why: string) => {
  console.error(`sightline: ${why}`)
  process.exitCode = 1
  setTimeout(() => process.exit(1), 1000)
}

const patiently = <A, E>(layer: Layer.Layer<A, E>, url: Redacted.Redacted, patience: number) => {
  const attempt = (waited: number, pause: number): Effect.Effect<Context.Context<A>, E, Scope.Scope> =>
    Effect.catch(buildOrClose(layer), (error) => {
      if (!isPassing(error) || waited + pause > patience) return Effect.fail(error)
      return Effect.logWarning(`${place(url)} is unreachable; retrying in ${pause} s`).pipe(
        Effect.andThen(Effect.sleep(`${pause} seconds`)),
        Effect.andThen(Effect.suspend(() => attempt(waited + pause, Math.min(pause * 2, 8)))),
      )
    })
  return Layer.effectContext(explained(attempt(0, 0.5), { kind: "postgres", url }))
}

/** What a failed attempt opened is closed before the next. */
const buildOrClose = Effect.fnUntraced(function* <A, E>(layer: Layer.Layer<A, E>) {
  const scope = yield* Scope.fork(yield* Effect.scope)
  return yield* Layer.buildWithScope(Layer.fresh(layer), scope).pipe(
    Effect.onError((cause) => Scope.close(scope, Exit.failCause(cause))),
  )
})

/** Out of reach, or still starting up: a moment later it may be there. */
const isPassing = (error: unknown) =>
  isSqlError(error) && (error.reason._tag === "ConnectionError" || codeOf(error.reason.cause) === "57P03")

const codeOf = (cause: unknown) =>
  typeof cause === "object" && cause !== null && "code" in cause ? String(cause.code) : undefined

const explained = <A, E, R>(effect: Effect.Effect<A, E, R>, choice: DatabaseChoice) =>
  Effect.mapError(effect, (error) => {
    if (!isSqlError(error)) return error as Exclude<E, { readonly _tag: "SqlError" }>
    const { cause } = error.reason
    const said = cause instanceof Error ? cause.message : error.message
    const where = choice.kind === "postgres" ? place(choice.url) : "the embedded database"
    return new CannotOpenDatabase({
      message: isPassing(error)
        ? `${where} is unreachable (${said}); check SIGHTLINE_DATABASE_URL and that PostgreSQL runs`
        : `${where} cannot be used: ${said}`,
    })
  })

const place = (url: Redacted.Redacted) => {
  const { host, pathname } = new URL(Redacted.value(url))
  return `PostgreSQL at ${host}${pathname}`
}
