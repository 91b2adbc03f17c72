import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import { BadRequest, UnsupportedMediaType } from "../http/errors/errors.ts"
import type { DateOrder } from "../records/values/dates.ts"
import { parseMapping } from "./plan/fields/parameters.ts"
import type { DecimalMark } from "../records/values/numbers.ts"
import { parseRates, parseStages } from "./plan/fields/parameters.ts"
import type { RecordType } from "../records/record.ts"
import { MultipartError } from "effect/http/Multipart"
import { FILENAME_MISSING, readParts } from "../http/bodies/multipart.ts"
import { badRequest } from "../http/validation/validation.ts"

/** The bytes of the one file in a multipart body, as they arrive. Options are in the query, not in the form. */
const fileInForm = (headers: Record<string, string>, body: Stream.Stream<Uint8Array, BadRequest>) =>
  Stream.suspend(() => {
    let files = 0
    return readParts(headers, body, { maxTotalSize: "1 TiB" }).pipe(
      Stream.flatMap((part): Stream.Stream<Uint8Array, BadRequest | MultipartError> => {
        if (part._tag === "Field") {
          return part.value === "" ? Stream.empty : refuse(part.key, part.key === "file" ? FILENAME_MISSING : NOT_FIELD)
        }
        if (++files > 1 || part.key !== "file") return refuse(part.key, "must be one file, in the part 'file'")
        return part.content
      }),
      Stream.concat(Stream.suspend(() => (files === 0 ? refuse("file", "must be given") : Stream.empty))),
      Stream.mapError((error) => (error instanceof MultipartError ? malformed : error)),
    )
  })

const NOT_FIELD = "must be a parameter of the query, not a field of the form"

const malformed = new BadRequest({ message: "the multipart body is cut off or malformed" })

const refuse = (field: string, reason: string) => Stream.fail(badRequest({ invalid: [{ field, reason }] }, "form"))

/** A type that names NDJSON decides; of all others, the bytes of the file do. */
const NDJSON = ["application/x-ndjson", "application/jsonl"]

const MEDIA_TYPES = [
  ...NDJSON,
  "text/csv",
  "text/tab-separated-values",
  "text/plain",
  "text/html",
  "application/csv",
  "application/json",
  "application/vnd.ms-excel",
  "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  "application/gzip",
  "application/x-gzip",
  "application/octet-stream",
]

/** Types of files that no import reads, and what becomes of them. */
const UNREAD: ReadonlyMap<string, string> = new Map([
  ["application/vnd.oasis.opendocument.spreadsheet", "an OpenDocument spreadsheet (ODS): save it as XLSX or CSV"],
  ["application/vnd.ms-excel.sheet.binary.macroenabled.12", "a binary workbook (XLSB): save it as XLSX or CSV"],
  ["application/vnd.apple.numbers", "a document of Apple's Numbers: export it as XLSX or CSV"],
  ["application/pdf", "a PDF: export the records as CSV or XLSX"],
])

interface ImportQuery {
  readonly type?: RecordType | undefined
  readonly map?: string | undefined
  readonly dates?: DateOrder | undefined
  readonly decimal?: DecimalMark | undefined
  readonly rates?: string | undefined
  readonly encoding?: string | undefined
  readonly sheet?: string | undefined
  readonly stage?: string | undefined
  readonly empty?: "keep" | "clear" | undefined
  readonly keep_unmapped?: "crm_one" | "crm_two" | undefined
  readonly dry_run?: boolean | undefined
  readonly plan_id?: string | undefined
  readonly create?: "all" | "none" | undefined
}

const parseCharset = (contentType: string) => /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(contentType)?.[1]

/** The file in a request's body, as a stream. */
export const openUpload = Effect.fnUntraced(function* (
  request: HttpServerRequest,
  {
    type,
    map,
    dates,
    decimal,
    rates,
    encoding,
    sheet,
    create,
    stage,
    empty,
    keep_unmapped,
    dry_run,
    plan_id,
  }: ImportQuery,
) {
  const contentType = request.headers["content-type"] ?? ""
  const essence = contentType.split(";", 1)[0]!.trim().toLowerCase()
  const isForm = essence === "multipart/form-data"
  if (!isForm && !MEDIA_TYPES.includes(essence)) {
    const unread = UNREAD.get(essence)
    if (unread !== undefined)
      return yield* new UnsupportedMediaType({ message: `by its Content-Type, the file is ${unread}` })
    const types = [...MEDIA_TYPES, "multipart/form-data"].join(", ")
    return yield* new UnsupportedMediaType({ message: `Content-Type must be one of ${types}` })
  }
  const contentEncoding = (request.headers["content-encoding"] ?? "identity").trim().toLowerCase()
  if (contentEncoding !== "identity" && contentEncoding !== "gzip") {
    return yield* new UnsupportedMediaType({ message: `Content-Encoding must be gzip, not ${contentEncoding}` })
  }
  const body = Stream.mapError(
    request.stream,
    () => new BadRequest({ message: "the request's body could not be read to its end" }),
  )
  return {
    format: NDJSON.includes(essence) ? ("ndjson" as const) : undefined,
    type,
    bytes: isForm ? fileInForm(request.headers, body) : body,
    contentEncoding: contentEncoding === "gzip" ? contentEncoding : undefined,
    // A plan decides over the charset, which programs add on their own.
    encoding: encoding ?? (plan_id === undefined ? parseCharset(contentType) : undefined),
    map: map === undefined ? undefined : parseMapping(map),
    dates,
    decimal,
    rates: rates === undefined ? undefined : parseRates(rates),
    sheet,
    create,
    empty,
    keepUnmapped: keep_unmapped,
    stages: stage === undefined ? undefined : parseStages(stage),
    dryRun: dry_run,
    planId: plan_id,
  }
})
