import * as Effect from "effect/Effect"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { Access, Principal } from "../access/Access.ts"
import { Audit } from "../audit/Audit.ts"
import { makeApi } from "../http/api/makeApi.ts"
import { mapBlobErrors } from "../http/errors/blobs.ts"
import { NotFound } from "../http/errors/errors.ts"
import { ANALYSIS_JOB, JobQueue, UNDO_JOB } from "../jobs/JobQueue.ts"
import { LibraryGroup } from "./contract.ts"
import { Documents } from "./Documents.ts"
import { attachment } from "../http/replies/attachment.ts"
import { Uploads } from "./Uploads.ts"

const NO_OUTCOME = { warnings: [], attachments: [] }

export const layerLibraryHandlers = HttpApiBuilder.group(
  makeApi(LibraryGroup.middleware(Access)),
  "library",
  Effect.fnUntraced(function* (handlers) {
    const documents = yield* Documents
    const uploads = yield* Uploads
    const jobs = yield* JobQueue
    const audit = yield* Audit
    const organization = Effect.map(Principal, ({ organizationId }) => organizationId)
    const upload = Effect.fnUntraced(function* (to: "library" | "deal", { form }: { readonly form?: "1" | undefined }) {
      const request = yield* HttpServerRequest
      return yield* mapBlobErrors(uploads.receive(yield* organization, request, { to, isForm: form === "1" }))
    })

    return handlers
      .handleRaw("uploadToLibrary", ({ query }) => upload("library", query))
      .handleRaw("uploadToDeal", ({ query }) => upload("deal", query))
      .handleAll({
        list: Effect.fnUntraced(function* ({ query: { page_size = 50, cursor, ...filters } }) {
          return yield* documents.list(yield* organization, filters, { size: page_size, cursor })
        }),
        get: Effect.fnUntraced(function* ({ params }) {
          return yield* documents.get(yield* organization, params.id)
        }),
        original: Effect.fnUntraced(function* ({ params }) {
          const org = yield* organization
          const { document, bytes } = yield* mapBlobErrors(documents.original(org, params.id))
          yield* audit.recordReading({ org }, "document.downloaded", params.id)
          return HttpServerResponse.stream(bytes, {
            contentType: document.content_type,
            ...(document.size_bytes !== null && { contentLength: document.size_bytes }),
            headers: attachment(document),
          })
        }),
        delete: Effect.fnUntraced(function* ({ params }) {
          yield* mapBlobErrors(documents.remove(yield* organization, params.id))
        }),
        reprocess: Effect.fnUntraced(function* ({ params }) {
          return yield* documents.reprocess(yield* organization, params.id)
        }),
        run: Effect.fnUntraced(function* ({ params }) {
          const org = yield* organization
          const status = yield* jobs.find(org, params.id)
          if (status === undefined) return yield* new NotFound({ message: "no run has this id" })
          const { state, subject, kind, ...rest } = status
          if (kind === ANALYSIS_JOB || kind === UNDO_JOB) {
            const deal_id = kind === UNDO_JOB || subject === "" ? null : subject
            const import_id = kind === UNDO_JOB ? subject : null
            return { ...rest, status: state, document_id: null, deal_id, import_id, ...NO_OUTCOME }
          }
          const outcome = state === "completed" ? yield* documents.outcomeOf(org, subject) : NO_OUTCOME
          return { ...rest, status: state, document_id: subject, deal_id: null, import_id: null, ...outcome }
        }),
      })
  }),
)
