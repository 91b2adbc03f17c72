import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { SqlClient } from "effect/sql/SqlClient"
import { recordAct } from "../audit/recordAct.ts"
import { makeId } from "../common/ids.ts"
import type { DealFilters } from "../deals/filters/filters.ts"
import { resolve } from "../deals/selection/resolve.ts"
import { type BadRequest, type Forbidden, NotFound } from "../http/errors/errors.ts"
import { makeLibraryCheck } from "../http/errors/library.ts"
import { badRequest } from "../http/validation/validation.ts"
import { deleteJob, JobQueue } from "../jobs/JobQueue.ts"
import type { WorkKind } from "../jobs/kinds.ts"
import { blobKey, BlobStore, type BlobStoreError } from "../ports/BlobStore.ts"
import type { DatabaseUnavailable } from "../ports/DatabaseUnavailable.ts"
import { Database } from "../storage/Database.ts"
import { inOrganization } from "../storage/inOrganization.ts"
import { utc } from "../storage/sql.ts"
import type { Export } from "./contract.ts"
import { DownloadLinks } from "./DownloadLinks.ts"
import { FORMAT_NAMES, type ExportOptions, type ExportFormat, optionProblems } from "./options.ts"
import { deleteExport, insertExport } from "./sql.ts"

export interface NewExport extends ExportOptions {
  readonly columns: ReadonlyArray<string>
  readonly filters: DealFilters
  /** The prefix of the filters' field names in errors: `filters.`, or empty if they are at the top of the request. */
  readonly within?: string
}

/** A finished export's file. */
export interface ExportFile {
  readonly file: string
  readonly sha256: string
  readonly file_size: number
  /** ISO 8601. */
  readonly completed_at: string
}

/** The kind of job that writes an export. */
export const EXPORT_JOB = "export" satisfies WorkKind

/** PostgreSQL intervals: a download expires this long after completion, a record this long after creation. */
export const RETENTION = { download: "7 days", record: "30 days" } as const

/** Each attempt (`epoch`) has its own file, so that a later attempt never overwrites an earlier one. */
export const fileKey = (org: string, id: string, epoch: number, format: ExportFormat) =>
  blobKey(org, "exports", `${id}-${epoch}.${format}`)

/** The format of a file, by its key. */
export const formatOf = (file: string): ExportFormat =>
  FORMAT_NAMES.find((format) => file.endsWith(`.${format}`)) ?? "csv"

/** Removes the files of every attempt, whatever its format. */
export const removeFiles = (org: string, id: string, epochs: number) =>
  Effect.forEach(
    Array.from({ length: epochs }, (_, n) => FORMAT_NAMES.map((format) => fileKey(org, id, n + 1, format))).flat(),
    (key) => BlobStore.use((blobs) => blobs.remove(key)),
    { discard: true },
  )

/** Deletes an export's record and its job, within the caller's transaction. */
export const deleteExportAndJob = (sql: SqlClient, org: string, id: string, job: string) =>
  Effect.andThen(deleteExport(sql, org, id), deleteJob(sql, org, job))

/** Bulk exports. `layerExportWorker` writes the files, in this process or another. */
export class Exports extends Context.Service<
  Exports,
  {
    /**
     * Returns the export's id. Fails on names that the workspace does not know, so that the job need not. Once the request
     * is valid, `acquireSlot` takes a slot of the quota and returns the effect that releases it.
     */
    readonly submit: <E = never>(
      org: string,
      request: NewExport,
      acquireSlot?: Effect.Effect<Effect.Effect<void, DatabaseUnavailable>, E>,
    ) => Effect.Effect<string, BadRequest | Forbidden | NotFound | DatabaseUnavailable | E>
    readonly find: (org: string, id: string) => Effect.Effect<Export, NotFound | DatabaseUnavailable>
    readonly file: (org: string, id: string) => Effect.Effect<ExportFile, NotFound | DatabaseUnavailable>
    /** Deletes the record and its file. A worker that is writing the file notices, and deletes what it wrote. */
    readonly remove: (org: string, id: string) => Effect.Effect<void, NotFound | DatabaseUnavailable | BlobStoreError>
  }
>()("sightline/exports/Exports") {
  static readonly layer = Layer.effect(
    Exports,
    Effect.gen(function* () {
      const database = yield* Database
      const jobs = yield* JobQueue
      const links = yield* DownloadLinks
      const blobs = yield* BlobStore
      const requireLibrary = yield* makeLibraryCheck
      const { sql } = database

      return Exports.of({
        submit: Effect.fn("Exports.submit")(function* <E>(
          org: string,
          { columns, filters, within, ...options }: NewExport,
          acquireSlot: Effect.Effect<Effect.Effect<void, DatabaseUnavailable>, E> = Effect.succeed(Effect.void),
        ) {
          yield* requireLibrary
          const { selected } = yield* Effect.provideService(
            resolve(org, filters, columns, { within, also: optionProblems(options) }),
            Database,
            database,
          )
          if (selected.length === 0) {
            return yield* badRequest({ invalid: [{ field: "columns", reason: "must name a column that is exported" }] })
          }
          const id = yield* makeId("exp")
          const releaseSlot = yield* acquireSlot
          const store = database.transaction(
            org,
            Effect.gen(function* () {
              const jobId = yield* jobs.enqueue(org, { kind: EXPORT_JOB, subject: id, prefix: "run" })
              yield* insertExport(sql, org, { id, jobId, columns, filters, options })
              yield* recordAct(sql, org, "export.created", id)
            }),
          )
          // An interrupted transaction may still have committed, so its slot stays taken.
          yield* Effect.onError(store, (cause) =>
            Cause.hasInterrupts(cause) ? Effect.void : Effect.ignore(releaseSlot),
          )
          yield* jobs.wake(EXPORT_JOB, org)
          return id
        }),

        find: Effect.fn("Exports.find")(function* (org, id) {
          const [row] = yield* database.scoped<Export>(org, sql`${selectExport(sql)} and e.id = ${id}`)
          if (row === undefined) return yield* new NotFound({ message: "no export has this id" })
          const { completed_at, download_expires_at, download_expired } = row
          if (completed_at === null || download_expires_at === null || download_expired) return row
          return { ...row, download_url: yield* links.url(org, id, download_expires_at) }
        }),

        file: Effect.fn("Exports.file")(function* (org, id) {
          const [row] = yield* database.scoped<ExportFile>(
            org,
            sql`select file, sha256, file_size, ${sql.literal(utc("completed_at"))} as completed_at
              from exports where org_id = scope.org and id = ${id} and file is not null`,
          )
          return row ?? (yield* new NotFound({ message: "no export has this id" }))
        }),

        remove: Effect.fn("Exports.remove")(function* (org, id) {
          const removed = yield* database.transaction(
            org,
            Effect.gen(function* () {
              const [row] = yield* sql<{ job_id: string; epoch: number }>`
                select e.job_id, j.epoch from exports e join jobs j on j.org_id = e.org_id and j.id = e.job_id
                where e.org_id = ${org} and e.id = ${id} for update`
              if (row === undefined) return undefined
              yield* deleteExportAndJob(sql, org, id, row.job_id)
              yield* recordAct(sql, org, "export.deleted", id)
              return row
            }),
          )
          if (removed === undefined) return yield* new NotFound({ message: "no export has this id" })
          yield* Effect.provideService(removeFiles(org, id, removed.epoch), BlobStore, blobs)
        }),
      })
    }).pipe(inOrganization),
  )
}

/** Selects exports as the API returns them, without the link. The job has the progress; a file is valid once it is completed. */
const selectExport = (sql: SqlClient) => sql`
  select e.id as export_id,
    case j.state when 'queued' then 'pending' when 'running' then 'processing' when 'completed' then 'completed' else 'failed' end as status,
    round(j.progress::numeric, 3)::float8 as progress,
    case when ${isCompleted(sql)} then e.row_count end as row_count,
    case when ${isCompleted(sql)} then e.file_size end as file_size,
    ${sql.literal(utc("e.created_at"))} as created_at,
    ${sql.literal(utc("j.started_at"))} as started_at,
    case when ${isCompleted(sql)} then ${sql.literal(utc("e.completed_at"))} end as completed_at,
    null as download_url,
    case when ${isCompleted(sql)} then ${sql.literal(utc(`(e.completed_at + interval '${RETENTION.download}')`))} end as download_expires_at,
    coalesce(${isCompleted(sql)} and e.completed_at + interval '${sql.literal(RETENTION.download)}' <= now(), false) as download_expired,
    ${sql.literal(utc(`(e.created_at + interval '${RETENTION.record}')`))} as record_expires_at,
    case when ${isCompleted(sql)} then e.warnings else '[]' end as warnings,
    case when j.state in ('failed', 'cancelled') then coalesce(j.error, 'it was called off') end as error
  from exports e join jobs j on j.org_id = e.org_id and j.id = e.job_id
  where e.org_id = scope.org and j.org_id = scope.org and e.created_at > now() - interval '${sql.literal(RETENTION.record)}'`

const isCompleted = (sql: SqlClient) => sql`j.state = 'completed'`
