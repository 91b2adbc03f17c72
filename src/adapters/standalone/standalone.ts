import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { NewToken as CoreToken } from "../../core/access/Tokens.ts"
import type { Options as CoreOptions } from "../../core/layers.ts"
import { open as openCore, type Sightline as CoreSightline } from "../../core/open.ts"
import { openOnce as openCoreOnce } from "../../core/openOnce.ts"
import * as Parts from "../library.ts"
import { assertPglite, assertPostgres } from "../database/options.ts"
import { assertRedis } from "../limits/options.ts"
import { assertChat, assertEmbedder } from "../models/options.ts"
import type {
  Analyst,
  Answerer,
  Blobs,
  ChatOptions,
  Database,
  Embedder,
  Fetcher,
  Library,
  LibraryOptions,
  Limits,
  ModelOptions,
  Ocr,
  Options,
  Part,
  PgliteOptions,
  PostgresOptions,
  Reader,
  ReaderOptions,
  S3Options,
  Sightline,
  Transcriber,
} from "./types.ts"

// `sightline/standalone`: the service with an Effect of its own, for hosts without Effect or with another version. Its build is part of
// the command line's, so the two share one copy of Effect. The declarations name no type of Effect.

export type * from "./types.ts"

type PartName = "database" | "limits" | "library" | "answerer" | "analyst" | "embedder"

/** Hides a layer's type. Options check at run time that a part is a layer. */
const part = <Kind extends string>(layer: unknown) => layer as Part<Kind>

/** Gives a part its type. The options that are no parts are those of the core, as the compiler checks here. */
const coreOptions = ({ database, limits, library, answerer, analyst, embedder, ...plain }: Options) => {
  const others: Omit<CoreOptions<never>, PartName | "principal"> = plain
  return { ...others, database, limits, library, answerer, analyst, embedder } as unknown as CoreOptions<never>
}

const withoutServices = (opened: CoreSightline): Sightline => ({
  handler: opened.handler,
  ready: opened.ready,
  tick: opened.tick,
  token: (token) => opened.token(token as CoreToken),
  dispose: opened.dispose,
  [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
})

/** Opens the service. Rejects only for invalid options: a database that is down is opened as soon as it answers. */
export const open = async (options: Options): Promise<Sightline> =>
  withoutServices(await openCore(coreOptions(options)))

/** Opens the service for a module that may be evaluated more than once, as development servers do; see docs/embedding.md. */
export const openOnce = async (name: string, options: Options): Promise<Sightline> =>
  withoutServices(await openCoreOnce(name, coreOptions(options)))

/** Checks a part's options at once, and loads its code with the part, because a host uses few of them. */
const load = <Kind extends string, O, A, E, R>(
  assert: (options: O) => void,
  options: O,
  layer: (options: O) => Promise<Layer.Layer<A, E, R>>,
) => {
  assert(options)
  return part<Kind>(Layer.unwrap(Effect.promise(() => layer(options))))
}

/** PostgreSQL inside this process, by the package `@electric-sql/pglite`. */
export const layerPglite = (options: PgliteOptions = {}): Database =>
  load(assertPglite, options, async (checked) => (await import("../database/pglite.ts")).layerPglite(checked))

/** PostgreSQL 15 or later. */
export const layerPostgres = (options: PostgresOptions): Database =>
  load(assertPostgres, options, async (checked) => (await import("../database/postgres.ts")).layerPostgres(checked))

/** Counts limits in Redis. */
export const layerRedis = (options: { readonly url: string }): Limits =>
  load(assertRedis, options, async (checked) => (await import("../limits/redis.ts")).layerRedis(checked))

/** Stores, fetches, reads and transcribes documents. */
export const layerLibrary = (options: LibraryOptions = {}): Library =>
  part(Parts.layerLibrary(options as unknown as Parts.Library<never>))

/** Keeps blobs in the database. Several instances share them. */
export const layerDatabaseBlobs: Blobs = part(Parts.layerDatabaseBlobs)

/** Keeps blobs as files of a directory. */
export const layerFileBlobs = (options: { readonly directory: string; readonly reserve?: number | undefined }): Blobs =>
  part(Parts.layerFileBlobs(options))

/** Keeps blobs in a bucket of S3 or a store that speaks its protocol. */
export const layerS3Blobs = (options: S3Options): Blobs => part(Parts.layerS3Blobs(options))

/** Reads documents in threads with limits of time and memory. */
export const layerReader = (options: ReaderOptions = {}): Reader => part(Parts.layerReader(options))

/** Refuses private addresses, also after a redirect. `webhookHosts` may receive webhooks all the same. */
export const layerFetcher = (options: { readonly webhookHosts?: ReadonlyArray<string> } = {}): Fetcher =>
  part(Parts.layerFetcher(options))

/** Transcribes by `POST {url}/audio/transcriptions` of any OpenAI-compatible endpoint. */
export const layerTranscriber = (options: ModelOptions): Transcriber => part(Parts.layerTranscriber(options))

/** Recognizes pages by a model that sees images, at any OpenAI-compatible endpoint. */
export const layerOcr = (options: ModelOptions): Ocr => part(Parts.layerOcr(options))

/** Recognizes pages by the program tesseract, in `languages`, or the installed ones. */
export const layerTesseract = (languages?: ReadonlyArray<string>): Ocr => part(Parts.layerTesseract(languages))

/** An answerer that uses a model. */
export const answererOf = (options: ChatOptions): Answerer =>
  load(
    (given) => assertChat("answererOf", given),
    options,
    async (checked) => (await import("../models/openai.ts")).answererOf(checked),
  )

/** An analyst that uses a model. */
export const analystOf = (options: ChatOptions): Analyst =>
  load(
    (given) => assertChat("analystOf", given),
    options,
    async (checked) => (await import("../models/openai.ts")).analystOf(checked),
  )

/** An embedder of passages and questions. */
export const embedderOf = (options: ModelOptions): Embedder =>
  load(assertEmbedder, options, async (checked) => (await import("../embeddings/openai.ts")).embedderOf(checked))
