import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { recordAct } from "../audit/recordAct.ts"
import type { PageRequest } from "../common/page.ts"
import { makeId } from "../common/ids.ts"
import { makeCursor } from "../http/values/cursor.ts"
import { BadRequest, Conflict, type Forbidden, NotFound } from "../http/errors/errors.ts"
import { Instant } from "../http/values/parameters.ts"
import { findNamed } from "../deals/names/closedSets.ts"
import { makeLibraryCheck } from "../http/errors/library.ts"
import { badRequest } from "../http/validation/validation.ts"
import { JobQueue } from "../jobs/JobQueue.ts"
import type { WorkKind } from "../jobs/kinds.ts"
import { type BlobNotFound, BlobStore, type BlobStoreError } from "../ports/BlobStore.ts"
import { DocumentReader } from "../ports/DocumentReader.ts"
import type { DatabaseUnavailable } from "../ports/DatabaseUnavailable.ts"
import { Database } from "../storage/Database.ts"
import { inOrganization } from "../storage/inOrganization.ts"
import type { Document } from "./contract.ts"
import { essenceOf, isMedia } from "../ports/document.ts"
import { Originals, type Refused } from "./Originals.ts"
import { resolveTarget, type Target } from "./targets.ts"
import type {
  DocumentPage,
  DocumentsQuery,
  NewDocument,
  OpenedOriginal,
  Original,
  ReadingOutcome,
  Receipt,
  UploadedFile,
} from "./documentTypes.ts"
import { findSameName, lockEarlier } from "./versions.ts"
import { deleteDocuments, deleteOriginals, originalKey } from "./removal.ts"
import { selectPage, selectDuplicate, selectOutcome, documentColumns } from "./sql.ts"
import { ViewerLinks } from "./viewer/ViewerLinks.ts"
import { type DocumentRow as Row, insertDocument, markReplaced, restartDocument } from "./writing.ts"

/** The kinds of jobs: reading a document, transcribing a recording, recognizing the text of pages. */
export const DOCUMENT_JOB = "document" satisfies WorkKind
export const TRANSCRIPTION_JOB = "recording" satisfies WorkKind
export const RECOGNITION_JOB = "recognition" satisfies WorkKind

export { originalKey }

/** Accepts, lists, reprocesses and removes documents and recordings. `layerIngestion` reads them. */
export class Documents extends Context.Service<
  Documents,
  {
    /** Stores a file and queues a job that reads it. Keeps nothing of a refused file. */
    readonly upload: <E>(
      org: string,
      target: Target,
      file: UploadedFile<E>,
    ) => Effect.Effect<Receipt, Refused | NotFound | Conflict | DatabaseUnavailable | E>
    /** Cannot be interrupted. Removes the original's bytes if the document was certainly not stored. */
    readonly receive: (
      org: string,
      document: NewDocument,
      original: Original,
    ) => Effect.Effect<Receipt, BadRequest | NotFound | Conflict | DatabaseUnavailable | BlobStoreError>
    readonly list: (
      org: string,
      filters: DocumentsQuery,
      page: PageRequest,
    ) => Effect.Effect<DocumentPage, BadRequest | NotFound | DatabaseUnavailable>
    readonly get: (org: string, id: string) => Effect.Effect<Document, NotFound | DatabaseUnavailable>
    /** The warnings of the last reading and the attachments; empty if the document is deleted. */
    readonly outcomeOf: (org: string, id: string) => Effect.Effect<ReadingOutcome, NotFound | DatabaseUnavailable>
    readonly original: (
      org: string,
      id: string,
    ) => Effect.Effect<OpenedOriginal, NotFound | DatabaseUnavailable | BlobNotFound | BlobStoreError>
    readonly remove: (org: string, id: string) => Effect.Effect<void, NotFound | DatabaseUnavailable | BlobStoreError>
    /** Queues another reading. Refused while one is queued or running. */
    readonly reprocess: (
      org: string,
      id: string,
    ) => Effect.Effect<Receipt, Forbidden | NotFound | Conflict | DatabaseUnavailable>
  }
>()("sightline/library/Documents") {
  static readonly layer = Layer.effect(
    Documents,
    Effect.gen(function* () {
      const database = yield* Database
      const { sql } = database
      const withDatabase = Effect.provideService(Database, database)
      const blobs = yield* BlobStore
      const jobs = yield* JobQueue
      const links = yield* ViewerLinks
      const reader = yield* DocumentReader
      const originals = yield* Originals
      const requireLibrary = yield* makeLibraryCheck
      const withUrl = (org: string, row: Row): Effect.Effect<Document> =>
        Effect.map(links.url(org, row.id), (url) => ({ ...row, url }))
      const kindOf = (contentType: string) => (isMedia(reader.formatOf(contentType)) ? TRANSCRIPTION_JOB : DOCUMENT_JOB)
      const enqueue = (org: string, { id, content_type }: Row) =>
        jobs.enqueue(org, { kind: kindOf(content_type), subject: id, prefix: "run" })

      const find = Effect.fnUntraced(function* (org: string, id: string) {
        const [row] = yield* database.scoped<Row>(
          org,
          sql`select ${documentColumns(sql)} from documents where org_id = scope.org and id = ${id}`,
        )
        if (row === undefined) return yield* new NotFound({ message: "no document has this id" })
        return yield* withUrl(org, row)
      })

      /** A commit may succeed although its reply is lost, so the bytes are removed only after a look at the row. */
      const discardUnlessStored = <A, E>(
        effect: Effect.Effect<A, E>,
        org: string,
        _: NewDocument,
        original: Original,
      ) =>
        "file_url" in original
          ? effect
          : Effect.onError(effect, () =>
              Effect.flatMap(
                database.scoped(org, sql`select 1 from documents where org_id = scope.org and id = ${original.id}`),
                (rows) => (rows.length === 0 ? blobs.remove(originalKey(org, original.id)) : Effect.void),
              ).pipe(Effect.ignore),
            )

      const receive = Effect.fn("Documents.receive")(
        function* (org: string, document: NewDocument, original: Original) {
          const id = "id" in original ? original.id : yield* makeId("doc")
          const row = {
            id,
            type: document.type,
            source: document.source,
            file_name: document.file_name,
            content_type: essenceOf(document.content_type),
            competitor_id: document.competitorId,
            deal_id: document.dealId,
            file_url: "file_url" in original ? original.file_url : null,
            size_bytes: "size" in original ? original.size : null,
            sha256: "sha256" in original ? original.sha256 : null,
          }
          const receipt = yield* database.transaction(
            org,
            Effect.gen(function* () {
              if ("sha256" in original) {
                // The second of two concurrent uploads of the same bytes waits here and finds the first.
                yield* sql`select pg_advisory_xact_lock(hashtextextended(${`${org} ${original.sha256}`}, 0))`
                const [same] = yield* sql<Row>`${selectDuplicate(sql, org, { ...document, sha256: original.sha256 })}`
                if (same !== undefined) {
                  const [run] = yield* sql<{ id: string }>`select id from jobs
                    where org_id = ${org} and subject = ${same.id} order by created_at desc limit 1`
                  return { document: yield* withUrl(org, same), run_id: run?.id ?? "", duplicate: true } as const
                }
              }
              const replaces =
                document.replaces ?? (document.replaces_same_name ? yield* findSameName(sql, org, document) : undefined)
              const version = replaces === undefined ? 0 : yield* lockEarlier(sql, org, replaces, document)
              if (replaces !== undefined) yield* markReplaced(sql, org, replaces, id)
              const inserted = yield* insertDocument(sql, org, {
                ...row,
                ...(replaces !== undefined && { version: version + 1, replaces }),
              })
              return { document: yield* withUrl(org, inserted), run_id: yield* enqueue(org, inserted) }
            }),
          )
          if ("duplicate" in receipt) yield* blobs.remove(originalKey(org, id))
          yield* jobs.wake(kindOf(document.content_type), org)
          return receipt
        },
        discardUnlessStored,
        Effect.uninterruptible,
      )

      return Documents.of({
        receive,
        upload: Effect.fn("Documents.upload")(function* (org, target, { bytes, ...file }) {
          yield* requireLibrary
          const resolved = yield* withDatabase(resolveTarget(org, target))
          const original = yield* originals.keep(org, file.content_type, bytes)
          return yield* receive(org, { ...file, ...resolved, source: "api" }, original)
        }),

        list: Effect.fn("Documents.list")(function* (org, filters, { size, cursor }) {
          const after = cursor === undefined ? undefined : decodeCursor(cursor)
          if (cursor !== undefined && after === undefined) {
            return yield* badRequest({
              invalid: [{ field: "cursor", reason: "must be the next_cursor of an earlier page" }],
            })
          }
          const { competitor_id: value, ...others } = filters
          const competitor_ids =
            value === undefined
              ? undefined
              : yield* withDatabase(findNamed(org, { field: "competitor_id", set: "competitors", value }))
          const rows = yield* database.scoped<Row>(org, selectPage(sql, { ...others, competitor_ids }, after, size))
          const page = rows.slice(0, size)
          const last = rows.length > size ? page.at(-1) : undefined
          return {
            data: yield* Effect.forEach(page, (row) => withUrl(org, row)),
            next_cursor: last === undefined ? null : encodeCursor(last),
          }
        }),

        get: find,

        outcomeOf: (org, id) =>
          Effect.map(
            database.scoped<ReadingOutcome>(org, selectOutcome(sql, id)),
            ([row]) => row ?? { warnings: [], attachments: [] },
          ),

        original: Effect.fn("Documents.original")(function* (org, id) {
          const document = yield* find(org, id)
          return { document, bytes: yield* blobs.get(originalKey(org, id)) }
        }),

        remove: Effect.fn("Documents.remove")(function* (org, id) {
          const removed = yield* database.transaction(
            org,
            Effect.tap(Effect.provideService(deleteDocuments(sql, org, [id]), JobQueue, jobs), (removed) =>
              removed.length === 0 ? Effect.void : recordAct(sql, org, "document.deleted", id),
            ),
          )
          if (removed.length === 0) return yield* new NotFound({ message: "no document has this id" })
          yield* Effect.provideService(deleteOriginals(org, removed), BlobStore, blobs)
        }),

        reprocess: Effect.fn("Documents.reprocess")(function* (org, id) {
          yield* requireLibrary
          const receipt = yield* database.transaction(
            org,
            Effect.gen(function* () {
              const row = yield* restartDocument(sql, org, id)
              if (row === undefined) return undefined
              return { document: yield* withUrl(org, row), run_id: yield* enqueue(org, row) }
            }),
          )
          if (receipt === undefined) {
            yield* find(org, id)
            return yield* new Conflict({ message: "this document is already being read; follow its run" })
          }
          yield* jobs.wake(kindOf(receipt.document.content_type), org)
          return receipt
        }),
      })
    }).pipe(inOrganization),
  )
}

const { encode, decode } = makeCursor(Schema.Tuple([Schema.String, Schema.String]))
const isInstant = Schema.is(Instant)

const encodeCursor = ({ created_at, id }: Row) => encode([created_at, id])

const decodeCursor = (cursor: string) => {
  const pair = decode(cursor)
  return pair === undefined || !isInstant(pair[0]) || pair[1].includes("\0")
    ? undefined
    : { created_at: pair[0], id: pair[1] }
}
