import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { recordAct } from "../access/audit/recordAct.ts"
import { makeId } from "../common/ids.ts"
import { signalChange } from "../changes/signal.ts"
import type { DealFilters } from "../deals/filters.ts"
import { resolve } from "../deals/resolve.ts"
import { type BadRequest, NotFound } from "../http/errors.ts"
import { badRequest } from "../http/validation.ts"
import { JobQueue } from "../jobs/JobQueue.ts"
import { blobKey, BlobStore, type BlobStoreError } from "../ports/BlobStore.ts"
import type { DatabaseUnavailable } from "../ports/DatabaseUnavailable.ts"
import { Database } from "../storage/Database.ts"
import { utc } from "../storage/sql.ts"
import type { Export } from "./contract.ts"
import { DownloadLinks } from "./DownloadLinks.ts"
import { deleteExport, insertExport } from "./sql.ts"

export interface NewExport {
  readonly columns: ReadonlyArray<string>
  readonly filters: DealFilters
  readonly csvSafe: boolean
  /** Where the filters stand in the request: `filters.`, or at its top. */
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

/** The kind of its jobs. */
export const EXPORTING = "export"

/** How long a download and a record are kept, as PostgreSQL's intervals. */
export const KEPT = { download: "7 days", record: "30 days" } as const

/** Where the file of one attempt is: a later attempt never writes over it. */
export const fileKey = (org: string, id: string, epoch: number) => blobKey(org, "exports", `${id}-${epoch}.csv`)

/** Removes the files of every attempt. */
export const removeFiles = (blobs: BlobStore["Service"], org: string, id: string, epochs: number) =>
  Effect.forEach(
    Array.from({ length: epochs }, (_, n) => fileKey(org, id, n + 1)),
    (key) => blobs.remove(key),
    { discard: true },
  )

/** Deletes an export's record and its job, within the caller's transaction. */
export const forgetExport = (sql: Database["Service"]["sql"], org: string, id: string, job: string) =>
  Effect.andThen(deleteExport(sql, org, id), sql`delete from jobs where org_id = ${org} and id = ${job}`)

/** Bulk exports: asked for here, written by `layerExporting`, in this process or another. */
export class Exports extends Context.Service<
  Exports,
  {
    /**
     * Answers its id. Names that the workspace does not know are refused here, not by the job. `taking` takes a slot of
     * the quota, once the request is known to be valid, and answers what gives the slot back.
     */
    readonly submit: <E = never>(
      org: string,
      request: NewExport,
      taking?: Effect.Effect<Effect.Effect<void, DatabaseUnavailable>, E>,
    ) => Effect.Effect<string, BadRequest | DatabaseUnavailable | E>
    readonly find: (org: string, id: string) => Effect.Effect<Export, NotFound | DatabaseUnavailable>
    readonly file: (org: string, id: string) => Effect.Effect<ExportFile, NotFound | DatabaseUnavailable>
    /** Removes the record and its file. A worker that is writing the file notices, and removes what it wrote. */
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
      const { sql } = database

      return Exports.of({
        submit: Effect.fn("Exports.submit")(function* <E>(
          org: string,
          { columns, filters, csvSafe, within }: NewExport,
          taking: Effect.Effect<Effect.Effect<void, DatabaseUnavailable>, E> = Effect.succeed(Effect.void),
        ) {
          const { selected } = yield* resolve(database, org, filters, columns, { within })
          if (selected.length === 0) {
            return yield* badRequest({ invalid: [{ field: "columns", reason: "must name a column that is exported" }] })
          }
          const id = yield* makeId("exp")
          const giveBack = yield* taking
          const stored = database.transaction(
            org,
            Effect.gen(function* () {
              const jobId = yield* jobs.enqueue(org, { kind: EXPORTING, subject: id, prefix: "run" })
              yield* insertExport(sql, org, { id, jobId, columns, filters, csvSafe })
              yield* recordAct(sql, org, "export.created", id)
            }),
          )
          // A request that was broken off may have been stored.
          yield* Effect.onError(stored, (cause) => (Cause.hasInterrupts(cause) ? Effect.void : Effect.ignore(giveBack)))
          yield* jobs.wake(EXPORTING)
          return id
        }),

        find: Effect.fn("Exports.find")(function* (org, id) {
          const [row] = yield* database.scoped<Export>(org, sql`${shown(sql)} and e.id = ${id}`)
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
              yield* forgetExport(sql, org, id, row.job_id)
              yield* recordAct(sql, org, "export.deleted", id)
              return row
            }),
          )
          if (removed === undefined) return yield* new NotFound({ message: "no export has this id" })
          yield* signalChange
          yield* removeFiles(blobs, org, id, removed.epoch)
        }),
      })
    }),
  )
}

/** An export as the API answers it, but for its link. The job says how far it is; a file counts when its job is completed. */
const shown = (sql: Database["Service"]["sql"]) => sql`
  select e.id as export_id,
    case j.state when 'queued' then 'pending' when 'running' then 'processing' when 'completed' then 'completed' else 'failed' end as status,
    round(j.progress::numeric, 3)::float8 as progress,
    case when ${DONE(sql)} then e.row_count end as row_count,
    case when ${DONE(sql)} then e.file_size end as file_size,
    ${sql.literal(utc("e.created_at"))} as created_at,
    ${sql.literal(utc("j.started_at"))} as started_at,
    case when ${DONE(sql)} then ${sql.literal(utc("e.completed_at"))} end as completed_at,
    null as download_url,
    case when ${DONE(sql)} then ${sql.literal(utc(`(e.completed_at + interval '${KEPT.download}')`))} end as download_expires_at,
    coalesce(${DONE(sql)} and e.completed_at + interval '${sql.literal(KEPT.download)}' <= now(), false) as download_expired,
    ${sql.literal(utc(`(e.created_at + interval '${KEPT.record}')`))} as record_expires_at,
    case when j.state in ('failed', 'cancelled') then coalesce(j.error, 'it was called off') end as error
  from exports e join jobs j on j.org_id = e.org_id and j.id = e.job_id
  where e.org_id = scope.org and j.org_id = scope.org and e.created_at > now() - interval '${sql.literal(KEPT.record)}'`

const DONE = (sql: Database["Service"]["sql"]) => sql`j.state = 'completed'`
