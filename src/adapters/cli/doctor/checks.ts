import { createServer } from "node:net"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { importPackage, PackageMissing } from "../../../core/common/optionalPackage.ts"
import { BlobStore, blobKey } from "../../../core/ports/BlobStore.ts"
import type { Configuration } from "../../configuration/configuration.ts"
import { inspectDirectory } from "../../directory/dataDirectory.ts"
import { layerBlobs } from "../../configuration/options.ts"
import { isSightline } from "../connection/server.ts"
import { cannotListen, serving } from "../../serving/address.ts"

/** The result of one check. `remedy` says how to fix a problem. */
export interface Check {
  readonly name: string
  /** `warning`: the server runs, with a defect. */
  readonly state: "ok" | "warning" | "problem"
  readonly detail: string
  readonly remedy?: string | undefined
}

export const ok = (name: string, detail: string): Check => ({ name, state: "ok", detail })
export const warning = (name: string, detail: string): Check => ({ name, state: "warning", detail })
export const problem = (name: string, detail: string, remedy: string): Check => ({
  name,
  state: "problem",
  detail,
  remedy,
})

export const checkDirectory = ({ dataDirectory }: Configuration): Effect.Effect<Check> =>
  Effect.match(inspectDirectory(dataDirectory), {
    onSuccess: (found) =>
      ok(
        "directory",
        found === "there" ? `${dataDirectory} is writable` : `${dataDirectory} does not exist yet; serve creates it`,
      ),
    onFailure: ({ message }) =>
      problem("directory", message, "let this user write there, or set SIGHTLINE_DATA_DIR to a writable directory"),
  })

/** Requests a missing blob; only inspects a directory, because opening the file store would create it. */
export const checkBlobs = Effect.fnUntraced(function* ({ blobs }: Configuration) {
  const remedy = "make it usable, or set SIGHTLINE_BLOBS to another place"
  if (blobs.kind === "database") return ok("files", "kept in the database")
  if (blobs.kind === "files") {
    return yield* Effect.match(inspectDirectory(blobs.directory), {
      onSuccess: (found) =>
        ok(
          "files",
          `kept in ${blobs.directory}${found === "there" ? "" : ", which does not exist yet; serve creates it"}`,
        ),
      onFailure: ({ message }) => problem("files", message, remedy),
    })
  }
  const where = `the bucket ${blobs.bucket}`
  const asked = Effect.flatMap(BlobStore, (store) => store.size(blobKey("doctor", "absent"))).pipe(
    Effect.catchTag("BlobNotFound", () => Effect.void),
    Effect.provide(layerBlobs(blobs) as BlobsOnly),
    Effect.timeoutOption("15 seconds"),
  )
  return yield* Effect.match(asked, {
    onSuccess: (done) =>
      Option.isSome(done)
        ? ok("files", `kept in ${where}, which replies`)
        : problem("files", `${where} does not reply`, remedy),
    onFailure: ({ message }) => problem("files", `${where}: ${message}`, remedy),
  })
})

/** A store other than the database. */
type BlobsOnly = Layer.Layer<BlobStore, Layer.Error<ReturnType<typeof layerBlobs>>>

export const checkRedis = Effect.fnUntraced(function* ({ redisUrl }: Configuration) {
  if (redisUrl === undefined) return ok("limits", "counted in the database (SIGHTLINE_REDIS_URL is not set)")
  const { host } = new URL(Redacted.value(redisUrl))
  const version = Effect.tryPromise(async () => {
    const { createClient } = await importPackage("redis", () => import("redis"))
    const client = createClient({
      url: Redacted.value(redisUrl),
      socket: { connectTimeout: 5_000, reconnectStrategy: false },
    })
    client.on("error", () => {})
    await client.connect()
    const info = await client.info("server")
    client.destroy()
    return /redis_version:(\S+)/.exec(info)?.[1] ?? "unknown"
  })
  return yield* Effect.match(version, {
    onSuccess: (version) => ok("limits", `counted in Redis ${version} at ${host}`),
    onFailure: ({ cause }) => {
      const unset = "unset SIGHTLINE_REDIS_URL to count limits in the database"
      if (cause instanceof PackageMissing) return problem("limits", cause.message, `run that, or ${unset}`)
      return problem(
        "limits",
        `Redis at ${host} is unreachable: ${cause instanceof Error ? cause.message : String(cause)}`,
        `start it, or ${unset}`,
      )
    },
  })
})

/** A missing transcriber is not a problem: recordings then report it. */
export const checkTranscription = Effect.fnUntraced(function* ({ transcription }: Configuration) {
  if (transcription.kind === "off")
    return ok("speech", "recordings are not transcribed (SIGHTLINE_TRANSCRIPTION_URL is off)")
  if (transcription.kind === "local") {
    const { findPrograms } = yield* Effect.promise(() => import("../../speech/local.ts"))
    return (yield* Effect.promise(findPrograms)) === undefined
      ? ok(
          "speech",
          "recordings are not transcribed: set SIGHTLINE_TRANSCRIPTION_URL, or install ffmpeg and pocketsphinx",
        )
      : ok(
          "speech",
          "recordings are transcribed by pocketsphinx on this machine (SIGHTLINE_TRANSCRIPTION_URL is not set)",
        )
  }
  const { host } = new URL(transcription.url)
  return (yield* answers(transcription.url))
    ? ok("speech", `recordings are transcribed by ${transcription.model} at ${host}`)
    : problem(
        "speech",
        `the transcriber at ${host} is unreachable`,
        "start it, or unset SIGHTLINE_TRANSCRIPTION_URL for the local engine",
      )
})

/** Missing OCR is not a problem: documents then name the pages that are pictures. */
export const checkOcr = Effect.fnUntraced(function* ({ ocr }: Configuration) {
  if (ocr.kind === "off") return ok("pictures", "pages that are pictures are not read (SIGHTLINE_OCR_URL is off)")
  if (!(yield* canDraw))
    return warning("pictures", "pages that are pictures are not read: the package @napi-rs/canvas is not installed")
  if (ocr.kind === "openai") {
    const { host } = new URL(ocr.url)
    return (yield* answers(ocr.url))
      ? ok("pictures", `pages that are pictures are read by ${ocr.model} at ${host}`)
      : problem(
          "pictures",
          `the OCR endpoint at ${host} is unreachable`,
          "start it, or unset SIGHTLINE_OCR_URL for tesseract",
        )
  }
  const { findTesseract, chooseLanguages } = yield* Effect.promise(() => import("../../ocr/tesseract.ts"))
  const tesseract = yield* Effect.promise(findTesseract)
  if (tesseract === undefined)
    return ok("pictures", "pages that are pictures are not read: install tesseract-ocr, or set SIGHTLINE_OCR_URL")
  const languages = chooseLanguages(tesseract, ocr.languages)
  const missing = languages.filter((language) => !tesseract.languages.includes(language))
  return missing.length === 0
    ? ok("pictures", `pages that are pictures are read by tesseract on this machine in ${languages.join(", ")}`)
    : problem(
        "pictures",
        `tesseract lacks ${missing.join(", ")}`,
        `install tesseract-ocr-${missing[0]}, or correct SIGHTLINE_OCR_LANGUAGES`,
      )
})

/** Missing LibreOffice is not a problem: an upload is refused with what to send instead. */
export const checkLibreOffice = Effect.fnUntraced(function* ({ libreOffice }: Configuration) {
  if (!libreOffice) return ok("old files", "DOC, PPT and XLS are refused (SIGHTLINE_LIBREOFFICE is false)")
  const { findLibreOffice } = yield* Effect.promise(() => import("../../reading/libreOffice.ts"))
  return (yield* Effect.promise(findLibreOffice)) === undefined
    ? ok("old files", "DOC, PPT and XLS are refused: LibreOffice is not installed")
    : ok("old files", "DOC, PPT and XLS are read by LibreOffice on this machine")
})

const canDraw = Effect.promise(async () => {
  const { loadCanvas } = await import("../../../ingest/formats/pdf/page/canvas.ts")
  try {
    loadCanvas()
    return true
  } catch {
    return false
  }
})

export const checkModel = Effect.fnUntraced(function* ({ model }: Configuration) {
  if (model === undefined) return ok("answers", "in quoted sentences (SIGHTLINE_MODEL_URL is not set)")
  const { host } = new URL(model.url)
  return (yield* answers(model.url))
    ? ok("answers", `by ${model.model} at ${host}`)
    : problem(
        "answers",
        `the model at ${host} is unreachable`,
        "start it, or unset SIGHTLINE_MODEL_URL to answer with quoted sentences",
      )
})

export const checkEmbedding = Effect.fnUntraced(function* ({ embedding }: Configuration) {
  if (embedding === undefined) return ok("search", "by words only (SIGHTLINE_EMBEDDING_URL is not set)")
  const { host } = new URL(embedding.url)
  return (yield* answers(embedding.url))
    ? ok("search", `by words, and by vectors of ${embedding.model} at ${host}`)
    : problem(
        "search",
        `the embedding endpoint at ${host} is unreachable`,
        "start it, or unset SIGHTLINE_EMBEDDING_URL to search by words only",
      )
})

/** Whether a server listens there; any status counts. */
const answers = (url: string) =>
  Effect.tryPromise(() => fetch(url, { signal: AbortSignal.timeout(5_000), redirect: "manual" })).pipe(
    Effect.as(true),
    Effect.orElseSucceed(() => false),
  )

export const checkPort = Effect.fnUntraced(function* ({ host, port, basePath }: Configuration) {
  const { url } = serving(host, port, basePath)
  if (port === 0) return ok("port", "a free port is used")
  const refused = yield* Effect.flip(canListen(host, port)).pipe(Effect.option)
  if (refused._tag === "None") return ok("port", `${host}:${port} is free`)
  return (yield* isSightline(url))
    ? ok("port", `Sightline already serves at ${url}`)
    : problem("port", refused.value.message, "set PORT or HOST")
})

const canListen = (host: string, port: number) =>
  Effect.callback<void, ReturnType<typeof cannotListen>>((resume) => {
    const probe = createServer()
    probe.once("error", (cause) => resume(Effect.fail(cannotListen(host, port, cause))))
    probe.listen(port, host, () => probe.close(() => resume(Effect.void)))
  })
