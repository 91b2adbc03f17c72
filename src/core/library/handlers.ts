import * as Effect from "effect/Effect"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { Access, Principal } from "../access/Access.ts"
import { recordReading } from "../access/audit/recordReading.ts"
import { apiOf } from "../http/apiOf.ts"
import { NotFound } from "../http/errors.ts"
import { JobQueue } from "../jobs/JobQueue.ts"
import type { BlobNotFound, BlobStoreError } from "../ports/BlobStore.ts"
import { DatabaseUnavailable } from "../ports/DatabaseUnavailable.ts"
import { Database } from "../storage/Database.ts"
import { LibraryGroup, DealFields, LibraryFields } from "./contract.ts"
import { Documents } from "./Documents.ts"
import { attachment } from "../http/attachment.ts"
import { COMPETITOR_CHOICE, DEAL_CHOICE, placeOfCompetitor, placeOfDeal } from "./places.ts"
import { Uploads } from "./Uploads.ts"

export const layerLibraryHandlers = HttpApiBuilder.group(
  apiOf(LibraryGroup.middleware(Access)),
  "library",
  Effect.fnUntraced(function* (handlers) {
    const documents = yield* Documents
    const uploads = yield* Uploads
    const jobs = yield* JobQueue
    const database = yield* Database
    /** The blob store is a service of ours as the database is: out of reach, it is 503. */
    const stored = <A, E, R>(effect: Effect.Effect<A, E | BlobStoreError | BlobNotFound, R>) =>
      Effect.catchTags(effect as Effect.Effect<A, BlobStoreError | BlobNotFound, R>, {
        BlobStoreError: ({ message }) => new DatabaseUnavailable({ message }),
        BlobNotFound: ({ message }) => new NotFound({ message }),
      }) as Effect.Effect<A, Exclude<E, BlobStoreError | BlobNotFound> | DatabaseUnavailable | NotFound, R>
    const organization = Effect.map(Principal, ({ organizationId }) => organizationId)

    return handlers
      .handleRaw(
        "uploadToLibrary",
        Effect.fnUntraced(function* () {
          const org = yield* organization
          const { fields, original } = yield* stored(
            uploads.take(org, yield* HttpServerRequest, LibraryFields, COMPETITOR_CHOICE),
          )
          const place = yield* Effect.onError(placeOfCompetitor(database, org, fields), () =>
            uploads.discard(org, original),
          )
          return yield* stored(
            documents.receive(org, { ...fields, source: fields.source ?? "api", ...place }, original),
          )
        }),
      )
      .handleRaw(
        "uploadToDeal",
        Effect.fnUntraced(function* () {
          const org = yield* organization
          const { fields, original } = yield* stored(
            uploads.take(org, yield* HttpServerRequest, DealFields, DEAL_CHOICE),
          )
          const place = yield* Effect.onError(placeOfDeal(database, org, fields), () => uploads.discard(org, original))
          return yield* stored(
            documents.receive(org, { ...fields, type: "asset", source: fields.source ?? "api", ...place }, original),
          )
        }),
      )
      .handleAll({
        list: Effect.fnUntraced(function* ({ query: { page_size = 50, cursor, ...filters } }) {
          return yield* documents.list(yield* organization, filters, { size: page_size, cursor })
        }),
        get: Effect.fnUntraced(function* ({ params }) {
          return yield* documents.get(yield* organization, params.id)
        }),
        original: Effect.fnUntraced(function* ({ params }) {
          const org = yield* organization
          const { document, bytes } = yield* stored(documents.original(org, params.id))
          yield* recordReading(database, { org }, "document.downloaded", params.id)
          return HttpServerResponse.stream(bytes, {
            contentType: document.content_type,
            ...(document.size_bytes !== null && { contentLength: document.size_bytes }),
            headers: attachment(document),
          })
        }),
        delete: Effect.fnUntraced(function* ({ params }) {
          yield* stored(documents.remove(yield* organization, params.id))
        }),
        reprocess: Effect.fnUntraced(function* ({ params }) {
          return yield* documents.reprocess(yield* organization, params.id)
        }),
        run: Effect.fnUntraced(function* ({ params }) {
          const org = yield* organization
          const status = yield* jobs.find(org, params.id)
          if (status === undefined) return yield* new NotFound({ message: "no run has this id" })
          const { state, subject, kind: _, ...rest } = status
          const warnings = state === "completed" ? yield* documents.warningsOf(org, subject) : []
          return { ...rest, status: state, document_id: subject, warnings }
        }),
      })
  }),
)
