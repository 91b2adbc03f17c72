import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import type { Prices } from "../../core/ports/Analyst.ts"
import type { Plans } from "../../core/storage/plans.ts"
import type {
  BlobsChoice,
  DatabaseChoice,
  LanguageModelChoice,
  ModelChoice,
  OcrChoice,
  TranscriptionChoice,
} from "./choices.ts"
import { type OpenIdSettings, readOpenId } from "./openId.ts"
import {
  basePath,
  blobs,
  type BlobsPlace,
  bytes,
  database,
  days,
  endpoint,
  flag,
  host,
  hostPorts,
  identifier,
  languages,
  logFormat,
  logLevel,
  modelUrl,
  origins,
  otlpProtocol,
  type OtlpProtocol,
  otlpUrl,
  plans,
  port,
  postgresUrl,
  positive,
  prices,
  publicUrl,
  redis,
  bearer,
  secret,
  SERVICE_LINK,
  Invalid,
} from "./values.ts"
import { BASE_PATH_MISSING, endsWithBasePath } from "../../core/http/addresses/basePath.ts"
import { DEFAULT_HOST, DEFAULT_PORT } from "../serving/serving.ts"

/** Invalid settings. The message has a line for each variable, with what is accepted. */
export class InvalidConfiguration extends Schema.TaggedError<InvalidConfiguration>()("InvalidConfiguration", {
  message: Schema.String,
}) {}

/** The validated settings of the environment. */
export interface Configuration {
  readonly host: string
  readonly port: number
  readonly database: DatabaseChoice
  /** The schema and role in a PostgreSQL server. */
  readonly installation: { readonly schema: string | undefined; readonly role: string | undefined }
  readonly dataDirectory: string
  /** The store of uploaded files; in memory if the database is. */
  readonly blobs: BlobsChoice
  readonly transcription: TranscriptionChoice
  readonly ocr: OcrChoice
  /** Whether LibreOffice, if installed, reads Office files of before 2007. */
  readonly libreOffice: boolean
  /** The language model that answers. Undefined: answers quote sentences. */
  readonly model: LanguageModelChoice | undefined
  /** The model that embeds passages. Undefined: search uses words alone. */
  readonly embedding: ModelChoice | undefined
  /** Concurrent jobs of one kind for one organization. */
  readonly jobsPerOrganization: number | undefined
  /** The operator's own plans. */
  readonly plans: Plans | undefined
  readonly redisUrl: Redacted.Redacted | undefined
  readonly publicUrl: string | undefined
  /** The path below which all routes are. */
  readonly basePath: string | undefined
  /** Whether `/docs` exists; default true. */
  readonly docs: boolean | undefined
  /** Whether people may connect assistants to `/mcp` by signing in; default true. */
  readonly oauth: boolean | undefined
  /** Undefined: people sign in to the console with keys alone. */
  readonly openId: OpenIdSettings | undefined
  readonly corsOrigins: ReadonlyArray<string>
  readonly trustedProxies: number | undefined
  /** The key that `ask`, `export` and `mcp` send to a server. */
  readonly apiKey: Redacted.Redacted | undefined
  /** The key of `/operator`. Undefined: created and stored in the data directory. */
  readonly operatorKey: Redacted.Redacted | undefined
  /** Undefined: created and stored in the data directory. */
  readonly signingSecret: Redacted.Redacted | undefined
  /** Authenticates backups. */
  readonly backupKey: Redacted.Redacted | undefined
  /** The secret before the last rotation. */
  readonly previousSigningSecret: Redacted.Redacted | undefined
  /** Days that links to documents work; default 7. */
  readonly linkDays: number | undefined
  /** Private `host:port` pairs that may receive webhooks. */
  readonly webhookHosts: ReadonlyArray<string>
  /** The address of its own at which `/metrics` is served. */
  readonly metricsAt: { readonly host: string; readonly port: number } | undefined
  /** The key that opens `/metrics` at the address of the API. */
  readonly metricsKey: Redacted.Redacted | undefined
  /** The encoding in which traces and metrics are exported. Undefined: they are not. */
  readonly otlp: OtlpProtocol | undefined
}

/** Reads the environment. One failure reports all invalid settings. */
export const configuration = Effect.gen(function* () {
  const problems: Array<string> = []
  const read = Effect.fnUntraced(function* <A>(name: string, parse: (text: string) => A | Invalid) {
    const text = yield* Effect.map(Effect.orDie(Config.option(Config.String(name))), Option.getOrUndefined)
    if (text === undefined || text.trim() === "" || SERVICE_LINK.test(text)) return undefined
    const value = parse(text.trim())
    if (!(value instanceof Invalid)) return value
    problems.push(`${name} ${value.reason}`)
    return undefined
  })

  const dataDirectory = (yield* read("SIGHTLINE_DATA_DIR", String)) ?? ".sightline"
  const chosen = (yield* read("SIGHTLINE_DATABASE_URL", database)) ?? {
    kind: "directory",
    directory: `${dataDirectory}/postgres`,
  }
  const server = {
    migrationUrl: yield* read("SIGHTLINE_MIGRATION_URL", postgresUrl),
    pooled: yield* read("SIGHTLINE_DATABASE_POOLED", flag),
    schema: yield* read("SIGHTLINE_DATABASE_SCHEMA", identifier),
    role: yield* read("SIGHTLINE_DATABASE_ROLE", identifier),
    connections: yield* read("SIGHTLINE_DATABASE_CONNECTIONS", positive),
  }
  const result: Configuration = {
    host: (yield* read("SIGHTLINE_HOST", host)) ?? (yield* read("HOST", host)) ?? DEFAULT_HOST,
    port: (yield* read("SIGHTLINE_PORT", port)) ?? (yield* read("PORT", port)) ?? DEFAULT_PORT,
    dataDirectory,
    database: chosen.kind === "postgres" ? { ...chosen, ...server } : chosen,
    installation: { schema: server.schema, role: server.role },
    blobs:
      withCredentials(
        yield* read("SIGHTLINE_BLOBS", blobs),
        yield* read("AWS_ACCESS_KEY_ID", String),
        yield* read("AWS_SECRET_ACCESS_KEY", (text) => Redacted.make(text)),
        yield* read("AWS_SESSION_TOKEN", (text) => Redacted.make(text)),
        problems,
      ) ?? (chosen.kind === "memory" ? { kind: "database" } : { kind: "files", directory: `${dataDirectory}/blobs` }),
    transcription: transcription(
      yield* read("SIGHTLINE_TRANSCRIPTION_URL", endpoint),
      yield* read("SIGHTLINE_TRANSCRIPTION_MODEL", String),
      yield* read("SIGHTLINE_TRANSCRIPTION_KEY", (text) => Redacted.make(text)),
      yield* read("SIGHTLINE_TRANSCRIPTION_MAX_BYTES", bytes),
      problems,
    ),
    ocr: ocr(
      yield* read("SIGHTLINE_OCR_URL", endpoint),
      yield* read("SIGHTLINE_OCR_MODEL", String),
      yield* read("SIGHTLINE_OCR_KEY", (text) => Redacted.make(text)),
      yield* read("SIGHTLINE_OCR_LANGUAGES", languages),
      problems,
    ),
    libreOffice: (yield* read("SIGHTLINE_LIBREOFFICE", flag)) ?? true,
    model: languageModel(
      model(
        "MODEL",
        yield* read("SIGHTLINE_MODEL_URL", modelUrl),
        yield* read("SIGHTLINE_MODEL_MODEL", String),
        yield* read("SIGHTLINE_MODEL_KEY", (text) => Redacted.make(text)),
        problems,
      ),
      yield* read("SIGHTLINE_MODEL_PRICES", prices),
      problems,
    ),
    embedding: model(
      "EMBEDDING",
      yield* read("SIGHTLINE_EMBEDDING_URL", modelUrl),
      yield* read("SIGHTLINE_EMBEDDING_MODEL", String),
      yield* read("SIGHTLINE_EMBEDDING_KEY", (text) => Redacted.make(text)),
      problems,
    ),
    jobsPerOrganization: yield* read("SIGHTLINE_JOBS_PER_ORGANIZATION", positive),
    plans: yield* read("SIGHTLINE_PLANS", plans),
    redisUrl: yield* read("SIGHTLINE_REDIS_URL", redis),
    publicUrl: yield* read("SIGHTLINE_BASE_URL", publicUrl),
    basePath: yield* read("SIGHTLINE_BASE_PATH", basePath),
    docs: yield* read("SIGHTLINE_DOCS", flag),
    oauth: yield* read("SIGHTLINE_OAUTH", flag),
    openId: yield* readOpenId(read, problems),
    corsOrigins: (yield* read("SIGHTLINE_CORS_ORIGINS", origins)) ?? [],
    trustedProxies: yield* read("SIGHTLINE_TRUSTED_PROXIES", positive),
    apiKey: yield* read("SIGHTLINE_API_KEY", (text) => Redacted.make(text)),
    operatorKey: yield* read("SIGHTLINE_OPERATOR_KEY", bearer),
    signingSecret: yield* read("SIGHTLINE_SIGNING_SECRET", secret),
    previousSigningSecret: yield* read("SIGHTLINE_SIGNING_SECRET_PREVIOUS", secret),
    backupKey: yield* read("SIGHTLINE_BACKUP_KEY", secret),
    linkDays: yield* read("SIGHTLINE_LINK_DAYS", days),
    webhookHosts: (yield* read("SIGHTLINE_WEBHOOK_HOSTS", hostPorts)) ?? [],
    metricsAt: metricsAt(
      yield* read("SIGHTLINE_METRICS_HOST", host),
      yield* read("SIGHTLINE_METRICS_PORT", port),
      problems,
    ),
    metricsKey: yield* read("SIGHTLINE_METRICS_KEY", bearer),
    otlp: yield* Effect.map(
      Effect.all([read("OTEL_EXPORTER_OTLP_ENDPOINT", otlpUrl), read("OTEL_EXPORTER_OTLP_PROTOCOL", otlpProtocol)]),
      ([url, protocol = "http/protobuf"]) => (url === undefined ? undefined : protocol),
    ),
  }
  if (result.publicUrl !== undefined && !endsWithBasePath(result.publicUrl, result.basePath ?? ""))
    problems.push(`SIGHTLINE_BASE_URL ${BASE_PATH_MISSING(result.basePath ?? "")}`)
  yield* read("SIGHTLINE_LOG_LEVEL", logLevel)
  yield* read("SIGHTLINE_LOG_FORMAT", logFormat)
  return problems.length === 0 ? result : yield* new InvalidConfiguration({ message: problems.join("\n") })
})

const metricsAt = (given: string | undefined, port: number | undefined, problems: Array<string>) => {
  if (port !== undefined) return { host: given ?? DEFAULT_HOST, port }
  if (given !== undefined) problems.push("SIGHTLINE_METRICS_HOST needs SIGHTLINE_METRICS_PORT, which is not set")
  return undefined
}

const withCredentials = (
  place: BlobsPlace | undefined,
  accessKeyId: string | undefined,
  secretAccessKey: Redacted.Redacted | undefined,
  sessionToken: Redacted.Redacted | undefined,
  problems: Array<string>,
): BlobsChoice | undefined => {
  if (place?.kind !== "s3") return place
  if (accessKeyId !== undefined && secretAccessKey !== undefined) {
    return { ...place, accessKeyId, secretAccessKey, sessionToken }
  }
  problems.push("AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY must be set if SIGHTLINE_BLOBS is s3:")
  return undefined
}

const transcription = (
  url: string | undefined,
  model: string | undefined,
  key: Redacted.Redacted | undefined,
  maxBytes: number | undefined,
  problems: Array<string>,
): TranscriptionChoice => {
  if (url === undefined) {
    problems.push(...reportUnused("TRANSCRIPTION", { MODEL: model, KEY: key, MAX_BYTES: maxBytes }))
    return { kind: "local" }
  }
  return url === "off" ? { kind: "off" } : { kind: "openai", url, model: model ?? "whisper-1", key, maxBytes }
}

const ocr = (
  url: string | undefined,
  name: string | undefined,
  key: Redacted.Redacted | undefined,
  languages: ReadonlyArray<string> | undefined,
  problems: Array<string>,
): OcrChoice => {
  if (languages !== undefined && url !== undefined)
    problems.push("SIGHTLINE_OCR_LANGUAGES is for tesseract: unset SIGHTLINE_OCR_URL, or the languages")
  if (url === "off") return { kind: "off" }
  const chosen = model("OCR", url, name, key, problems)
  return chosen === undefined ? { kind: "local", languages } : { kind: "openai", ...chosen }
}

/** Reports settings of an endpoint whose address is missing, because they have no effect. */
const reportUnused = (kind: string, settings: Readonly<Record<string, unknown>>) =>
  Object.entries(settings).flatMap(([name, value]) =>
    value === undefined ? [] : [`SIGHTLINE_${kind}_${name} needs SIGHTLINE_${kind}_URL, which is not set`],
  )

const languageModel = (
  choice: ModelChoice | undefined,
  prices: Prices | undefined,
  problems: Array<string>,
): LanguageModelChoice | undefined => {
  if (choice === undefined) problems.push(...reportUnused("MODEL", { PRICES: prices }))
  return choice && { ...choice, prices }
}

const model = (
  kind: "MODEL" | "EMBEDDING" | "OCR",
  url: string | undefined,
  name: string | undefined,
  key: Redacted.Redacted | undefined,
  problems: Array<string>,
): ModelChoice | undefined => {
  if (url === undefined) {
    problems.push(...reportUnused(kind, { MODEL: name, KEY: key }))
    return undefined
  }
  if (name === undefined) problems.push(`SIGHTLINE_${kind}_MODEL must name the model if SIGHTLINE_${kind}_URL is set`)
  return { url, model: name ?? "", key }
}
