import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { Access, Principal } from "../access/Access.ts"
import { allows, explainRefusal } from "../access/permissions.ts"
import { makeApi } from "../http/api/makeApi.ts"
import { Forbidden } from "../http/errors/errors.ts"
import { badRequest, notOneOf } from "../http/validation/validation.ts"
import { SealedCursors } from "../signing/SealedCursors.ts"
import { type ChangesQuery, Changes, dropUpdatesOfCreated } from "./Changes.ts"
import type { ChangesPage } from "./followChanges.ts"
import { ChangesGroup, type Change, CHANGE_TYPE_NAMES, CHANGE_TYPES, type ChangeType } from "./contract.ts"
import { makeCursorSealer, openCursor } from "./sealing.ts"

/** Changes per query for NDJSON. */
const STREAM_PAGE_SIZE = 1000

export const layerChangesHandlers = HttpApiBuilder.group(
  makeApi(ChangesGroup.middleware(Access)),
  "changes",
  Effect.fnUntraced(function* (handlers) {
    const changes = yield* Changes
    const withCursors = Effect.provideService(SealedCursors, yield* SealedCursors)

    const openSince = Effect.fnUntraced(function* (org: string, since: string | undefined) {
      if (since === undefined || since === "now") return since
      const opened = yield* withCursors(openCursor(org, since))
      if (typeof opened === "object") return opened.cursor
      return yield* badRequest({
        invalid: [
          {
            field: "since",
            reason: opened === "unsealed" ? UNSEALED_CURSOR : "must be a cursor of this feed, or `now`",
          },
        ],
      })
    })

    const checkTypes = Effect.fnUntraced(function* (given: ReadonlyArray<string> | undefined) {
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
          return yield* new Forbidden({ message: explainRefusal(caller, CHANGE_TYPES[type]) })
        }
      }
      return types
    })

    return handlers.handleAll({
      list: Effect.fnUntraced(function* ({ query: { since, types: given, page_size = 100 } }) {
        const { organizationId: org } = yield* Principal
        const types = yield* checkTypes(given)
        const position = yield* openSince(org, since)
        const seal = yield* withCursors(makeCursorSealer(org))
        const { headers } = yield* HttpServerRequest
        if (/application\/(x-ndjson|jsonl)/.test(headers["accept"] ?? "")) {
          const query = { since: position, types, size: STREAM_PAGE_SIZE }
          const first = yield* changes.page(org, query)
          return HttpServerResponse.stream(
            Stream.encodeText(writeLines(first, (next) => changes.page(org, next), query, seal)),
            { contentType: "application/x-ndjson" },
          )
        }
        const { changes: data, next, hasMore } = yield* changes.page(org, { since: position, types, size: page_size })
        return { data: yield* sealCursors(data, seal), next_cursor: yield* seal(next), has_more: hasMore }
      }),
    })
  }),
)

const isChangeType = (text: string): text is ChangeType => text in CHANGE_TYPES

type SealCursor = Effect.Success<ReturnType<typeof makeCursorSealer>>

const sealCursors = (changes: ReadonlyArray<Change>, seal: SealCursor) =>
  Effect.forEach(dropUpdatesOfCreated(changes), (change) =>
    Effect.map(seal(change.cursor), (cursor) => ({ ...change, cursor })),
  )

const UNSEALED_CURSOR =
  "is a cursor of an earlier release, which is no longer accepted; omit `since` to read everything, or send `now`"

/** Writes one change per line, up to the watermark of the first page, and then the next cursor. */
const writeLines = <E>(
  first: ChangesPage,
  read: (query: ChangesQuery) => Effect.Effect<ChangesPage, E>,
  query: ChangesQuery,
  seal: SealCursor,
) =>
  Stream.paginate(first as ChangesPage | string, (state) =>
    Effect.gen(function* () {
      const page = typeof state === "string" ? yield* read({ ...query, since: state, until: first.watermark }) : state
      const end = page.hasMore ? [] : [{ next_cursor: yield* seal(page.next), has_more: false }]
      const text = [...(yield* sealCursors(page.changes, seal)), ...end]
        .map((line) => `${JSON.stringify(line)}\n`)
        .join("")
      return [[text], page.hasMore ? Option.some(page.next) : Option.none()] as const
    }),
  )
