import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import { orElseAfter } from "../common/orElseAfter.ts"
import type { RequestState } from "../http/CurrentRequest.ts"
import { Forbidden, InternalError } from "../http/errors/errors.ts"
import { type FindPrincipal, parsePrincipal } from "./principal.ts"

/** The embedding host's function that names the sender of a request. Undefined: only keys are accepted. */
export const HostPrincipals = Context.Reference<FindPrincipal | undefined>("sightline/access/HostPrincipals", {
  defaultValue: () => undefined,
})

const PRINCIPAL_TIMEOUT_MS = 10_000

/** Asks the host who sends a request. The log says what is wrong with the host's answer; the caller learns only that it is refused. */
export const askHost = Effect.fnUntraced(function* (
  find: FindPrincipal,
  { source }: HttpServerRequest,
  { id }: RequestState,
) {
  const failed = (cause: unknown) => Effect.andThen(Effect.logError("`principal` failed", cause), fail(id))
  const answer = yield* Effect.tryPromise({
    // `open` makes each request from a web request.
    try: async () => (await find(source as Request)) as unknown,
    catch: (cause) => cause,
  }).pipe(
    Effect.catch(failed),
    orElseAfter(PRINCIPAL_TIMEOUT_MS, () => failed(`it did not return within ${PRINCIPAL_TIMEOUT_MS} ms`)),
  )
  if ((source as Request).bodyUsed) return yield* failed("it read the body of the request; read a clone of the request")
  if (answer === undefined) return undefined
  const principal = parsePrincipal(answer)
  if (typeof principal !== "string") return principal
  yield* Effect.logError(`\`principal\` returned an invalid value: ${principal}`)
  return yield* unrecognized
})

const fail = (requestId: string) =>
  Effect.fail(
    new InternalError({
      message: "this application could not determine who sent the request; quote the request id when you report it",
      details: { request_id: requestId },
    }),
  )

export const unrecognized = new Forbidden({
  message: "this application does not give you access to an organization; ask its administrator",
})
