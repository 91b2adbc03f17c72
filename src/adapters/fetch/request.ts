import { lookup as systemLookup } from "node:dns/promises"
import { Agent, type ClientRequest, type IncomingMessage, request } from "node:http"
import { Agent as TlsAgent, request as tlsRequest } from "node:https"
import type { LookupFunction } from "node:net"
import * as Effect from "effect/Effect"
import { FetchFailed, type FetchRefused, type Message } from "../../core/ports/UrlFetcher.ts"
import { type Exceptions, mayConnectTo, type Target } from "./addresses.ts"

interface Address {
  readonly address: string
  readonly family: number
}

/** Resolves a name to all of its addresses. */
export type Resolve = (name: string) => Promise<ReadonlyArray<Address>>

export const resolveBySystem: Resolve = (name) => systemLookup(name, { all: true })

export interface RequestOptions extends Exceptions {
  readonly resolve: Resolve
  /** The error of an address that is not allowed. */
  readonly refused: FetchRefused
  /** Time to connect, including name lookup and TLS. */
  readonly connectSeconds: number
}

/** Sends a GET, or a POST of the message. Follows no redirect; the scope closes the connection. */
export const send = (target: Target, options: RequestOptions, message?: Message) =>
  Effect.gen(function* () {
    const state = { refused: false }
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
          // Guarantees that the checked address is the connected one, whatever a runtime does with `lookup`.
          const { remoteAddress } = socket
          if (remoteAddress !== undefined && !mayConnectTo(target, remoteAddress, options)) {
            state.refused = true
            sent.destroy()
            fail(options.refused)
          }
        })
      })
      sent.on("response", (response) => {
        connected()
        // The reader of the body gets the error; without a reader it is ignored.
        response.on("error", () => {})
        if (!state.refused) resume(Effect.succeed(response))
      })
      sent.on("error", () => {
        connected()
        fail(state.refused ? options.refused : unreachable)
      })
      sent.on("close", connected)
      sent.end(message?.body)
    })
    const response = yield* answer
    return { response, close: () => void sent.destroy() }
  })

/** A kept-alive connection would skip the check, and a proxy of the environment would resolve names itself. */
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
        // A missing name fails like a private one; a failing resolver is retryable.
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
