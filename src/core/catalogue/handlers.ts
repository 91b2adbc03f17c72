import * as Effect from "effect/Effect"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { Access, Principal } from "../access/Access.ts"
import { BaseUrl } from "../http/addresses/BaseUrl.ts"
import { makeApi } from "../http/api/makeApi.ts"
import { Catalogue } from "./Catalogue.ts"
import { Import } from "../import/Import.ts"
import { openUpload } from "../import/request.ts"
import { WorkspaceGroup } from "./contract.ts"

/** The polling interval that `Retry-After` suggests. */
const POLL_SECONDS = "2"

export const layerWorkspaceHandlers = HttpApiBuilder.group(
  makeApi(WorkspaceGroup.middleware(Access)),
  "workspace",
  Effect.fnUntraced(function* (handlers) {
    const imports = yield* Import
    const catalogue = yield* Catalogue
    const baseUrl = yield* BaseUrl
    return handlers
      .handleRaw(
        "import",
        Effect.fnUntraced(function* ({ query }) {
          const { organizationId } = yield* Principal
          return yield* imports.run(organizationId, yield* openUpload(yield* HttpServerRequest, query))
        }),
      )
      .handleAll({
        getImport: Effect.fnUntraced(function* ({ params }) {
          return yield* imports.find((yield* Principal).organizationId, params.id)
        }),
        undoImport: Effect.fnUntraced(function* ({ params: { id } }) {
          const run_id = yield* imports.undo((yield* Principal).organizationId, id)
          return HttpServerResponse.jsonUnsafe(
            { import_id: id, run_id, status: "queued" },
            {
              status: 202,
              headers: { location: `${yield* baseUrl.forCaller}/api/v1/import/${id}`, "retry-after": POLL_SECONDS },
            },
          )
        }),
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
