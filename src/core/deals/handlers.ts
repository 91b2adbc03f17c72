import * as Effect from "effect/Effect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { Access, Principal } from "../access/Access.ts"
import { makeApi } from "../http/api/makeApi.ts"
import { BaseUrl } from "../http/addresses/BaseUrl.ts"
import { nextLink } from "../http/replies/links.ts"
import { RecordEdits } from "./edits/RecordEdits.ts"
import { Deals } from "./Deals.ts"
import { DealsGroup } from "./contract.ts"

/** For bodies that are already JSON text. */
const JSON_TYPE = { contentType: "application/json" }

export const layerDealsHandlers = HttpApiBuilder.group(
  makeApi(DealsGroup.middleware(Access)),
  "deals",
  Effect.fnUntraced(function* (handlers) {
    const deals = yield* Deals
    const edits = yield* RecordEdits
    const baseUrl = yield* BaseUrl
    return handlers.handleAll({
      list: Effect.fnUntraced(function* ({ query }) {
        const { organizationId } = yield* Principal
        const { count, page_size = 50, page_index, cursor, sort, sort_order, columns, ...filters } = query
        if (count === true) return { count: yield* deals.count(organizationId, filters) }
        const page = yield* deals.list(organizationId, {
          filters,
          sort,
          sortOrder: sort_order,
          columns,
          pageSize: page_size,
          pageIndex: page_index,
          cursor,
        })
        const response = HttpServerResponse.uint8Array(page.body, JSON_TYPE)
        if (page.next === undefined) return response
        const request = yield* HttpServerRequest.HttpServerRequest
        return HttpServerResponse.setHeader(
          response,
          "link",
          nextLink(yield* baseUrl.forCaller, request.url, page.next),
        )
      }),
      get: Effect.fnUntraced(function* ({ params, query }) {
        const { organizationId } = yield* Principal
        return HttpServerResponse.text(yield* deals.get(organizationId, params.id, query.columns), JSON_TYPE)
      }),
      update: Effect.fnUntraced(function* ({ params, payload }) {
        const { organizationId } = yield* Principal
        yield* edits.updateDeal(organizationId, params.id, payload)
        return HttpServerResponse.text(yield* deals.get(organizationId, params.id, undefined), JSON_TYPE)
      }),
      delete: Effect.fnUntraced(function* ({ params }) {
        const { organizationId } = yield* Principal
        yield* edits.remove(organizationId, "deal", params.id)
      }),
      stages: Effect.fnUntraced(function* ({ params }) {
        const { organizationId } = yield* Principal
        return HttpServerResponse.text(yield* deals.stages(organizationId, params.id), JSON_TYPE)
      }),
    })
  }),
)
