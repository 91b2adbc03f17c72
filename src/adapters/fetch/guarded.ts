import type { IncomingMessage } from "node:http"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import type { Scope } from "effect/Scope"
import * as Stream from "effect/Stream"
import {
  type Fetched,
  FetchFailed,
  type FetchLimits,
  type FetchRefused,
  refusedFetch,
  refusedPost,
  UrlFetcher,
} from "../../core/ports/UrlFetcher.ts"
import type { FetcherOptions } from "../libraryOptions.ts"
import { follow, parseTarget, type Target } from "./addresses.ts"
import { type RequestOptions, type Resolve, resolveBySystem, send } from "./request.ts"

export interface GuardedOptions extends FetcherOptions {
  /** Ports of this machine that may be fetched: for tests only, so no environment variable sets it. */
  readonly allowLoopback?: ReadonlyArray<number> | undefined
  /** Resolves names; default: the system's resolver. Its answers are checked too. */
  readonly resolve?: Resolve | undefined
  readonly connectSeconds?: number | undefined
}

/**
 * Fetches on Node, Bun and Deno. Checks every address of a name when it connects, so that no second
 * lookup can differ, and checks each redirect. Sends no credentials, cookies or compression.
 */
export const layerGuarded = (given: GuardedOptions = {}) => {
  const options: RequestOptions = {
    allowLoopback: given.allowLoopback ?? [],
    allowHosts: [],
    resolve: given.resolve ?? resolveBySystem,
    refused: refusedFetch,
    connectSeconds: given.connectSeconds ?? 10,
  }
  const posting: RequestOptions = { ...options, allowHosts: given.webhookHosts ?? [], refused: refusedPost }
  const target = (url: string, exceptions = options) =>
    Effect.suspend(() => {
      const parsed = parseTarget(url, exceptions)
      return parsed === undefined ? Effect.fail(exceptions.refused) : Effect.succeed(parsed)
    })
  return Layer.succeed(
    UrlFetcher,
    UrlFetcher.of({
      check: (url, purpose) => Effect.asVoid(target(url, purpose === "post" ? posting : options)),
      fetch: Effect.fn("UrlFetcher.fetch")(function* (url, limits) {
        const { seconds = 60 } = limits
        const first = yield* target(url)
        const late = yield* Effect.forkScoped(Effect.andThen(Effect.sleep(`${seconds} seconds`), tooSlow(seconds)))
        const response = yield* Effect.raceFirst(arrive(first, options, limits.redirects), Fiber.join(late))
        const fetched = yield* receive(response, limits)
        return { ...fetched, bytes: Stream.interruptWhen(fetched.bytes, Fiber.join(late)) }
      }),
      post: Effect.fn("UrlFetcher.post")(
        function* (url, message, { seconds }) {
          const answered = Effect.flatMap(target(url, posting), (parsed) => send(parsed, posting, message))
          const { response } = yield* Effect.timeoutOrElse(answered, {
            duration: `${seconds} seconds`,
            orElse: () => failed("too_slow", `the address did not reply within ${seconds} seconds`),
          })
          return { status: response.statusCode ?? 0 }
        },
        (effect) => Effect.scoped(effect),
      ),
    }),
  )
}

const MAX_REDIRECTS = 5
const REDIRECT_STATUSES = new Set([301, 302, 303, 307, 308])

const arrive = Effect.fnUntraced(function* (
  first: Target,
  options: RequestOptions,
  most = MAX_REDIRECTS,
): Effect.fn.Return<IncomingMessage, FetchRefused | FetchFailed, Scope> {
  let target = first
  for (let redirects = 0; redirects <= most; redirects++) {
    const { response, close } = yield* send(target, options)
    const { statusCode = 0, headers } = response
    if (!REDIRECT_STATUSES.has(statusCode) || headers.location === undefined) return response
    close()
    target = follow(target, headers.location, options) ?? (yield* options.refused)
  }
  return yield* options.refused
})

const receive = (response: IncomingMessage, { maxBytes }: FetchLimits): Effect.Effect<Fetched, FetchFailed> => {
  const { statusCode = 0, headers } = response
  if (statusCode !== 200) {
    const message = `the address replied with status ${statusCode}, not with the file; check the address`
    return Effect.fail(new FetchFailed({ reason: "status", status: statusCode, message }))
  }
  if (!["", "identity"].includes(headers["content-encoding"]?.toLowerCase() ?? "")) {
    return failed("status", "the address replied with a compression that was not requested")
  }
  const announced = headers["content-length"] === undefined ? undefined : Number(headers["content-length"])
  if (announced !== undefined && announced > maxBytes) return tooLarge(maxBytes)
  return Effect.succeed({
    cacheControl: headers["cache-control"],
    contentType: headers["content-type"]?.split(";")[0]?.trim().toLowerCase() || undefined,
    bytes: Stream.suspend(() => {
      let size = 0
      const counted = Stream.mapEffect(
        Stream.fromAsyncIterable<Uint8Array, FetchFailed>(response, () => cutOff),
        (chunk) => {
          size += chunk.length
          return size > maxBytes ? tooLarge(maxBytes) : Effect.succeed(chunk)
        },
      )
      const whole = Stream.suspend(() =>
        announced !== undefined && size < announced ? Stream.fail(cutOff) : Stream.empty,
      )
      return Stream.concat(counted, whole)
    }),
  })
}

const failed = (reason: FetchFailed["reason"], message: string) => Effect.fail(new FetchFailed({ reason, message }))

const tooLarge = (maxBytes: number) =>
  failed("too_large", `the file at this address is larger than ${maxBytes} bytes, the limit`)

const tooSlow = (seconds: number) =>
  failed(
    "too_slow",
    `the address did not send the whole file within ${seconds} seconds; try again later, or upload the file`,
  )

const cutOff = new FetchFailed({
  reason: "cut_off",
  message: "the connection ended before the file was complete; try again later",
})
