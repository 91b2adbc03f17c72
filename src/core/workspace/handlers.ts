import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { Principal } from "../access/Access.ts"
import { Api } from "../api.ts"
import { BadRequest, UnsupportedMediaType } from "../http/errors.ts"
import { Catalogue } from "./Catalogue.ts"
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
    const catalogue = yield* Catalogue
    return handlers
      .handleRaw(
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
      .handleAll({
        get: Effect.fnUntraced(function* () {
          return yield* catalogue.overview((yield* Principal).organizationId)
        }),
        update: Effect.fnUntraced(function* ({ payload }) {
          return yield* catalogue.change((yield* Principal).organizationId, payload)
        }),
        list: Effect.fnUntraced(function* ({ params: { kind }, query }) {
          return yield* catalogue.page((yield* Principal).organizationId, kind, query)
        }),
        put: Effect.fnUntraced(function* ({ params: { kind, id }, payload }) {
          const { organizationId } = yield* Principal
          const { entry, created } = yield* catalogue.put(organizationId, kind, id, payload)
          return HttpServerResponse.jsonUnsafe(entry, { status: created ? 201 : 200 })
        }),
        delete: Effect.fnUntraced(function* ({ params: { kind, id } }) {
          yield* catalogue.remove((yield* Principal).organizationId, kind, id)
        }),
      })
  }),
)
