import * as Effect from "effect/Effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { Access, Principal } from "../../access/Access.ts"
import { makeApi } from "../../http/api/makeApi.ts"
import { ConversationsGroup } from "./contract.ts"
import { Conversations } from "./Conversations.ts"

export const layerConversationsHandlers = HttpApiBuilder.group(
  makeApi(ConversationsGroup.middleware(Access)),
  "conversations",
  Effect.fnUntraced(function* (handlers) {
    const conversations = yield* Conversations
    return handlers.handleAll({
      list: Effect.fnUntraced(function* () {
        return { data: yield* conversations.list(yield* Principal) }
      }),
      get: Effect.fnUntraced(function* ({ params }) {
        return yield* conversations.get(yield* Principal, params.id)
      }),
      delete: Effect.fnUntraced(function* ({ params }) {
        yield* conversations.remove(yield* Principal, params.id)
      }),
      deleteAll: Effect.fnUntraced(function* () {
        yield* conversations.remove(yield* Principal)
      }),
    })
  }),
)
