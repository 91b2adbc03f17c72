import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as Base64 from "effect/encoding/Base64"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import { MultipartError } from "effect/http/Multipart"
import { decodeEntities } from "../common/entities.ts"
import { type Conflict, BadRequest, type NotFound, UnsupportedMediaType } from "../http/errors/errors.ts"
import { makeLibraryCheck } from "../http/errors/library.ts"
import { FILENAME_MISSING, readParts } from "../http/bodies/multipart.ts"
import { badRequest, type Invalid, notJson } from "../http/validation/validation.ts"
import type { DatabaseUnavailable } from "../ports/DatabaseUnavailable.ts"
import { UrlFetcher } from "../ports/UrlFetcher.ts"
import { Database } from "../storage/Database.ts"
import { DealFields, LibraryFields } from "./contract.ts"
import { Documents } from "./Documents.ts"
import type { Original, Receipt } from "./documentTypes.ts"
import { MAX_BYTES, Originals, type Refused, tooLarge, type UncheckedOriginal } from "./Originals.ts"
import { COMPETITOR_FIELDS, DEAL_FIELDS, resolveCompetitor, resolveDeal, findChoiceProblems } from "./targets.ts"

/**
 * Receives uploads over HTTP, as multipart, whose file streams to the blob store, or as JSON. Keeps nothing of a refused
 * upload. Empty fields are absent: forms and no-code tools send those that nobody filled in.
 */
export class Uploads extends Context.Service<
  Uploads,
  {
    /**
     * Adds a document to a competitor's library or to a deal, which the request's fields name. `isForm`: the request comes from a plain
     * HTML form, whose file has its name and type in its part.
     */
    readonly receive: (
      org: string,
      request: HttpServerRequest,
      options: { readonly to: "library" | "deal"; readonly isForm?: boolean },
    ) => Effect.Effect<Receipt, Refused | NotFound | Conflict | DatabaseUnavailable>
  }
>()("sightline/library/Uploads") {
  static readonly layer = Layer.effect(
    Uploads,
    Effect.gen(function* () {
      const withDatabase = Effect.provideService(Database, yield* Database)
      const documents = yield* Documents
      const originals = yield* Originals
      const fetcher = yield* UrlFetcher
      const requireLibrary = yield* makeLibraryCheck

      const parseMultipart = Effect.fnUntraced(function* (org: string, request: HttpServerRequest, isForm: boolean) {
        const fields: Record<string, string | boolean> = {}
        let ofPart = {}
        const invalid: Array<Invalid> = []
        let stored: UncheckedOriginal | undefined
        let file: "file" | undefined
        // Not `multipartStream`: it bypasses the middleware that wraps the body, such as Idempotency.
        const body = Stream.mapError(request.stream, (cause) => MultipartError.fromReason("InternalError", cause))
        yield* readParts(request.headers, body, { maxPartSize: "501 MiB", maxTotalSize: "510 MiB" }).pipe(
          Stream.runForEach((part) =>
            Effect.gen(function* () {
              if (part._tag === "Field") {
                if (part.value === "") return
                if (part.key === "file") {
                  file = "file"
                  return void invalid.push({ field: "file", reason: FILENAME_MISSING })
                }
                if (part.key in fields) invalid.push({ field: part.key, reason: "must be given once" })
                fields[part.key] = valueOf(part)
              } else if (part.key === "file" && stored === undefined) {
                file = "file"
                if (isForm)
                  ofPart = { ...(part.name !== undefined && { file_name: part.name }), content_type: part.contentType }
                stored = yield* originals.store(org, part.content, typeIn({ ...ofPart, ...fields }))
              } else {
                yield* Stream.runDrain(part.content)
                const reason = part.key === "file" ? "must be one file" : "must be text, not a file"
                invalid.push({ field: part.key, reason })
                if (part.key !== "file") fields[part.key] ??= "a file"
              }
            }),
          ),
          Effect.catchIf(
            (error): error is MultipartError => error instanceof MultipartError,
            (error) =>
              Effect.fail(
                error.reason._tag === "FileTooLarge"
                  ? tooLarge(MAX_BYTES.media)
                  : new BadRequest({ message: "the multipart body is cut off or malformed" }),
              ),
          ),
          Effect.onError(() => (stored === undefined ? Effect.void : originals.discard(org, stored))),
        )
        return { fields: { ...ofPart, ...fields }, stored, file, invalid }
      })

      const parseJson = Effect.fnUntraced(function* (org: string, request: HttpServerRequest) {
        // `envelope` answers a body that is too large or breaks off.
        const text = yield* Effect.orDie(request.text)
        const parsed = Schema.decodeUnknownResult(Schema.fromJsonString(Schema.Unknown))(text)
        if (Result.isFailure(parsed)) return yield* notJson(text)
        const body = Schema.decodeUnknownResult(Schema.Record(Schema.String, Schema.Unknown))(parsed.success)
        if (Result.isFailure(body))
          return yield* badRequest({ invalid: [{ field: "body", reason: "must be an object" }] })
        const { file_base64, ...fields } = Object.fromEntries(
          Object.entries(body.success).filter(([, value]) => value !== ""),
        )
        if (file_base64 === undefined) return { fields, stored: undefined, file: undefined, invalid: [] }
        const bytes = typeof file_base64 === "string" ? Result.getOrUndefined(Base64.decode(file_base64)) : undefined
        if (bytes === undefined) {
          const invalid = [{ field: "file_base64", reason: "must be text in base64" }]
          return { fields, stored: undefined, file: "file_base64", invalid }
        }
        const stored = yield* originals.store(org, Stream.succeed(bytes), undefined, MAX_BYTES.base64)
        return { fields, stored, file: "file_base64", invalid: [] }
      })

      const parse = Effect.fnUntraced(function* <
        Fields extends { readonly content_type: string; readonly file_url?: string | undefined },
      >(
        org: string,
        request: HttpServerRequest,
        isForm: boolean,
        schema: Schema.Codec<Fields, unknown>,
        choice: ReadonlyArray<string>,
      ) {
        const type = request.headers["content-type"] ?? ""
        if (!/^(multipart\/form-data|application\/json)\b/i.test(type)) {
          return yield* new UnsupportedMediaType({
            message: "Content-Type must be multipart/form-data, or application/json with file_url or file_base64",
          })
        }
        const [files, reading] = /^multipart/i.test(type)
          ? ([["file", "file_url"], parseMultipart(org, request, isForm)] as const)
          : ([["file_url", "file_base64"], parseJson(org, request)] as const)
        const body = yield* reading
        const { stored } = body
        const fields: Readonly<Record<string, unknown>> = decodeName(body.fields)
        return yield* Effect.gen(function* () {
          const decoded = Schema.decodeUnknownResult(schema, {
            errors: "all",
            onExcessProperty: "error",
            reportInput: true,
          })(fields)
          const given = [...Object.keys(fields), ...(body.file === undefined ? [] : [body.file])]
          const invalid = [
            ...findChoiceProblems(files, given),
            ...findChoiceProblems(choice, given),
            ...(fields["replaces_same_name"] === true && given.includes("replaces")
              ? findChoiceProblems(["replaces", "replaces_same_name"], given)
              : []),
            ...body.invalid,
          ]
          if (Result.isFailure(decoded)) {
            const refusal = badRequest({ issue: decoded.failure.issue, invalid })
            return yield* body.file === "file" && NAMED_BY_PART.some((name) => !(name in fields))
              ? forForms(refusal)
              : refusal
          }
          if (invalid.length > 0) return yield* badRequest({ invalid })
          const { content_type, file_url } = decoded.success
          yield* stored === undefined ? originals.accept(content_type) : originals.check(content_type, stored)
          if (file_url !== undefined) {
            yield* Effect.mapError(fetcher.check(file_url, "fetch"), ({ message }) =>
              badRequest({ invalid: [{ field: "file_url", reason: `must be fetchable: ${message}` }] }),
            )
          }
          const original: Original =
            stored === undefined
              ? { file_url: file_url ?? "" }
              : { id: stored.id, size: stored.size, sha256: stored.sha256 }
          return { fields: decoded.success, original }
        }).pipe(Effect.onError(() => (stored === undefined ? Effect.void : originals.discard(org, stored))))
      })

      /** Discards the stored bytes if the competitor or deal is refused. */
      const discardOnError = <A, E, R>(resolve: Effect.Effect<A, E, R>, org: string, original: Original) =>
        "id" in original ? Effect.onError(resolve, () => originals.discard(org, original)) : resolve

      return Uploads.of({
        receive: Effect.fn("Uploads.receive")(function* (org, request, { to, isForm = false }) {
          yield* requireLibrary
          if (to === "library") {
            const { fields, original } = yield* parse(org, request, isForm, LibraryFields, COMPETITOR_FIELDS)
            const target = yield* discardOnError(withDatabase(resolveCompetitor(org, fields)), org, original)
            return yield* documents.receive(org, { ...fields, source: fields.source ?? "api", ...target }, original)
          }
          const { fields, original } = yield* parse(org, request, isForm, DealFields, DEAL_FIELDS)
          const target = yield* discardOnError(withDatabase(resolveDeal(org, fields)), org, original)
          return yield* documents.receive(
            org,
            { ...fields, type: "asset", source: fields.source ?? "api", ...target },
            original,
          )
        }),
      })
    }),
  )
}

/** Programs that read pages leave entities of HTML in the names of files. */
const decodeName = (fields: Readonly<Record<string, unknown>>) =>
  typeof fields["file_name"] === "string" ? { ...fields, file_name: decodeEntities(fields["file_name"]) } : fields

/** Fields that the part of a file can say. */
const NAMED_BY_PART = ["file_name", "content_type"]

const forForms = ({ message, details }: BadRequest) =>
  new BadRequest({
    message: `${message}. With ?form=1, those of the file's part are taken for file_name and content_type`,
    details,
  })

/** Fields of a multipart body are text, but `replaces_same_name` is a boolean. Other text stays as it is, so that the error shows it. */
const valueOf = ({ key, value }: { readonly key: string; readonly value: string }) =>
  key === "replaces_same_name" && (value === "true" || value === "false") ? value === "true" : value

/** The type that a multipart body declared before its file. */
const typeIn = ({ content_type }: Readonly<Record<string, unknown>>) =>
  typeof content_type === "string" ? content_type : undefined
