import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { concat } from "../common/bytes.ts"
import { Foreground } from "../jobs/Foreground.ts"
import { type Job, JobFailed, JobQueue, TryAgain } from "../jobs/JobQueue.ts"
import { BlobStore } from "../ports/BlobStore.ts"
import { DocumentReader } from "../ports/DocumentReader.ts"
import { Ocr } from "../ports/Ocr.ts"
import { type Recording, Transcriber } from "../ports/Transcriber.ts"
import { UrlFetcher } from "../ports/UrlFetcher.ts"
import { Database } from "../storage/Database.ts"
import { type Format, isMedia } from "../ports/document.ts"
import { analyzeAutomatically } from "./analyzeAutomatically.ts"
import { DOCUMENT_JOB, originalKey, RECOGNITION_JOB, TRANSCRIPTION_JOB } from "./Documents.ts"
import { Ends } from "./Ends.ts"
import { MAX_BYTES } from "./Originals.ts"
import { makeRecognition, listPictures } from "./recognition.ts"
import { inStage } from "./stages.ts"
import { type AttachedRow, storeAttachments } from "./attachments.ts"
import { describeOriginal, failDocument, insertDocument, lockDeal, replaceText } from "./writing.ts"

/** Jobs of each kind that a process runs at once. Recordings have their own loops, so that they do not delay documents. */
const LOOPS = 2

/** Storing a document waits this long, at most, for requests in flight. */
const MAX_IDLE_WAIT_MS = 100

/** Whether a retry would get the same HTTP status. */
const isFinal = (status = 500) => status >= 400 && status < 500 && status !== 408 && status !== 429

interface Subject {
  readonly content_type: string
  readonly file_url: string | null
  readonly size_bytes: number | null
}

/**
 * Fetches, extracts, chunks and indexes each document, in any process. If a process dies, the job's lease expires and
 * another worker starts over. Only the holder of the job stores the text, in one transaction.
 */
export const layerIngestion = Layer.effectDiscard(
  Effect.gen(function* () {
    const database = yield* Database
    const { sql } = database
    const blobs = yield* BlobStore
    const fetcher = yield* UrlFetcher
    const reader = yield* DocumentReader
    const transcriber = yield* Transcriber
    const ocr = yield* Ocr
    const jobs = yield* JobQueue
    const { waitUntilIdle } = yield* Foreground
    const withServices = Effect.provide(
      Context.make(Database, database).pipe(
        Context.add(BlobStore, blobs),
        Context.add(DocumentReader, reader),
        Context.add(JobQueue, jobs),
      ),
    )

    /** Downloads an original and stores it. */
    const fetchOriginal = Effect.fnUntraced(function* (job: Job, contentType: string, url: string, maxBytes: number) {
      yield* job.report("fetching", 0.1)
      const ends = new Ends()
      const stored = yield* Effect.scoped(
        Effect.gen(function* () {
          const { bytes } = yield* fetcher.fetch(url, { maxBytes, seconds: 300 })
          return yield* blobs.put(
            originalKey(job.org, job.subject),
            Stream.tap(bytes, (chunk) => Effect.sync(() => ends.add(chunk))),
          )
        }),
      )
      const refusal = reader.refusal(contentType, ends.head, ends.tail)
      if (refusal !== undefined) {
        yield* blobs.remove(originalKey(job.org, job.subject))
        return yield* new JobFailed({ reason: `At that address: ${refusal}` })
      }
      const kept = yield* database.transaction(job.org, describeOriginal(sql, job.org, job.subject, stored))
      if (kept === undefined) {
        yield* blobs.remove(originalKey(job.org, job.subject))
        return yield* new JobFailed({ reason: "the document was deleted" })
      }
    })

    const extract = Effect.fnUntraced(function* (job: Job, format: Format) {
      yield* job.report("extracting", 0.3)
      const bytes = concat(yield* Stream.runCollect(yield* blobs.get(originalKey(job.org, job.subject))))
      return yield* inStage("read", format)(reader.read(bytes, format, ocr === undefined ? undefined : "pending"))
    })

    const transcribe = Effect.fnUntraced(function* (job: Job, format: Format) {
      yield* job.report("transcribing", 0.3)
      const key = originalKey(job.org, job.subject)
      const recording: Recording = {
        format,
        size: yield* blobs.size(key),
        read: (start, end) => Effect.map(Effect.flatMap(blobs.get(key, { start, end }), Stream.runCollect), concat),
      }
      const document = yield* inStage(
        "transcribe",
        format,
      )(transcriber.transcribe(recording, (part) => job.report("transcribing", 0.3 + 0.4 * part)))
      yield* job.report("chunking", 0.7)
      return yield* inStage("chunk", format)(Effect.sync(() => reader.chunk(document)))
    })

    const insertAttached = Effect.fnUntraced(function* (org: string, row: AttachedRow) {
      yield* insertDocument(sql, org, row)
      const kind = isMedia(reader.formatOf(row.content_type)) ? TRANSCRIPTION_JOB : DOCUMENT_JOB
      yield* jobs.enqueue(org, { kind, subject: row.id, prefix: "run" })
    })

    const read = Effect.fnUntraced(function* (job: Job) {
      const [subject] = yield* database.scoped<Subject>(
        job.org,
        sql`select content_type, file_url, size_bytes from documents where org_id = scope.org and id = ${job.subject}`,
      )
      if (subject === undefined) return yield* new JobFailed({ reason: "the document was deleted" })
      const format = reader.formatOf(subject.content_type)
      if (format === undefined) return yield* new JobFailed({ reason: `${subject.content_type} cannot be read` })
      const media = isMedia(format)
      if (subject.size_bytes === null) {
        const maxBytes = media ? MAX_BYTES.media : MAX_BYTES.document
        yield* inStage("fetch", format)(fetchOriginal(job, subject.content_type, subject.file_url ?? "", maxBytes))
      }
      const document = yield* media ? transcribe(job, format) : extract(job, format)
      const attached = yield* withServices(storeAttachments(job, document.attachments ?? []))
      yield* job.report("indexing", 0.9)
      yield* waitUntilIdle(MAX_IDLE_WAIT_MS)
      const finish =
        ocr !== undefined && listPictures(document.warnings).length > 0 ? job.handOver(RECOGNITION_JOB) : job.finish
      yield* inStage(
        "store",
        format,
      )(
        finish(
          Effect.andThen(
            replaceText(sql, job.org, job.subject, {
              ...document,
              warnings: [...document.warnings, ...attached.warnings],
            }),
            Effect.andThen(
              Effect.forEach(attached.rows, (row) => insertAttached(job.org, row), { discard: true }),
              withServices(analyzeAutomatically(job.org, job.subject)),
            ),
          ),
          lockDeal(sql, job.org, job.subject),
        ),
      )
      if (attached.rows.length > 0)
        yield* Effect.forEach([DOCUMENT_JOB, TRANSCRIPTION_JOB], (kind) => jobs.wake(kind, job.org), { discard: true })
    })

    const attempt = (job: Job) =>
      read(job).pipe(
        Effect.catchTags({
          UnreadableDocument: ({ reason }) => new JobFailed({ reason }),
          ReaderUnavailable: ({ reason }) => new TryAgain({ reason }),
          TranscriptionFailed: ({ reason }) => new JobFailed({ reason }),
          TranscriptionUnavailable: ({ reason }) => new TryAgain({ reason }),
          BlobNotFound: () => new JobFailed({ reason: "the uploaded file no longer exists; upload it again" }),
          BlobStoreError: ({ message }) => new TryAgain({ reason: message }),
          // An unknown host name may resolve later. A private address is retried the same way, so that the two look alike.
          FetchRefused: ({ message }) => new TryAgain({ reason: message }),
          FetchFailed: ({ reason, status, message }) =>
            reason === "too_large" || isFinal(status)
              ? new JobFailed({ reason: message })
              : new TryAgain({ reason: message }),
        }),
      )

    const fail = (job: Job, reason: string) =>
      Effect.asVoid(database.transaction(job.org, failDocument(sql, job.org, job.subject, reason)))

    for (const kind of [DOCUMENT_JOB, TRANSCRIPTION_JOB]) yield* jobs.work(kind, attempt, fail, LOOPS)
    if (ocr !== undefined) yield* makeRecognition(ocr)
  }),
)
