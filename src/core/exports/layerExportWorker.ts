import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { split } from "../common/bytes.ts"
import { yieldIfDue } from "../common/inSlices.ts"
import { Background } from "../jobs/Background.ts"
import { DealFilters } from "../deals/filters/filters.ts"
import { resolve } from "../deals/selection/resolve.ts"
import { selectCount } from "../deals/sql.ts"
import { Foreground } from "../jobs/Foreground.ts"
import { type Job, JobFailed, JobQueue, TryAgain } from "../jobs/JobQueue.ts"
import { BlobStore } from "../ports/BlobStore.ts"
import { Database, unavailable, WhenDiskFull } from "../storage/Database.ts"
import { exportRows } from "../telemetry/metrics.ts"
import { encoderOf } from "./encoder.ts"
import { EXPORT_JOB, fileKey, removeFiles } from "./Exports.ts"
import { DECIMALS, DELIMITERS, type ExportOptions, type ExportFormat, FORMAT_NAMES } from "./options.ts"
import { type Snapshot, snapshots } from "./snapshot.ts"
import { sweep } from "./sweep.ts"
import { completeExport, failExport, type Selection } from "./sql.ts"

/** Exports that this process writes at the same time. */
const LOOPS = 2

/**
 * How an export reads: in pieces that take a few milliseconds to encode and, while requests are in flight, at two thirds of the rate of an
 * idle process, or a third for a workbook.
 */
const PACE: Readonly<Record<ExportFormat, { readonly bytesPerMs: number; readonly pieceBytes: number }>> = {
  csv: { bytesPerMs: 100 * 1024, pieceBytes: 256 * 1024 },
  xlsx: { bytesPerMs: 2 * 1024, pieceBytes: 16 * 1024 },
}
const MAX_PAUSE_MS = 10

const Request = Schema.Struct({
  columns: Schema.Array(Schema.String),
  filters: DealFilters,
  csv_safe: Schema.Boolean,
  options: Schema.Struct({
    format: Schema.optional(Schema.Literals(FORMAT_NAMES)),
    bom: Schema.optional(Schema.Boolean),
    delimiter: Schema.optional(Schema.Literals(DELIMITERS)),
    decimal: Schema.optional(Schema.Literals(DECIMALS)),
  }),
})
const decode = Schema.decodeUnknownEffect(Request)

/**
 * Writes exports. If a process dies, another starts the export again; only the file written under the job's lease counts.
 */
export const layerExportWorker = Layer.effectDiscard(
  Effect.gen(function* () {
    const database = yield* Database
    const { sql } = database
    const blobs = yield* BlobStore
    const jobs = yield* JobQueue
    const { yieldToRequests } = yield* Foreground

    const writeFile = Effect.fnUntraced(function* (
      job: Job,
      selection: Selection,
      { framing, bytes }: Snapshot,
      { options, total }: { readonly options: ExportOptions; readonly total: number },
    ) {
      const { format = "csv" } = options
      const { bytesPerMs, pieceBytes } = PACE[format]
      const encoder = encoderOf(selection.selected, framing, options)
      let reportedAt = yield* Clock.currentTimeMillis
      const pieces = Stream.flatMap(bytes, (chunk) => Stream.fromIterable(split(chunk, pieceBytes)))
      const paced = Stream.tap(pieces, (piece) =>
        Effect.gen(function* () {
          yield* yieldIfDue
          yield* yieldToRequests(Math.min(piece.length / bytesPerMs, MAX_PAUSE_MS))
          const now = yield* Clock.currentTimeMillis
          if (now - reportedAt >= 1000) {
            reportedAt = now
            yield* job.report("writing", Math.min(encoder.rows() / Math.max(total, 1), 0.99))
          }
        }),
      )
      const key = fileKey(job.org, job.subject, job.epoch, format)
      const { size, sha256 } = yield* blobs.put(key, encoder.encode(paced))
      const rows = encoder.rows()
      const file = { key, sha256, size, rows, warnings: encoder.warnings() }
      yield* job
        .finish(completeExport(sql, job.org, job.subject, file))
        // After any other failure the file may count. If it does not, the next attempt deletes it, or the sweep with its record.
        .pipe(Effect.tapErrorTag("JobLost", () => Effect.ignore(blobs.remove(key))))
      yield* Metric.update(exportRows({}), rows)
    })

    const write = Effect.fnUntraced(function* (job: Job) {
      const [row] = yield* database.scoped<object>(
        job.org,
        sql`select columns, filters, csv_safe, options from exports where org_id = scope.org and id = ${job.subject}`,
      )
      if (row === undefined) return yield* new JobFailed({ reason: "the export's record has expired; export again" })
      const { columns, filters, csv_safe, options } = yield* Effect.orDie(decode(row))
      const selection = yield* resolve(job.org, filters, columns)
      const [count] = yield* database.scoped<{ count: number }>(
        job.org,
        selectCount(sql, selection.conditions, selection.searchQuery),
      )
      yield* job.report("writing", 0)
      yield* removeFiles(job.org, job.subject, job.epoch - 1)
      const [first, ...others] = yield* snapshots(job.org, selection)
      const writeFrom = (snapshot: Snapshot) =>
        writeFile(job, selection, snapshot, { options: { ...options, csvSafe: csv_safe }, total: count?.count ?? 0 })
      yield* others.reduce(
        (all, other) => Effect.catchTag(all, "DealsChanged", () => writeFrom(other)),
        writeFrom(first),
      )
    })

    const attempt = (job: Job) =>
      write(job).pipe(
        Effect.catchTags({
          BadRequest: ({ message }) =>
            new JobFailed({ reason: `the workspace has changed since this export was asked for: ${message}` }),
          WorkbookTooLarge: () =>
            new JobFailed({
              reason: "a sheet of the workbook exceeds 4 GiB: export fewer columns or deals, or export csv",
            }),
          DealsChanged: () => new TryAgain({ reason: "the deals kept changing while they were read" }),
          BlobStoreError: ({ message }) => new TryAgain({ reason: message }),
        }),
      )

    const recordFailure = (job: Job) => unavailable(failExport(sql, job.org, job.subject))
    yield* jobs.work(EXPORT_JOB, attempt, recordFailure, LOOPS)
    const sweepAll = Effect.repeat(sweep, { while: (more) => more })
    yield* (yield* Background).chore({
      name: "expired exports",
      everySeconds: 3600,
      run: Effect.provideService(sweepAll, WhenDiskFull, "proceed"),
    })
  }),
)
