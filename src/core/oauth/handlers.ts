import * as Effect from "effect/Effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { Access, Principal } from "../access/Access.ts"
import { makeApi } from "../http/api/makeApi.ts"
import { GrantsGroup } from "./contract.ts"
import { Grants } from "./Grants.ts"

export const layerGrantsHandlers = HttpApiBuilder.group(
  makeApi(GrantsGroup.middleware(Access)),
  "grants",
  Effect.fnUntraced(function* (handlers) {
    const grants = yield* Grants
    return handlers.handleAll({
      list: Effect.fnUntraced(function* () {
        return { data: yield* grants.list(yield* Principal) }
      }),
      end: Effect.fnUntraced(function* ({ params }) {
        yield* grants.end(yield* Principal, params.id)
      }),
    })
  }),
)
