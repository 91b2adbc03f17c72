import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as HttpRouter from "effect/http/HttpRouter"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { makeRefundRefused } from "../access/refundRefused.ts"
import { Forbidden, NotAcceptable, toResponse, UnsupportedMediaType } from "../http/errors/errors.ts"
import { eventReply } from "../http/replies/events.ts"
import { Settings } from "../http/Settings.ts"
import { makeDoor } from "../oauth/door.ts"
import { Mcp, type Notify } from "./Mcp.ts"
import { CODES, errorReply, explainInvalid, idOf, readMessage, type Reply } from "./messages.ts"
import { replyOrStream } from "./replyOrStream.ts"
import { claimsStateless, findProblem } from "./stateless.ts"

/**
 * `POST /mcp`: Streamable HTTP without sessions, one message per request, with or without a handshake. Replies with JSON, or with an event stream if the
 * reply is slow and the client accepts one. Keys, limits and error envelopes are those of the API.
 */
export const mcp = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const { enter, forbid } = yield* makeDoor
    const server = yield* Mcp
    const refundRefused = yield* makeRefundRefused
    const { publicUrl, corsOrigins } = yield* Settings
    const origins = new Set([...corsOrigins, ...(publicUrl === undefined ? [] : [new URL(publicUrl).origin])])

    yield* router.add(
      "POST",
      "/mcp",
      Effect.gen(function* () {
        const request = yield* HttpServerRequest
        const { headers } = request
        const problem = checkHeaders(headers, origins)
        if (problem !== undefined) return toResponse(problem)
        const token = /^bearer +(\S+)$/i.exec(headers["authorization"] ?? "")?.[1] ?? ""
        const caller = yield* enter(request, token)
        if (HttpServerResponse.isHttpServerResponse(caller)) return caller
        const text = yield* request.text
        const parsed = yield* Effect.option(Effect.try(() => JSON.parse(text)))
        if (parsed._tag === "None")
          return json(400, errorReply(null, { code: CODES.parse, message: "the body is not JSON" }))
        const id = idOf(parsed.value)
        const message = Option.getOrUndefined(readMessage(parsed.value))
        if (message === undefined)
          return json(400, errorReply(id, { code: CODES.request, message: explainInvalid(parsed.value) }))
        const stateless = claimsStateless(headers, message)
        const refused = stateless ? findProblem(headers, message) : undefined
        if (refused !== undefined) return json(400, errorReply(id, refused))
        const handle = (notify?: Notify) =>
          Effect.tapError(server.handle(caller, message, notify), (error) => refundRefused(caller, error))
        const reply = Effect.gen(function* () {
          if (!headers["accept"]?.includes(EVENTS)) return replyResponse(yield* handle(), stateless)
          const answer = yield* replyOrStream(id, handle)
          return "reply" in answer ? replyResponse(answer.reply, stateless) : eventReply(answer.events)
        })
        return yield* Effect.catchTag(reply, "Forbidden", (error) => forbid(caller, error))
      }),
    )
  }),
)

const EVENTS = "text/event-stream"

/** Without a handshake, 404 tells a client that the address is right and the method is not. */
const replyResponse = (reply: Reply | undefined, stateless: boolean) =>
  reply === undefined
    ? HttpServerResponse.empty({ status: 202 })
    : json(stateless && "error" in reply && reply.error.code === CODES.method ? 404 : 200, reply)

const json = (status: number, body: object) => HttpServerResponse.jsonUnsafe(body, { status })

type Headers = Readonly<Record<string, string | undefined>>

/** Checks headers before authentication. The check of `Origin` stops DNS rebinding: a page that reaches a local server. */
const checkHeaders = (headers: Headers, origins: ReadonlySet<string>) => {
  const { origin, accept, "content-type": type = "" } = headers
  if (origin !== undefined && !origins.has("*") && !origins.has(origin) && !LOOPBACK.test(origin)) {
    return new Forbidden({ message: "this origin is not allowed; add it to `corsOrigins` (SIGHTLINE_CORS_ORIGINS)" })
  }
  if (!/^application\/json\b/i.test(type)) {
    return new UnsupportedMediaType({ message: "send one JSON-RPC message as application/json" })
  }
  if (accept !== undefined && !/\*\/\*|application\/(\*|json)/.test(accept)) {
    return new NotAcceptable({ message: "this path replies with application/json; accept it" })
  }
  return undefined
}

const LOOPBACK = /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/
