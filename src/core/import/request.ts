import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import { BadRequest, UnsupportedMediaType } from "../http/errors.ts"
import type { ImportFile } from "./Import.ts"
import type { DateOrder } from "./plan/cells.ts"
import { parseMapping } from "./plan/mapping.ts"
import type { RecordType } from "./records.ts"

const FORMATS = new Map<string, ImportFile<never>["format"]>([
  ["application/x-ndjson", "ndjson"],
  ["application/jsonl", "ndjson"],
  ["text/csv", "csv"],
])

interface ImportQuery {
  readonly type?: RecordType | undefined
  readonly map?: string | undefined
  readonly dates?: DateOrder | undefined
  readonly dry_run?: boolean | undefined
}

/** The file in a request's body, as a stream. */
export const fileOf = Effect.fnUntraced(function* (
  request: HttpServerRequest,
  { type, map, dates, dry_run }: ImportQuery,
) {
  const format = FORMATS.get((request.headers["content-type"] ?? "").split(";", 1)[0]!.trim().toLowerCase())
  if (format === undefined) {
    return yield* new UnsupportedMediaType({ message: `Content-Type must be ${[...FORMATS.keys()].join(" or ")}` })
  }
  const bytes = Stream.mapError(
    request.stream,
    () => new BadRequest({ message: "the request's body could not be read to its end" }),
  )
  return { format, type, bytes, map: map === undefined ? undefined : parseMapping(map), dates, dryRun: dry_run }
})
