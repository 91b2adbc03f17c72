import { assertOptions } from "../core/common/InvalidOptions.ts"
import { callable, check, type Checks, flag, integer, seconds, shown, text } from "../core/common/options.ts"
import type { Secret } from "../core/common/secret.ts"
import { bytes, ENDPOINT, ENDPOINT_NEEDS, httpUrl, secret } from "./optionChecks.ts"

export interface FilesOptions {
  readonly directory: string
  /** Bytes that must stay free on the disk; default 256 MiB. */
  readonly reserve?: number | undefined
}

export interface S3Options {
  readonly bucket: string
  /** A prefix of every key; default: the bucket's root. */
  readonly prefix?: string | undefined
  /** The URL of a store other than Amazon's: `http://127.0.0.1:9000`. */
  readonly endpoint?: string | undefined
  readonly region: string
  readonly accessKeyId: string
  readonly secretAccessKey: Secret
  readonly sessionToken?: Secret | undefined
}

export interface ReaderOptions {
  /** The URL of a bundled `sightline/worker`. By default the thread runs the package's file, or if that is missing the text of it. */
  readonly workerUrl?: URL | undefined
  /**
   * Reads in the host's own thread, for a host without threads. A hostile or huge document can then block or end the process: no
   * limit of time or memory holds.
   */
  readonly inThread?: boolean | undefined
  /** Reads DOC, PPT and XLS by LibreOffice, if it is installed, in a process with limits. By default the uploader is asked to save them anew. */
  readonly libreOffice?: boolean | undefined
}

export interface OpenAiOptions {
  /** The base URL with the version, such as `https://api.openai.com/v1`. */
  readonly url: string
  readonly model: string
  readonly key?: Secret | undefined
  /** Bytes of one request; default 24 MiB. */
  readonly maxBytes?: number | undefined
  /** Seconds for one piece, from request to complete reply; default 600. */
  readonly seconds?: number | undefined
  /** Seconds before the first retry, doubled each time; default 1. A `Retry-After` takes precedence. */
  readonly pause?: number | undefined
  /** Finds a bundled `sightline/media-worker`. By default the thread that cuts recordings runs the package's file, or if that is missing the text of it. */
  readonly worker?: (() => Promise<URL>) | undefined
}

export interface OpenAiOcrOptions {
  /** The base URL with the version, such as `https://api.openai.com/v1`. */
  readonly url: string
  /** A model that takes images. */
  readonly model: string
  readonly key?: Secret | undefined
  /** Seconds for one page, from request to complete reply; default 120. */
  readonly seconds?: number | undefined
  /** Seconds before the first retry, doubled each time; default 1. A `Retry-After` takes precedence. */
  readonly pause?: number | undefined
}

export interface FetcherOptions {
  /** `host:port` pairs, private ones too, that may receive messages; files are never fetched from them. */
  readonly webhookHosts?: ReadonlyArray<string> | undefined
}

const FILES: Checks<FilesOptions> = { directory: text("the directory of the files"), reserve: bytes }

export const assertFiles = (options: unknown) => assertOptions("layerFileBlobs", FILES, options, ["directory"])

const S3: Checks<S3Options> = {
  bucket: text("the name of a bucket"),
  prefix: check((value) => typeof value === "string", "must be a text"),
  endpoint: httpUrl,
  region: text("the name of a region, such as us-east-1"),
  accessKeyId: text("the id of an access key"),
  secretAccessKey: secret,
  sessionToken: secret,
}

export const assertS3 = (options: unknown) =>
  assertOptions("layerS3Blobs", S3, options, ["bucket", "region", "accessKeyId", "secretAccessKey"])

const READER: Checks<ReaderOptions> = {
  workerUrl: check((value) => value instanceof URL, "must be the URL of the bundled sightline/worker"),
  inThread: flag,
  libreOffice: flag,
}

export const assertReader = (options: unknown) => assertOptions("layerReader", READER, options)

const HOST_PORT = /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\]):[1-9]\d{0,4}$/

/** Whether a text is a host and a port as URLs write them: in lower case, with an IPv6 address in brackets. */
export const isHostPort = (value: unknown): boolean => typeof value === "string" && HOST_PORT.test(value)

const FETCHER: Checks<FetcherOptions> = {
  webhookHosts: (value) => {
    const rule = 'must be a list of host:port pairs in lower case, such as ["localhost:9290"]'
    if (!Array.isArray(value)) return `${rule}, not ${shown(value)}`
    const wrong = value.findIndex((pair) => !isHostPort(pair))
    return wrong === -1 ? undefined : `${rule}, but has ${shown(value[wrong])}`
  },
}

export const assertFetcher = (options: unknown) => assertOptions("layerFetcher", FETCHER, options)

export const assertTesseract = (languages: unknown) =>
  assertOptions("layerTesseract", { languages: languageNames }, { languages })

const languageNames = check(
  (value) => Array.isArray(value) && value.length > 0 && value.every((name) => typeof name === "string"),
  'must be a list of languages as tesseract names them, such as ["eng", "deu"]',
)

const TRANSCRIBER: Checks<OpenAiOptions> = {
  ...ENDPOINT,
  maxBytes: integer(1),
  seconds,
  pause: seconds,
  worker: callable("a function that finds the bundled sightline/media-worker"),
}

export const assertTranscriber = (options: unknown) =>
  assertOptions("layerTranscriber", TRANSCRIBER, options, ENDPOINT_NEEDS)

const OCR: Checks<OpenAiOcrOptions> = { ...ENDPOINT, seconds, pause: seconds }

export const assertOcr = (options: unknown) => assertOptions("layerOcr", OCR, options, ENDPOINT_NEEDS)
