import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { concat } from "../common/bytes.ts"
import { Foreground } from "../jobs/Foreground.ts"
import { type Job, JobFailed, JobQueue, TryAgain } from "../jobs/JobQueue.ts"
import { BlobStore } from "../ports/BlobStore.ts"
import { DocumentReader } from "../ports/DocumentReader.ts"
import type { PageText, Warning } from "../ports/document.ts"
import type { OcrEngine } from "../ports/Ocr.ts"
import { Database } from "../storage/Database.ts"
import { analyzeAutomatically } from "./analyzeAutomatically.ts"
import { originalKey, RECOGNITION_JOB } from "./Documents.ts"
import { inStage } from "./stages.ts"
import { lockDeal, replaceText } from "./writing.ts"

/** Recognizing takes a second or two for each page; further pages keep the warning that names them. */
const MAX_PAGES = 500

/** Storing a document waits this long, at most, for requests in flight. */
const MAX_IDLE_WAIT_MS = 100

/** The numbers of the pages of a document that are pictures, or of its large pictures, as its last reading named them. */
export const listPictures = (warnings: ReadonlyArray<Warning>): ReadonlyArray<number> =>
  warnings
    .flatMap(({ code, pages = [], pictures = [] }) =>
      code === "pages_without_text" ? pages : code === "pictures_without_text" ? pictures : [],
    )
    .flatMap(({ from, to }) => Array.from({ length: Math.min(to - from + 1, MAX_PAGES) }, (_, n) => from + n))
    .slice(0, MAX_PAGES)

/**
 * Recognizes the pages of documents that are pictures, and large pictures in others, one at a time, and reads the documents again with their text. The
 * first reading hands its job over: the document is ready with the text that it has, and the run goes on.
 */
export const makeRecognition = Effect.fnUntraced(function* (ocr: OcrEngine) {
  const database = yield* Database
  const { sql } = database
  const blobs = yield* BlobStore
  const reader = yield* DocumentReader
  const jobs = yield* JobQueue
  const { waitUntilIdle } = yield* Foreground
  const withServices = Effect.provide(Context.make(Database, database).pipe(Context.add(JobQueue, jobs)))

  const recognize = Effect.fnUntraced(function* (job: Job) {
    const [subject] = yield* database.scoped<{ content_type: string; warnings: ReadonlyArray<Warning> }>(
      job.org,
      sql`select content_type, warnings from documents where org_id = scope.org and id = ${job.subject}`,
    )
    const format = subject && reader.formatOf(subject.content_type)
    if (subject === undefined || format === undefined)
      return yield* new JobFailed({ reason: "the document was deleted" })
    const bytes = concat(yield* Stream.runCollect(yield* blobs.get(originalKey(job.org, job.subject))))
    const pages = listPictures(subject.warnings)
    const recognized = new Map<number, PageText>()
    let refusal: string | undefined
    for (const [index, page] of pages.entries()) {
      yield* job.report("recognizing", 0.3 + (0.6 * index) / pages.length)
      const text = Effect.flatMap(reader.drawPage(bytes, format, page), ocr.recognize)
      yield* inStage(
        "recognize",
        format,
      )(text).pipe(
        Effect.tap((text) => Effect.sync(() => recognized.set(page, text))),
        // The other pages may succeed.
        Effect.catchTags({
          UnreadableDocument: ({ reason }) => Effect.sync(() => void (refusal ??= reason)),
          PageNotRecognized: ({ reason }) => Effect.sync(() => void (refusal ??= reason)),
        }),
      )
    }
    if (recognized.size === 0 && refusal !== undefined) return yield* new JobFailed({ reason: refusal })
    const document = yield* inStage("read", format)(reader.read(bytes, format, recognized))
    yield* job.report("indexing", 0.9)
    yield* waitUntilIdle(MAX_IDLE_WAIT_MS)
    yield* inStage(
      "store",
      format,
    )(
      job.finish(
        Effect.andThen(
          replaceText(sql, job.org, job.subject, document),
          withServices(analyzeAutomatically(job.org, job.subject)),
        ),
        lockDeal(sql, job.org, job.subject),
      ),
    )
  })

  const attempt = (job: Job) =>
    recognize(job).pipe(
      Effect.catchTags({
        UnreadableDocument: ({ reason }) => new JobFailed({ reason }),
        ReaderUnavailable: ({ reason }) => new TryAgain({ reason }),
        OcrFailed: ({ reason }) => new JobFailed({ reason }),
        OcrUnavailable: ({ reason }) => new TryAgain({ reason }),
        BlobNotFound: () => new JobFailed({ reason: "the uploaded file no longer exists; upload it again" }),
        BlobStoreError: ({ message }) => new TryAgain({ reason: message }),
      }),
    )

  // A failed run leaves the document ready, with the warning that names its pictures.
  yield* jobs.work(RECOGNITION_JOB, attempt, () => Effect.void)
})
