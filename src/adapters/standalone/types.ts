// The types of `sightline/standalone`. They import none of Effect's, which its hosts need not have.

declare const kind: unique symbol

/** A part of the service, which `open` takes. */
export interface Part<Kind extends string> {
  readonly [kind]: Kind
}

export type Database = Part<"database">
export type Limits = Part<"limits">
export type Library = Part<"library">
export type Blobs = Part<"blobs">
export type Reader = Part<"reader">
export type Fetcher = Part<"fetcher">
export type Transcriber = Part<"transcriber">
export type Ocr = Part<"ocr">
export type Answerer = Part<"answerer">
export type Analyst = Part<"analyst">
export type Embedder = Part<"embedder">

export type Role = "viewer" | "member" | "admin" | "owner"

/** The sender of a request who needs no key, because the host vouches for all of it. */
export interface Principal {
  /** The id of the organization. */
  readonly organization: string
  readonly role: Role
  /** Fewer permissions than the role has. Without it, all of them. */
  readonly permissions?: ReadonlyArray<string> | undefined
  /** The user or service of the host. `id` is unique in the organization and does not change; `name` is for people. */
  readonly identity: { readonly id: string; readonly name: string }
}

/** Who a token is for, and what it may do. */
export interface NewToken extends Principal {
  /** How long it works: 1 to 3,600 s; 900 by default. */
  readonly seconds?: number | undefined
  /** The only origin whose pages may use it; by default it works everywhere. */
  readonly origin?: string | undefined
}

/** Null: no limit. */
export interface PlanLimits {
  readonly requestsPerMinute: number | null
  readonly requestsPerKey: number | null
  readonly requestsPerMonth: number | null
  readonly exportsPerMonth: number | null
}

type ConcurrentKind = "document" | "recording" | "recognition" | "export" | "analysis" | "undo" | "webhooks"

/** The background work of one process. */
export interface BackgroundChoice {
  /** The kinds of work that this process does; by default all. */
  readonly kinds?: ReadonlyArray<ConcurrentKind | "records" | "vectors" | "upkeep"> | undefined
  /** How many of each kind this process does at once. */
  readonly concurrency?: number | { readonly [Kind in ConcurrentKind]?: number | undefined } | undefined
}

/** As those of `open` of `sightline`; docs/embedding.md describes each. */
export interface Options {
  readonly database: Database
  readonly library?: Library | undefined
  readonly limits?: Limits | undefined
  readonly answerer?: Answerer | undefined
  readonly analyst?: Analyst | undefined
  readonly embedder?: Embedder | undefined
  readonly plans?: Readonly<Record<string, PlanLimits>> | undefined
  readonly identityRequestsPerMinute?: number | null | undefined
  readonly publicUrl?: string | undefined
  readonly basePath?: string | undefined
  readonly signingSecret?: string | undefined
  readonly previousSigningSecret?: string | undefined
  readonly linkDays?: number | undefined
  readonly principal?: ((request: Request) => Principal | undefined | Promise<Principal | undefined>) | undefined
  readonly oauth?:
    | {
        readonly loginUrl?: ((returnTo: string) => string | URL) | undefined
        readonly keySignIn?: boolean | undefined
      }
    | false
    | undefined
  readonly operatorKey?: string | undefined
  readonly metricsKey?: string | undefined
  readonly docs?: boolean | undefined
  readonly corsOrigins?: ReadonlyArray<string> | undefined
  readonly trustedProxies?: number | undefined
  readonly background?: boolean | BackgroundChoice | undefined
  readonly jobsPerOrganization?: number | undefined
}

/** The whole service, inside a host's process. */
export interface Sightline extends AsyncDisposable {
  /** Answers one request. Until the database is open, it replies 503 with `Retry-After`. */
  readonly handler: (request: Request) => Promise<Response>
  /** Resolves once the database is open. Rejects after `seconds`, 30 by default. */
  readonly ready: (options?: { readonly seconds?: number | undefined }) => Promise<void>
  /** Does due background work for at most `seconds`. Returns what it did, and whether due work remains. */
  readonly tick: (options: {
    readonly seconds: number
  }) => Promise<{ readonly done: Readonly<Record<string, number>>; readonly remaining: boolean }>
  /** Makes a bearer token for a page of the host, which acts as the identity. Needs the option `signingSecret`. */
  readonly token: (token: NewToken) => Promise<string>
  /** Waits at most `drainSeconds` (0 to 600; 0 by default) for running requests, and closes the database. */
  readonly dispose: (options?: { readonly drainSeconds?: number | undefined }) => Promise<void>
}

export interface PgliteOptions {
  /**
   * The directory of the data, open in one process at a time; left out, the data lives in memory and ends with the process. Undefined is
   * refused: an unset variable would lose the data.
   */
  readonly directory?: string
}

export interface PostgresOptions {
  /** The login that serves. */
  readonly url: string
  /** The login that migrates and owns the tables. Default: `url`. */
  readonly migrationUrl?: string | undefined
  /** Connections of this process's pool; default 10. */
  readonly connections?: number | undefined
  /** Whether a pooler that shares sessions between transactions is in front. */
  readonly pooled?: boolean | undefined
  /** Whether background work listens for notifications of other processes; default true. */
  readonly listen?: boolean | undefined
  /** The schema of the tables; default `sightline`. */
  readonly schema?: string | undefined
  /** The restricted role; default `<schema>_app`. */
  readonly role?: string | undefined
}

export interface LibraryOptions {
  /** Keeps originals and exports; by default in the database. */
  readonly blobs?: Blobs | undefined
  /** Reads documents; by default our readers, in threads with limits. */
  readonly reader?: Reader | undefined
  /** Fetches files and sends webhooks; by default over HTTP(S), to public addresses only. */
  readonly fetcher?: Fetcher | undefined
  /** Transcribes recordings; by default recordings are stored without a transcript. */
  readonly transcriber?: Transcriber | undefined
  /** Recognizes pages that are pictures; by default a warning names them. */
  readonly ocr?: Ocr | undefined
}

export interface S3Options {
  readonly bucket: string
  /** A prefix of every key; default: the bucket's root. */
  readonly prefix?: string | undefined
  /** The URL of a store other than Amazon's. */
  readonly endpoint?: string | undefined
  readonly region: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken?: string | undefined
}

export interface ReaderOptions {
  /** The URL of a bundled `sightline/worker`. */
  readonly workerUrl?: URL | undefined
  /** Reads in the host's own thread, without limits of time and memory. */
  readonly inThread?: boolean | undefined
  /** Reads DOC, PPT and XLS by LibreOffice, if it is installed. By default the uploader is asked to save them anew. */
  readonly libreOffice?: boolean | undefined
}

/** A model at an OpenAI-compatible endpoint. */
export interface ModelOptions {
  /** The base URL with the version, such as `https://api.openai.com/v1`. */
  readonly url: string
  readonly model: string
  readonly key?: string | undefined
}

export interface ChatOptions extends ModelOptions {
  /** US dollars for a million tokens: analyses then state their cost. */
  readonly prices?: { readonly input: number; readonly output: number } | undefined
}
