import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { Access, Principal } from "../access/Access.ts"
import { makeApi } from "../http/api/makeApi.ts"
import { csvLine } from "../common/csvLine.ts"
import { NotAcceptable } from "../http/errors/errors.ts"
import { Audit, type AuditPage } from "./Audit.ts"
import { AuditGroup, type AuditEntry } from "./contract.ts"

const PAGE_SIZE = 50
/** Entries per query for CSV. */
const CSV_PAGE_SIZE = 1000

export const layerAuditHandlers = HttpApiBuilder.group(
  makeApi(AuditGroup.middleware(Access)),
  "audit",
  Effect.fnUntraced(function* (handlers) {
    const audit = yield* Audit
    return handlers.handleAll({
      list: Effect.fnUntraced(function* ({ query: { since, types, cursor } }) {
        const { organizationId: org } = yield* Principal
        const query = { since, types, cursor }
        const { accept = "*/*" } = (yield* HttpServerRequest).headers
        if (/text\/csv/.test(accept)) {
          const first = yield* audit.page(org, { ...query, size: CSV_PAGE_SIZE })
          const read = (next: string) => audit.page(org, { ...query, cursor: next, size: CSV_PAGE_SIZE })
          return HttpServerResponse.stream(Stream.encodeText(writeCsv(first, read)), {
            contentType: "text/csv; charset=utf-8",
          })
        }
        if (!/\*\/\*|application\/(\*|json)/.test(accept)) {
          return yield* new NotAcceptable({
            message: "this path replies with application/json or text/csv; accept one of them",
          })
        }
        return yield* audit.page(org, { ...query, size: PAGE_SIZE })
      }),
    })
  }),
)

const HEADER = ["id", "at", "actor", "actor_id", "action", "target", "details", "request_id", "address"]

const writeCsv = <E>(first: AuditPage, read: (cursor: string) => Effect.Effect<AuditPage, E>) =>
  Stream.concat(
    Stream.make(csvLine(HEADER)),
    Stream.paginate(first as AuditPage | string, (state) =>
      Effect.map(
        typeof state === "string" ? read(state) : Effect.succeed(state),
        (page) => [[page.data.map(toLine).join("")], Option.fromNullishOr(page.next_cursor)] as const,
      ),
    ),
  )

const toLine = ({ id, at, actor, action, target, details, request_id, address }: AuditEntry) => {
  return csvLine([
    id,
    at,
    ...cellsOf(actor),
    action,
    target,
    details === null ? null : JSON.stringify(details),
    request_id,
    address,
  ])
}

/** The kind and the id of an actor. */
const cellsOf = (actor: AuditEntry["actor"]) => {
  if (actor === null) return [null, null]
  if ("key_id" in actor) return ["key", actor.key_id]
  return "person" in actor ? ["person", actor.person] : ["operator", null]
}
