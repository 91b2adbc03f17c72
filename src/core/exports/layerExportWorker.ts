import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { Background } from "../jobs/Background.ts"
import { DealFilters } from "../deals/filters.ts"
import { resolve } from "../deals/resolve.ts"
import { countOf } from "../deals/sql.ts"
import { Foreground } from "../jobs/Foreground.ts"
import { type Job, JobFailed, JobQueue, TryAgain } from "../jobs/JobQueue.ts"
import { BlobStore } from "../ports/BlobStore.ts"
import { Database, unavailable, WhenDiskFull } from "../storage/Database.ts"
import { exportRows } from "../telemetry/metrics.ts"
import { CsvEncoder } from "./csv.ts"
import { EXPORT_JOB, fileKey } from "./Exports.ts"
import { type Snapshot, snapshots } from "./snapshot.ts"
import { sweep } from "./sweep.ts"
import { completeExport, failExport, type Selection } from "./sql.ts"

/** Exports that this process writes at the same time. */
const LOOPS = 2

/** The reading rate while requests are in flight: about a third of the rate of an idle process. */
const BYTES_PER_MS = 16_384
const MAX_PAUSE_MS = 10

const Request = Schema.Struct({ columns: Schema.Array(Schema.String), filters: DealFilters, csv_safe: Schema.Boolean })
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
      { safe, total }: { readonly safe: boolean; readonly total: number },
    ) {
      const encoder = new CsvEncoder(selection.selected, framing, safe)
      let reportedAt = yield* Clock.currentTimeMillis
      const lines = Stream.mapEffect(bytes, (chunk) =>
        Effect.gen(function* () {
          const csv = encoder.encode(chunk)
          yield* yieldToRequests(Math.min(chunk.length / BYTES_PER_MS, MAX_PAUSE_MS))
          const now = yield* Clock.currentTimeMillis
          if (now - reportedAt >= 1000) {
            reportedAt = now
            yield* job.report("writing", Math.min(encoder.rows / Math.max(total, 1), 0.99))
          }
          return csv
        }),
      )
      const key = fileKey(job.org, job.subject, job.epoch)
      const { size, sha256 } = yield* blobs.put(
        key,
        Stream.concat(
          lines,
          Stream.sync(() => encoder.end()),
        ),
      )
      yield* job
        .finish(completeExport(sql, job.org, job.subject, { key, sha256, size, rows: encoder.rows }))
        // After any other failure the file may count. If it does not, the next attempt deletes it, or the sweep with its record.
        .pipe(Effect.tapErrorTag("JobLost", () => Effect.ignore(blobs.remove(key))))
      yield* Metric.update(exportRows({}), encoder.rows)
    })

    const write = Effect.fnUntraced(function* (job: Job) {
      const [row] = yield* database.scoped<object>(
        job.org,
        sql`select columns, filters, csv_safe from exports where org_id = scope.org and id = ${job.subject}`,
      )
      if (row === undefined) return yield* new JobFailed({ reason: "the export's record has expired; export again" })
      const { columns, filters, csv_safe } = yield* Effect.orDie(decode(row))
      const selection = yield* resolve(job.org, filters, columns)
      const [count] = yield* database.scoped<{ count: number }>(
        job.org,
        countOf(sql, selection.conditions, selection.searchQuery),
      )
      yield* job.report("writing", 0)
      for (let epoch = 1; epoch < job.epoch; epoch++) yield* blobs.remove(fileKey(job.org, job.subject, epoch))
      const [first, ...others] = yield* snapshots(job.org, selection)
      const writeFrom = (snapshot: Snapshot) =>
        writeFile(job, selection, snapshot, { safe: csv_safe, total: count?.count ?? 0 })
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
