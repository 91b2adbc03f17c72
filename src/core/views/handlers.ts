import * as Effect from "effect/Effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { Access, Principal } from "../access/Access.ts"
import { keyHolder } from "../access/keyHolder.ts"
import { makeApi } from "../http/api/makeApi.ts"
import { ViewsGroup } from "./contract.ts"
import { Views } from "./Views.ts"

export const layerViewsHandlers = HttpApiBuilder.group(
  makeApi(ViewsGroup.middleware(Access)),
  "views",
  Effect.fnUntraced(function* (handlers) {
    const views = yield* Views
    return handlers.handleAll({
      list: Effect.fnUntraced(function* ({ query }) {
        return { data: yield* views.list(yield* Principal, query.board_id) }
      }),
      create: Effect.fnUntraced(function* ({ payload }) {
        return yield* views.create(yield* keyHolder("views"), payload)
      }),
      update: Effect.fnUntraced(function* ({ params, payload }) {
        return yield* views.update(yield* Principal, params.id, payload)
      }),
      delete: Effect.fnUntraced(function* ({ params }) {
        yield* views.remove(yield* Principal, params.id)
      }),
      listBoards: Effect.fnUntraced(function* () {
        return { data: yield* views.listBoards(yield* Principal) }
      }),
      createBoard: Effect.fnUntraced(function* ({ payload }) {
        return yield* views.createBoard(yield* keyHolder("boards"), payload)
      }),
      deleteBoard: Effect.fnUntraced(function* ({ params }) {
        yield* views.removeBoard(yield* Principal, params.id)
      }),
    })
  }),
)
