import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { Principal } from "../access/Access.ts"
import { Api } from "../api.ts"
import { BadRequest, UnsupportedMediaType } from "../http/errors.ts"
import { Import, type ImportFile } from "./Import.ts"
import { parseMapping } from "./import/mapping.ts"

const FORMATS = new Map<string, ImportFile<never>["format"]>([
  ["application/x-ndjson", "ndjson"],
  ["application/jsonl", "ndjson"],
  ["text/csv", "csv"],
])

export const layerWorkspaceHandlers = HttpApiBuilder.group(
  Api,
  "workspace",
  Effect.fnUntraced(function* (handlers) {
    const imports = yield* Import
    return handlers.handleRaw(
      "import",
      Effect.fnUntraced(function* ({ query: { type, map, dates } }) {
        const { organizationId } = yield* Principal
        const request = yield* HttpServerRequest
        const format = FORMATS.get((request.headers["content-type"] ?? "").split(";", 1)[0]!.trim().toLowerCase())
        if (format === undefined) {
          return yield* new UnsupportedMediaType({
            message: `Content-Type must be ${[...FORMATS.keys()].join(" or ")}`,
          })
        }
        const bytes = Stream.mapError(
          request.stream,
          () => new BadRequest({ message: "the request's body could not be read to its end" }),
        )
        return yield* imports.run(organizationId, {
          format,
          type,
          bytes,
          map: map === undefined ? undefined : parseMapping(map),
          dates,
        })
      }),
    )
  }),
)
