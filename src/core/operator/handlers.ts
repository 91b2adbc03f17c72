import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { eventReply, numbered } from "../http/eventReply.ts"
import { BadRequest } from "../http/errors.ts"
import { badRequest } from "../http/validation.ts"
import { type Target, DEAL_FIELDS, findChoiceProblems } from "../library/targets.ts"
import { fileOf } from "../workspace/importRequest.ts"
import { OperatorApi } from "./contract.ts"
import { Operator } from "./Operator.ts"

const DAY = 86_400

const organizations = HttpApiBuilder.group(
  OperatorApi,
  "organizations",
  Effect.fnUntraced(function* (handlers) {
    const operator = yield* Operator
    return handlers.handleAll({
      list: ({ query }) => operator.list(query.cursor),
      create: ({ payload }) => operator.create(payload),
      find: ({ params }) => operator.find(params.organization),
      change: ({ params, payload }) => operator.change(params.organization, payload),
      erase: ({ params }) => operator.erase(params.organization),
    })
  }),
)

const keys = HttpApiBuilder.group(
  OperatorApi,
  "keys",
  Effect.fnUntraced(function* (handlers) {
    const operator = yield* Operator
    return handlers.handleAll({
      list: ({ params }) => Effect.map(operator.listKeys(params.organization), (data) => ({ data })),
      create: ({ params, payload }) =>
        operator.createKey(params.organization, {
          name: payload.name,
          role: payload.role,
          environment: payload.environment,
          permissions: payload.permissions,
          requestsPerMinute: payload.requests_per_minute,
          expiresAt: payload.expires_at,
        }),
      rotate: ({ params, payload }) =>
        operator.rotateKey(params.organization, params.id, payload?.grace_seconds ?? DAY),
      revoke: ({ params }) => operator.revokeKey(params.organization, params.id),
    })
  }),
)

const content = HttpApiBuilder.group(
  OperatorApi,
  "content",
  Effect.fnUntraced(function* (handlers) {
    const operator = yield* Operator
    return handlers
      .handleRaw(
        "import",
        Effect.fnUntraced(function* ({ params, query }) {
          return yield* operator.importFile(params.organization, yield* fileOf(yield* HttpServerRequest, query))
        }),
      )
      .handleRaw(
        "upload",
        Effect.fnUntraced(function* ({ params, query }) {
          const { stream } = yield* HttpServerRequest
          const bytes = Stream.mapError(
            stream,
            () => new BadRequest({ message: "the request's body could not be read to its end" }),
          )
          const { file_name, content_type, replaces_same_name, ...where } = query
          const file = { file_name, content_type, replacesSameName: replaces_same_name === "true", bytes }
          return yield* operator.upload(params.organization, yield* targetOf(where), file)
        }),
      )
      .handleAll({
        document: ({ params }) => operator.document(params.organization, params.id),
        ask: Effect.fnUntraced(function* ({ params, payload }) {
          const events = yield* operator.ask(params.organization, payload.question)
          return eventReply(numbered(events))
        }),
        startExport: ({ params, payload: { columns, filters, csv_safe, ...beside } }) =>
          Effect.map(
            operator.startExport(params.organization, {
              columns,
              filters: filters ?? beside,
              csvSafe: csv_safe ?? true,
            }),
            (export_id) => ({ export_id }),
          ),
        findExport: ({ params }) => operator.findExport(params.organization, params.id),
        exportFile: Effect.fnUntraced(function* ({ params }) {
          const { file_size } = yield* operator.findExport(params.organization, params.id)
          const bytes = yield* operator.exportFile(params.organization, params.id)
          return HttpServerResponse.stream(bytes, {
            contentType: "text/csv; charset=utf-8",
            ...(file_size !== null && { contentLength: file_size }),
          })
        }),
      })
  }),
)

export const layerOperatorHandlers = Layer.mergeAll(organizations, keys, content)

interface Where {
  readonly type?: "asset" | "intel" | undefined
  readonly competitor?: string | undefined
  readonly deal_id?: string | undefined
  readonly crm_one_id?: string | undefined
  readonly crm_two_id?: string | undefined
}

const CHOICE = ["competitor", ...DEAL_FIELDS] as const

const targetOf = Effect.fnUntraced(function* ({ type, ...where }: Where) {
  const given = Object.fromEntries(Object.entries(where).filter(([, value]) => value !== undefined))
  const invalid = findChoiceProblems(CHOICE, Object.keys(given))
  const missing = where.competitor !== undefined && type === undefined ? ["type"] : []
  if (missing.length + invalid.length > 0) return yield* badRequest({ missing, invalid })
  return where.competitor !== undefined && type !== undefined
    ? ({ type, competitor: where.competitor } satisfies Target)
    : ({ deal: given } satisfies Target)
})
