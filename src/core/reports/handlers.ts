import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { Access, Principal } from "../access/Access.ts"
import { makeApi } from "../http/api/makeApi.ts"
import { NotAcceptable } from "../http/errors/errors.ts"
import { Report, type ReportParameters, ReportsGroup } from "./contract.ts"
import type { ReportQuery } from "./Reports.ts"
import { Reports } from "./Reports.ts"

export const layerReportsHandlers = HttpApiBuilder.group(
  makeApi(ReportsGroup.middleware(Access)),
  "reports",
  Effect.fnUntraced(function* (handlers) {
    const reports = yield* Reports

    /** Replies with JSON or CSV, as the caller accepts. */
    const reply = Effect.fnUntraced(function* (query: ReportQuery) {
      const { organizationId } = yield* Principal
      const { accept = "*/*" } = (yield* HttpServerRequest).headers
      const isCsv = /text\/csv/.test(accept)
      if (!isCsv && !/\*\/\*|application\/(\*|json)/.test(accept)) {
        return yield* new NotAcceptable({
          message: "this path replies with application/json or text/csv; accept one of them",
        })
      }
      const report = yield* reports.run(organizationId, query)
      if (!isCsv) return HttpServerResponse.text(writeJson(report), { contentType: "application/json" })
      const { writeCsv } = yield* Effect.promise(() => import("./csv.ts"))
      return HttpServerResponse.text(writeCsv(report), { contentType: "text/csv; charset=utf-8" })
    })

    return handlers.handleAll({
      deals: ({ query }) => {
        const { parameters, filters } = split(query)
        return reply({ subject: "deals", ...parameters, filters })
      },
      associations: ({ query: { date_from, date_to, sentiment, tags, product, product_area, ...query } }) => {
        const { parameters, filters } = split(query)
        return reply({
          subject: "associations",
          ...parameters,
          filters,
          association: { date_from, date_to, sentiment, tags, product, product_area },
        })
      },
    })
  }),
)

const encode = Schema.encodeSync(Report)

/** Texts by report: a cached report is the same object again. */
const texts = new WeakMap<Report, string>()

const writeJson = (report: Report): string => {
  const known = texts.get(report)
  if (known !== undefined) return known
  const text = JSON.stringify(encode(report))
  texts.set(report, text)
  return text
}

const split = <Q extends ReportParameters>({
  measures,
  group_by,
  order_by,
  limit,
  having,
  compare,
  fiscal_start,
  ...filters
}: Q) => ({
  parameters: { measures, groupBy: group_by, orderBy: order_by, limit, having, compare, fiscalStart: fiscal_start },
  filters,
})
