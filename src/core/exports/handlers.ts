import * as Effect from "effect/Effect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { Access, Principal } from "../access/Access.ts"
import { Admission } from "../access/Admission.ts"
import { replyLimited } from "../access/refusals.ts"
import { makeApi } from "../http/api/makeApi.ts"
import { CurrentRequest } from "../http/CurrentRequest.ts"
import { BaseUrl } from "../http/addresses/BaseUrl.ts"
import { badRequest } from "../http/validation/validation.ts"
import { mapBlobErrors } from "../http/errors/blobs.ts"
import { Exports } from "./Exports.ts"
import { ExportsGroup } from "./contract.ts"

/** The polling interval that `Retry-After` suggests. */
const POLL_SECONDS = "5"

export const layerExportsHandlers = HttpApiBuilder.group(
  makeApi(ExportsGroup.middleware(Access)),
  "exports",
  Effect.fnUntraced(function* (handlers) {
    const exports = yield* Exports
    const admission = yield* Admission
    const baseUrl = yield* BaseUrl
    return handlers.handleAll({
      create: Effect.fnUntraced(function* ({
        payload: { columns, format, csv_safe, bom, delimiter, decimal, filters, ...beside },
      }) {
        const { organizationId, isOperator } = yield* Principal
        const duplicates = filters === undefined ? [] : Object.keys(beside)
        if (duplicates.length > 0) {
          const reason = "must be inside filters, or filters must be omitted: put all filters in one place"
          return yield* badRequest({ invalid: duplicates.map((field) => ({ field, reason })) })
        }
        const charge = Effect.flatMap(admission.takeExport(organizationId), (slot) =>
          slot.outcome === "taken" ? Effect.succeed(slot.release) : Effect.fail(slot),
        )
        const request = {
          columns,
          filters: filters ?? beside,
          format,
          csvSafe: csv_safe,
          bom,
          delimiter,
          decimal,
          within: filters === undefined ? "" : "filters.",
        }
        const id = yield* Effect.catchIf(
          exports.submit(organizationId, request, isOperator ? undefined : charge),
          (error) => "outcome" in error,
          (limited) => Effect.succeed(limited),
        )
        if (typeof id !== "string") return replyLimited({ ...id, scope: "export" }, yield* CurrentRequest)
        return HttpServerResponse.jsonUnsafe(
          { export_id: id, status: "pending" },
          {
            status: 202,
            headers: { location: `${yield* baseUrl.forCaller}/api/v1/deals/export/${id}`, "retry-after": POLL_SECONDS },
          },
        )
      }),
      get: Effect.fnUntraced(function* ({ params }) {
        const { organizationId } = yield* Principal
        const found = yield* exports.find(organizationId, params.export_id)
        const isFinished = found.status === "completed" || found.status === "failed"
        return HttpServerResponse.jsonUnsafe(found, { headers: isFinished ? {} : { "retry-after": POLL_SECONDS } })
      }),
      delete: Effect.fnUntraced(function* ({ params }) {
        const { organizationId } = yield* Principal
        yield* mapBlobErrors(exports.remove(organizationId, params.export_id))
      }),
    })
  }),
)
