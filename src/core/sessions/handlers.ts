import * as Effect from "effect/Effect"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { makeApi } from "../http/api/makeApi.ts"
import { BaseUrl } from "../http/addresses/BaseUrl.ts"
import { NotFound } from "../http/errors/errors.ts"
import { LoadConsole } from "../ports/ConsoleFiles.ts"
import { Access, Principal } from "../access/Access.ts"
import { keyHolder } from "../access/keyHolder.ts"
import { SessionsGroup } from "./contract.ts"
import { signInUrl } from "./links.ts"
import { Sessions } from "./Sessions.ts"

export const layerSessionsHandlers = HttpApiBuilder.group(
  makeApi(SessionsGroup.middleware(Access)),
  "sessions",
  Effect.fnUntraced(function* (handlers) {
    const sessions = yield* Sessions
    const baseUrl = yield* BaseUrl
    return handlers.handleAll({
      list: Effect.fnUntraced(function* () {
        return { data: yield* sessions.list(yield* Principal) }
      }),
      createLink: Effect.fnUntraced(function* () {
        if ((yield* Effect.promise(yield* LoadConsole)) === undefined) return yield* noConsole
        const { organizationId, keyId } = yield* keyHolder("sessions")
        const { authorization = "" } = (yield* HttpServerRequest).headers
        const credential = authorization.replace(/^bearer\s+/i, "")
        const { token, expires_at } = yield* sessions.createLink(organizationId, { keyId, credential, isLocal: false })
        return { url: signInUrl(yield* baseUrl.get, token), expires_at }
      }),
      end: Effect.fnUntraced(function* ({ params }) {
        yield* sessions.end(yield* Principal, params.id)
      }),
    })
  }),
)

const noConsole = new NotFound({ message: "this server has no console" })
