import * as Effect from "effect/Effect"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { Access, Principal } from "../access/Access.ts"
import { allows } from "../access/permissions.ts"
import { makeApi } from "../http/api/makeApi.ts"
import { NotAcceptable } from "../http/errors/errors.ts"
import { Analyses } from "./Analyses.ts"
import { AnalysisGroup } from "./contract.ts"
import { LABEL_FILES, type LabelFile, writeLabels } from "./labels/file.ts"
import { Labels } from "./labels/Labels.ts"
import { Spendings } from "./spending/Spendings.ts"

const LABELS_PER_PAGE = 50
/** Labels per query for a file. */
const LABELS_PER_QUERY = 1000

export const layerAnalysisHandlers = HttpApiBuilder.group(
  makeApi(AnalysisGroup.middleware(Access)),
  "analysis",
  Effect.fnUntraced(function* (handlers) {
    const analyses = yield* Analyses
    const labels = yield* Labels
    const spendings = yield* Spendings
    const organization = Effect.map(Principal, ({ organizationId }) => organizationId)
    const readsDocuments = Effect.map(Principal, (caller) => allows(caller, "documents.read"))

    return handlers.handleAll({
      run: Effect.fnUntraced(function* ({ params }) {
        return yield* analyses.run(yield* organization, params.id)
      }),
      runMany: Effect.fnUntraced(function* ({ payload }) {
        return yield* analyses.runMany(yield* organization, payload.filters ?? {})
      }),
      estimate: Effect.fnUntraced(function* ({ payload }) {
        return yield* spendings.estimate(yield* organization, payload.filters ?? {})
      }),
      progress: Effect.fnUntraced(function* ({ params }) {
        return yield* spendings.run(yield* organization, params.id)
      }),
      spending: Effect.fnUntraced(function* () {
        return yield* spendings.thisMonth(yield* organization)
      }),
      get: Effect.fnUntraced(function* ({ params }) {
        return yield* analyses.get(yield* organization, params.id, yield* readsDocuments)
      }),
      judge: Effect.fnUntraced(function* ({ params, payload }) {
        return yield* analyses.judge(yield* organization, params.id, params.finding_id, payload, yield* readsDocuments)
      }),
      verify: Effect.fnUntraced(function* ({ params }) {
        const org = yield* organization
        yield* analyses.verify(org, params.id)
        return yield* analyses.get(org, params.id, yield* readsDocuments)
      }),
      queue: Effect.fnUntraced(function* ({ query: { page_size = 50, cursor } }) {
        return yield* analyses.queue(yield* organization, { size: page_size, cursor })
      }),
      quality: Effect.fnUntraced(function* () {
        return yield* labels.quality(yield* organization)
      }),
      labels: Effect.fnUntraced(function* ({ query: { cursor } }) {
        const org = yield* organization
        const { accept = "*/*" } = (yield* HttpServerRequest).headers
        const type = Object.keys(LABEL_FILES).find((each) => accept.includes(each)) as LabelFile | undefined
        if (type !== undefined) {
          const read = (next: string | undefined) => labels.page(org, { size: LABELS_PER_QUERY, cursor: next })
          return HttpServerResponse.stream(writeLabels(type, yield* read(cursor), read), {
            contentType: `${type}; charset=utf-8`,
          })
        }
        if (!/\*\/\*|application\/(\*|json)/.test(accept)) {
          return yield* new NotAcceptable({
            message: "this path replies with application/json, text/csv or application/x-ndjson; accept one of them",
          })
        }
        return yield* labels.page(org, { size: LABELS_PER_PAGE, cursor })
      }),
    })
  }),
)
