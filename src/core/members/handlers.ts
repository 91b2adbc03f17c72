import * as Effect from "effect/Effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { Access, Principal } from "../access/Access.ts"
import { makeApi } from "../http/api/makeApi.ts"
import { MembersGroup } from "./contract.ts"
import { Members } from "./Members.ts"

export const layerMembersHandlers = HttpApiBuilder.group(
  makeApi(MembersGroup.middleware(Access)),
  "members",
  Effect.fnUntraced(function* (handlers) {
    const members = yield* Members
    return handlers.handleAll({
      list: Effect.fnUntraced(function* () {
        return { data: yield* members.list(yield* Principal) }
      }),
      put: Effect.fnUntraced(function* ({ payload }) {
        return yield* members.put(yield* Principal, payload)
      }),
      remove: Effect.fnUntraced(function* ({ params }) {
        yield* members.remove(yield* Principal, params.id)
      }),
    })
  }),
)
