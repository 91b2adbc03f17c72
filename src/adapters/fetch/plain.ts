import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { FetchFailed, FetchRefused, refusedPost, UrlFetcher } from "../../core/ports/UrlFetcher.ts"
import { parseTarget } from "./addresses.ts"

const noFiles = new FetchRefused({ message: "this host fetches no files: it reads no documents" })

/**
 * Sends webhooks by `fetch`, for a platform whose network reaches public addresses alone. It checks an address by its text,
 * and cannot check what a name resolves to.
 */
export const layerPlainFetcher = ({
  webhookHosts = [],
}: {
  readonly webhookHosts?: ReadonlyArray<string> | undefined
}) => {
  const exceptions = { allowLoopback: [], allowHosts: webhookHosts }
  return Layer.succeed(UrlFetcher, {
    check: (url, purpose) =>
      purpose === "fetch"
        ? Effect.fail(noFiles)
        : parseTarget(url, exceptions) === undefined
          ? Effect.fail(refusedPost)
          : Effect.void,
    fetch: () => Effect.fail(noFiles),
    post: Effect.fn("UrlFetcher.post")(function* (url, { headers, body }, { seconds }) {
      const target = parseTarget(url, exceptions)
      if (target === undefined) return yield* refusedPost
      const sent = Effect.tryPromise({
        try: (signal) => fetch(target.url, { method: "POST", headers, body, redirect: "manual", signal }),
        catch: () => new FetchFailed({ reason: "unreachable", message: "the address cannot be reached" }),
      })
      const reply = yield* Effect.timeoutOrElse(sent, {
        duration: `${seconds} seconds`,
        orElse: () =>
          Effect.fail(
            new FetchFailed({ reason: "too_slow", message: `the address did not reply within ${seconds} seconds` }),
          ),
      })
      yield* Effect.promise(async () => reply.body?.cancel())
      return { status: reply.status }
    }),
  })
}
