import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import type { HttpServerResponse } from "effect/http/HttpServerResponse"
import { CallerPath } from "../http/addresses/CallerPath.ts"
import { CurrentRequest } from "../http/CurrentRequest.ts"
import { requireOrganization } from "./requireOrganization.ts"

/** The organization that a path of the operator names. The path alone sets it: `requireOperatorKey` guards what it opens. */
export const NamedOrganization = Context.Reference<string | undefined>("sightline/operator/NamedOrganization", {
  defaultValue: () => undefined,
})

/** An organization's API, and the files of its exports. Nothing else of the service is below `/operator`. */
const ORGANIZATION_API = /^(\/operator\/organizations\/([^/?]+))(\/(?:api\/v1|exports)\/.*)$/

/** Answers requests below `/operator/organizations/{org}` without that part of their path, so that the routes do not know it. */
export const withNamedOrganization = <E, R>(app: Effect.Effect<HttpServerResponse, E, R>) =>
  Effect.withFiber<HttpServerResponse, E, R | HttpServerRequest>((fiber) => {
    const request = Context.getUnsafe(fiber.context, HttpServerRequest)
    const [, path = "", name = "", url = ""] = ORGANIZATION_API.exec(request.url) ?? []
    const organization = decoded(name)
    return organization === ""
      ? app
      : Effect.provideContext(
          app,
          Context.make(HttpServerRequest, request.modify({ url })).pipe(
            Context.add(NamedOrganization, organization),
            Context.add(CallerPath, path),
          ),
        )
  })

/** Empty for text that is not well-formed, or that PostgreSQL cannot store; the path is then unknown. */
const decoded = (segment: string) => {
  try {
    const text = decodeURIComponent(segment)
    return text.includes("\0") ? "" : text
  } catch {
    return ""
  }
}

/** Answers a request of the operator to the API of the named organization, which must exist. */
export const answerWithin = <E, R>(routes: Effect.Effect<HttpServerResponse, E, R>) =>
  Effect.map(requireOrganization, (find) =>
    Effect.fnUntraced(function* (organization: string) {
      const { id } = yield* find(organization)
      const state = yield* CurrentRequest
      state.organization = id
      return yield* routes
    }),
  )
