import * as Effect from "effect/Effect"
import type { Caller } from "../access/permissions.ts"
import type { Forbidden } from "../http/errors/errors.ts"
import type { DatabaseUnavailable } from "../ports/DatabaseUnavailable.ts"
import type { Mcp, Notify } from "./Mcp.ts"
import { shown } from "../common/options.ts"
import { CODES, errorReply, resultReply, RpcError, VERSIONS } from "./messages.ts"
import { completed, isStateless, STATELESS_VERSIONS, translateError } from "./stateless.ts"

export type Params = Readonly<Record<string, unknown>>

type Failure = RpcError | Forbidden | DatabaseUnavailable

/** The tools and resources of a server. Each function gets the caller, whose permissions it checks. */
export interface Offer {
  /** The server's name, title and version. */
  readonly info: object
  readonly instructions: (caller: Caller) => Effect.Effect<string, Failure>
  readonly listTools: (caller: Caller) => ReadonlyArray<object>
  readonly callTool: (caller: Caller, params: Params, notify: Notify) => Effect.Effect<object, Failure>
  readonly templates: ReadonlyArray<object>
  readonly listResources: (caller: Caller, cursor: string | undefined) => Effect.Effect<object, Failure>
  readonly readResource: (caller: Caller, uri: string) => Effect.Effect<object, Failure>
}

const CAPABILITIES = { tools: {}, resources: {} }

/** Answers messages by the rules of every supported revision. */
export const makeDispatcher = (offer: Offer): Mcp["Service"] => {
  /** The methods of a handshake, or of a request without one; every other method is common to both. */
  const opening = Effect.fnUntraced(function* (caller: Caller, method: string, params: Params, stateless: boolean) {
    if (stateless && method === "server/discover") {
      const announced = { supportedVersions: STATELESS_VERSIONS, capabilities: CAPABILITIES }
      return { ...announced, instructions: yield* offer.instructions(caller) }
    }
    if (!stateless && method === "initialize") {
      const protocolVersion = VERSIONS.find((version) => version === params["protocolVersion"]) ?? VERSIONS[0]
      const announced = { protocolVersion, capabilities: CAPABILITIES, serverInfo: offer.info }
      return { ...announced, instructions: yield* offer.instructions(caller) }
    }
    return !stateless && method === "ping" ? {} : undefined
  })

  const result = Effect.fnUntraced(function* (caller: Caller, method: string, params: Params, notify: Notify) {
    switch (method) {
      case "tools/list":
        return { tools: offer.listTools(caller) }
      case "tools/call":
        return yield* offer.callTool(caller, params, notify)
      case "resources/list": {
        const { cursor } = params
        return yield* offer.listResources(
          caller,
          cursor === undefined ? undefined : yield* requireString("cursor", cursor),
        )
      }
      case "resources/templates/list":
        return { resourceTemplates: offer.templates }
      case "resources/read":
        return yield* offer.readResource(caller, yield* requireString("uri", params["uri"]))
      default:
        return yield* new RpcError({ code: CODES.method, message: `there is no method ${shown(method)}` })
    }
  })

  return {
    handle: Effect.fn("Mcp.handle")(function* (caller, message, notify = () => Effect.void) {
      if (!("method" in message) || message.id === undefined) return undefined
      const { id, method, params = {} } = message
      const stateless = isStateless(message)
      const answer = Effect.gen(function* () {
        return (yield* opening(caller, method, params, stateless)) ?? (yield* result(caller, method, params, notify))
      })
      return yield* answer.pipe(
        Effect.map((value) => resultReply(id, stateless ? completed(method, value, offer.info) : value)),
        Effect.catchTag("RpcError", (error) =>
          Effect.succeed(errorReply(id, stateless ? translateError(error) : error)),
        ),
      )
    }),
  }
}

const requireString = (name: string, value: unknown) =>
  typeof value === "string"
    ? Effect.succeed(value)
    : Effect.fail(new RpcError({ code: CODES.params, message: `${name} must be a string` }))
