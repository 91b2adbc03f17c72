import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { Principal } from "../access/Access.ts"
import { allows, refusal } from "../access/permissions.ts"
import { Api } from "../api.ts"
import { Forbidden } from "../http/errors.ts"
import { badRequest, notOneOf } from "../http/validation.ts"
import { type Asked, Changes, type Page, toldOnce } from "./Changes.ts"
import { CHANGE_TYPE_NAMES, CHANGE_TYPES, type ChangeType } from "./contract.ts"

/** Changes read at a time where all there is is asked for. */
const STREAMED = 1000

export const layerChangesHandlers = HttpApiBuilder.group(
  Api,
  "changes",
  Effect.fnUntraced(function* (handlers) {
    const changes = yield* Changes

    const typesOf = Effect.fnUntraced(function* (given: ReadonlyArray<string> | undefined) {
      const caller = yield* Principal
      if (given === undefined) return CHANGE_TYPE_NAMES.filter((type) => allows(caller, CHANGE_TYPES[type]))
      const unknown = given.filter((type) => !isChangeType(type))
      if (unknown.length > 0 || given.length === 0) {
        return yield* badRequest({
          invalid: [notOneOf("types", unknown[0], CHANGE_TYPE_NAMES)],
        })
      }
      const types = CHANGE_TYPE_NAMES.filter((type) => given.includes(type))
      for (const type of types) {
        if (!allows(caller, CHANGE_TYPES[type])) {
          return yield* new Forbidden({ message: refusal(caller, CHANGE_TYPES[type]) })
        }
      }
      return types
    })

    return handlers.handleAll({
      list: Effect.fnUntraced(function* ({ query: { since, types: given, page_size = 100 } }) {
        const { organizationId: org } = yield* Principal
        const types = yield* typesOf(given)
        const { headers } = yield* HttpServerRequest
        if (/application\/(x-ndjson|jsonl)/.test(headers["accept"] ?? "")) {
          const asked = { since, types, size: STREAMED }
          const first = yield* changes.page(org, asked)
          return HttpServerResponse.stream(Stream.encodeText(lines(first, (next) => changes.page(org, next), asked)), {
            contentType: "application/x-ndjson",
          })
        }
        const { changes: data, next, hasMore } = yield* changes.page(org, { since, types, size: page_size })
        return { data: toldOnce(data), next_cursor: next, has_more: hasMore }
      }),
    })
  }),
)

const isChangeType = (text: string): text is ChangeType => text in CHANGE_TYPES

/** A change a line, up to what had ended when the first was read; then where to read on. */
const lines = <E>(first: Page, read: (asked: Asked) => Effect.Effect<Page, E>, asked: Asked) =>
  Stream.paginate(first as Page | string, (state) =>
    Effect.gen(function* () {
      const page = typeof state === "string" ? yield* read({ ...asked, since: state, until: first.watermark }) : state
      const end = page.hasMore ? [] : [{ next_cursor: page.next, has_more: false }]
      const text = [...toldOnce(page.changes), ...end].map((line) => `${JSON.stringify(line)}\n`).join("")
      return [[text], page.hasMore ? Option.some(page.next) : Option.none()] as const
    }),
  )
