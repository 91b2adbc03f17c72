import process from "node:process"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as Scope from "effect/Scope"
import { isSqlError, type SqlError } from "effect/sql/SqlError"
import type { Options } from "../../core/layers.ts"
import { Transcriber } from "../../core/ports/Transcriber.ts"
import { Ocr } from "../../core/ports/Ocr.ts"
import { describeFailure } from "../database/describeFailure.ts"
import {
  type BlobsChoice,
  type DatabaseChoice,
  type OcrChoice,
  type TranscriptionChoice,
  withoutKind,
} from "./choices.ts"
import type { Configuration } from "./configuration.ts"
import { portableOptions } from "./portableOptions.ts"
import {
  layerDatabaseBlobs,
  layerFetcher,
  layerFileBlobs,
  layerLibrary,
  layerOcr,
  layerReader,
  layerS3Blobs,
  layerTesseract,
  layerTranscriber,
} from "../library.ts"
import {
  type DirectoryUnusable,
  ensureDirectory,
  loadOperatorKey,
  loadSigningSecret,
} from "../directory/dataDirectory.ts"
import { errorCode } from "../../core/common/errorCode.ts"

/** The database cannot be opened. The message says why, without passwords. */
export class CannotOpenDatabase extends Schema.TaggedError<CannotOpenDatabase>()("CannotOpenDatabase", {
  message: Schema.String,
}) {}

type OpenError =
  | Layer.Error<ReturnType<typeof layerDatabase>>
  | Layer.Error<ReturnType<typeof layerRedisLimits>>
  | Layer.Error<ReturnType<typeof layerBlobs>>

/** Turns a configuration into options of the service. Loads only the chosen engines. */
export const options = (settings: Configuration): Options<OpenError> => ({
  ...portableOptions(settings),
  database: layerDatabase(settings.database),
  limits: settings.redisUrl === undefined ? undefined : layerRedisLimits(settings.redisUrl),
  library: layerLibrary({
    blobs: layerBlobs(settings.blobs),
    reader: layerReader({ libreOffice: settings.libreOffice }),
    fetcher: layerFetcher({ webhookHosts: settings.webhookHosts }),
    transcriber: layerTranscription(settings.transcription),
    ocr: layerRecognition(settings.ocr),
  }),
})

/** Adds the signing secret: the configured one, else the one in the data directory. */
export const withSigningSecret = Effect.fnUntraced(function* (settings: Configuration) {
  const { signingSecret, dataDirectory, database } = settings
  if (signingSecret !== undefined || database.kind === "memory") return settings
  const kept = loadSigningSecret(dataDirectory)
  // With PostgreSQL the data directory may be read-only.
  const found = database.kind === "directory" ? kept : Effect.catchTag(kept, "DirectoryUnusable", warnUnsigned)
  return { ...settings, signingSecret: yield* found }
})

/** Adds the operator key: the configured one, else the one in the data directory. */
export const withOperatorKey = Effect.fnUntraced(function* (settings: Configuration) {
  const { operatorKey, dataDirectory, database } = settings
  if (operatorKey !== undefined || database.kind === "memory") return settings
  const kept = loadOperatorKey(dataDirectory)
  // With PostgreSQL the data directory may be read-only: `/operator` then stays closed.
  const found = database.kind === "directory" ? kept : Effect.orElseSucceed(kept, () => undefined)
  return { ...settings, operatorKey: yield* found }
})

const warnUnsigned = ({ message }: DirectoryUnusable) =>
  Effect.as(
    Effect.logWarning(
      `${message}; links to documents stop with this process: set SIGHTLINE_SIGNING_SECRET to keep them working`,
    ),
    undefined,
  )

/** Looks for the local engine only if it is chosen. */
const layerTranscription = (choice: TranscriptionChoice) =>
  Layer.unwrap(
    Effect.promise(async () => {
      if (choice.kind === "off") return Transcriber.layerNone
      if (choice.kind === "openai") return layerTranscriber(withoutKind(choice))
      const { findPrograms, layerLocal } = await import("../speech/local.ts")
      const programs = await findPrograms()
      return programs === undefined ? Transcriber.layerNone : layerLocal(programs)
    }),
  )

const layerRecognition = (choice: OcrChoice) =>
  choice.kind === "openai"
    ? layerOcr(withoutKind(choice))
    : choice.kind === "off"
      ? Layer.succeed(Ocr, undefined)
      : layerTesseract(choice.languages)

const layerRedisLimits = (url: Redacted.Redacted) =>
  Layer.unwrap(
    Effect.map(
      Effect.promise(() => import("../limits/redis.ts")),
      ({ layerRedis }) => layerRedis({ url }),
    ),
  )

/** The store of uploads. */
export const layerBlobs = (choice: BlobsChoice) =>
  choice.kind === "database"
    ? layerDatabaseBlobs
    : choice.kind === "s3"
      ? layerS3Blobs(withoutKind(choice))
      : layerFileBlobs(withoutKind(choice))

/** Opens the database; waits up to `patience` seconds for an unreachable PostgreSQL. */
export const layerDatabase = (choice: DatabaseChoice, patience = 60) =>
  Layer.unwrap(
    Effect.promise(async () => {
      if (choice.kind === "postgres") {
        const { layerPostgres } = await import("../database/postgres.ts")
        return openWithRetries(layerPostgres(withoutKind(choice)), choice.url, patience)
      }
      const { layerPglite } = await import("../database/pglite.ts")
      const layer = layerPglite({ ...(choice.kind === "directory" && { directory: choice.directory }), onEnd: exit })
      const opened = Layer.effectContext(explainFailure(Layer.build(layer), choice))
      return choice.kind === "memory" ? opened : Layer.unwrap(Effect.as(ensureDirectory(choice.directory), opened))
    }),
  )

/** The engine runs in this process, so its supervisor restarts both. Requests in flight get a second to fail with a reply. */
const exit = (why: string) => {
  console.error(`sightline: ${why}`)
  process.exitCode = 1
  setTimeout(() => process.exit(1), 1000)
}

const openWithRetries = <A, E>(layer: Layer.Layer<A, E>, url: Redacted.Redacted, patience: number) => {
  const attempt = (waited: number, pause: number): Effect.Effect<Context.Context<A>, E, Scope.Scope> =>
    Effect.catch(buildOrClose(layer), (error) => {
      if (!isRetryable(error) || waited + pause > patience) return Effect.fail(error)
      return Effect.logWarning(
        `${describeServer(url)} is unreachable (${describeFailure(error)}); retrying in ${pause} s`,
      ).pipe(
        Effect.andThen(Effect.sleep(`${pause} seconds`)),
        Effect.andThen(Effect.suspend(() => attempt(waited + pause, Math.min(pause * 2, 8)))),
      )
    })
  return Layer.effectContext(explainFailure(attempt(0, 0.5), { kind: "postgres", url }))
}

/** Closes the resources of a failed attempt before the next. */
const buildOrClose = Effect.fnUntraced(function* <A, E>(layer: Layer.Layer<A, E>) {
  const scope = yield* Scope.fork(yield* Effect.scope)
  return yield* Layer.buildWithScope(Layer.fresh(layer), scope).pipe(
    Effect.onError((cause) => Scope.close(scope, Exit.failCause(cause))),
  )
})

/** PostgreSQL is unreachable or still starting: a retry may succeed. */
const isRetryable = (error: unknown): error is SqlError =>
  isSqlError(error) && (error.reason._tag === "ConnectionError" || errorCode(error.reason.cause) === "57P03")

const explainFailure = <A, E, R>(effect: Effect.Effect<A, E, R>, choice: DatabaseChoice) =>
  Effect.mapError(effect, (error) => {
    if (!isSqlError(error)) return error as Exclude<E, { readonly _tag: "SqlError" }>
    const said = describeFailure(error)
    const where = choice.kind === "postgres" ? describeServer(choice.url) : "the embedded database"
    return new CannotOpenDatabase({
      message: isRetryable(error)
        ? `${where} is unreachable (${said}); check SIGHTLINE_DATABASE_URL and that PostgreSQL runs`
        : `${where} cannot be used: ${said}`,
    })
  })

const describeServer = (url: Redacted.Redacted) => {
  const { host, pathname } = new URL(Redacted.value(url))
  return `PostgreSQL at ${host}${pathname}`
}
