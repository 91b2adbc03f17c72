import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { assertOptions } from "../core/common/InvalidOptions.ts"
import { layerOf } from "../core/common/layerOf.ts"
import { lazily } from "../core/common/lazily.ts"
import type { Checks } from "../core/common/options.ts"
import type { BlobStore } from "../core/ports/BlobStore.ts"
import type { DocumentReader } from "../core/ports/DocumentReader.ts"
import { Ocr } from "../core/ports/Ocr.ts"
import { Transcriber } from "../core/ports/Transcriber.ts"
import { UrlFetcher } from "../core/ports/UrlFetcher.ts"
import type { Database } from "../core/storage/Database.ts"
import {
  assertFetcher,
  assertFiles,
  assertOcr,
  assertReader,
  assertS3,
  assertTesseract,
  assertTranscriber,
  type FetcherOptions,
  type FilesOptions,
  type OpenAiOcrOptions,
  type OpenAiOptions,
  type ReaderOptions,
  type S3Options,
} from "./libraryOptions.ts"

/** The parts of a library. Each has a default. */
export interface Library<E> {
  /** Keeps originals and exports; by default in the database. */
  readonly blobs?: Layer.Layer<BlobStore, E, Database> | undefined
  /** Reads documents; by default our readers, in threads with limits. */
  readonly reader?: Layer.Layer<DocumentReader, E> | undefined
  /** Fetches files and sends webhooks; by default over HTTP(S), to public addresses only. */
  readonly fetcher?: Layer.Layer<UrlFetcher, E> | undefined
  /** Transcribes recordings; by default recordings are stored without a transcript. */
  readonly transcriber?: Layer.Layer<Transcriber, E> | undefined
  /** Recognizes pages that are pictures, such as scans; by default a warning names them. */
  readonly ocr?: Layer.Layer<never, E> | undefined
}

const LIBRARY: Checks<Library<never>> = {
  blobs: layerOf("a store", "layerFileBlobs({ directory })"),
  reader: layerOf("a reader", "layerReader()"),
  fetcher: layerOf("a fetcher", "layerFetcher({ webhookHosts })"),
  transcriber: layerOf("a transcriber", "layerTranscriber({ url, model, key })"),
  ocr: layerOf("a recognizer of pages", 'layerTesseract(["eng"])'),
}

/** The `library` of `open`: stores, fetches, reads and transcribes documents. Loads only the parts that it uses. */
export const layerLibrary = <E = never>(parts: Library<E> = {}) => {
  assertOptions("layerLibrary", LIBRARY, parts)
  const { blobs, reader, fetcher, transcriber, ocr } = parts
  return Layer.mergeAll(
    blobs ?? layerDatabaseBlobs,
    reader ?? layerReader(),
    fetcher ?? layerFetcher(),
    transcriber ?? Transcriber.layerNone,
    ocr ?? Layer.succeed(Ocr, undefined),
  )
}

/** Keeps blobs in the database. Several instances share them. */
export const layerDatabaseBlobs = load(async () => (await import("./blobs/database.ts")).layerDatabase)

/** Keeps blobs as files of a directory. */
export const layerFileBlobs = (options: FilesOptions) => {
  assertFiles(options)
  return load(async () => (await import("./blobs/files.ts")).layerFiles(options))
}

/** Keeps blobs in a bucket of S3 or a store that speaks its protocol. */
export const layerS3Blobs = (options: S3Options) => {
  assertS3(options)
  return load(async () => (await import("./blobs/s3.ts")).layerS3(options))
}

/** Reads documents in threads with limits of time and memory. */
export const layerReader = (options: ReaderOptions = {}) => {
  assertReader(options)
  return load(async () => (await import("./reading/layerReader.ts")).makeReader(options))
}

/** Refuses private addresses, also after a redirect. `webhookHosts` may receive webhooks all the same. */
export const layerFetcher = (options: FetcherOptions = {}) => {
  assertFetcher(options)
  return lazily(UrlFetcher, async () => (await import("./fetch/guarded.ts")).layerGuarded(options))
}

/** Transcribes by `POST {url}/audio/transcriptions` of any OpenAI-compatible endpoint. */
export const layerTranscriber = (options: OpenAiOptions) => {
  assertTranscriber(options)
  return load(async () => (await import("./speech/openai.ts")).layerOpenAi(options))
}

/** Recognizes pages by a model that sees images, at any OpenAI-compatible endpoint. */
export const layerOcr = (options: OpenAiOcrOptions) => {
  assertOcr(options)
  return load(async () => (await import("./ocr/openai.ts")).layerOpenAi(options))
}

/** Recognizes pages by the program tesseract, in `languages` such as `["eng", "deu"]`, or the installed ones. Without the program, a warning names the pages. */
export const layerTesseract = (languages?: ReadonlyArray<string>) => {
  assertTesseract(languages)
  return load(async () => {
    const { findTesseract, layerTesseract } = await import("./ocr/tesseract.ts")
    const tesseract = await findTesseract()
    return tesseract === undefined ? Layer.succeed(Ocr, undefined) : layerTesseract(tesseract, languages)
  })
}

function load<A, E, R>(module: () => Promise<Layer.Layer<A, E, R>>) {
  return Layer.unwrap(Effect.promise(module))
}
