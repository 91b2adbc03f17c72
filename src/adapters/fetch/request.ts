import { lookup as systemLookup } from "node:dns/promises"
import { Agent, type ClientRequest, type IncomingMessage, request } from "node:http"
import { Agent as TlsAgent, request as tlsRequest } from "node:https"
import type { LookupFunction } from "node:net"
import * as Effect from "effect/Effect"
import { FetchFailed, type FetchRefused, type Message, refused } from "../../core/ports/UrlFetcher.ts"
import { type Exceptions, mayConnectTo, type Target } from "./addresses.ts"

export interface Address {
  readonly address: string
  readonly family: number
}

/** Every address of a name. */
export type Resolve = (name: string) => Promise<ReadonlyArray<Address>>

export const resolveBySystem: Resolve = (name) => systemLookup(name, { all: true })

export interface RequestOptions extends Exceptions {
  readonly resolve: Resolve
  /** Until the connection stands, name and TLS included. */
  readonly connectSeconds: number
}

/** A GET, or a POST of the message. No redirect is followed; the connection is closed with the scope. */
export const send = (target: Target, options: RequestOptions, message?: Message) =>
  Effect.gen(function* () {
    const state = { refused: false, unknown: false }
    const sent = yield* Effect.acquireRelease(
      Effect.sync(() => open(target, options, state, message)),
      (opened) => Effect.sync(() => opened.destroy()),
    )
    const answer = Effect.callback<IncomingMessage, FetchRefused | FetchFailed>((resume) => {
      const fail = (error: FetchRefused | FetchFailed) => resume(Effect.fail(error))
      const slow = setTimeout(() => fail(unreachable), options.connectSeconds * 1000)
      const connected = () => clearTimeout(slow)
      sent.on("socket", (socket) => {
        socket.once(target.url.protocol === "https:" ? "secureConnect" : "connect", () => {
          connected()
          // What was judged is what was connected to, whatever a runtime makes of `lookup`.
          const { remoteAddress } = socket
          if (remoteAddress !== undefined && !mayConnectTo(target, remoteAddress, options)) {
            state.refused = true
            sent.destroy()
            fail(refused)
          }
        })
      })
      sent.on("response", (response) => {
        connected()
        // Told to whoever reads it; a body that nobody reads may break unheard.
        response.on("error", () => {})
        if (!state.refused) resume(Effect.succeed(response))
      })
      sent.on("error", () => {
        connected()
        fail(state.refused ? refused : unreachable)
      })
      sent.on("close", connected)
      sent.end(message?.body)
    })
    const response = yield* answer
    return { response, close: () => void sent.destroy() }
  })

/** A connection that stands already is not judged, and a proxy that the environment names would look names up itself. */
const DIRECT = { keepAlive: false, proxyEnv: {} }

const open = (
  target: Target,
  options: RequestOptions,
  state: { refused: boolean },
  message: Message | undefined,
): ClientRequest => {
  const lookup: LookupFunction = (name, { all }, callback) => {
    options.resolve(name).then(
      (addresses) => {
        const [first] = addresses
        if (first !== undefined && addresses.every(({ address }) => mayConnectTo(target, address, options))) {
          return all === true ? callback(null, [...addresses]) : callback(null, first.address, first.family)
        }
        state.refused = true
        return callback(new Error("refused"), "", 0)
      },
      (cause: NodeJS.ErrnoException) => {
        // A name that is not there is told like one that is private; a resolver that is down may be up soon.
        state.refused = cause.code !== "EAI_AGAIN" && cause.code !== "ESERVFAIL" && cause.code !== "ETIMEOUT"
        callback(cause, "", 0)
      },
    )
  }
  const tls = target.url.protocol === "https:"
  return (tls ? tlsRequest : request)({
    hostname: target.host,
    port: target.port,
    path: target.url.pathname + target.url.search,
    method: message === undefined ? "GET" : "POST",
    headers: {
      host: target.url.host,
      accept: "*/*",
      "accept-encoding": "identity",
      "user-agent": "sightline",
      ...(message !== undefined && {
        ...message.headers,
        "content-length": new TextEncoder().encode(message.body).length,
      }),
    },
    agent: new (tls ? TlsAgent : Agent)(DIRECT),
    lookup,
    rejectUnauthorized: true,
  })
}

const unreachable = new FetchFailed({
  reason: "unreachable",
  message: "the host of this address could not be reached; check the address, or try again later",
})
