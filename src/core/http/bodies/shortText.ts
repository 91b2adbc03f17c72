import * as ByteSize from "effect/ByteSize"
import * as Effect from "effect/Effect"
import { MaxBodySize } from "effect/http/HttpIncomingMessage"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"

const MAX_SHORT_BODY = ByteSize.fromInputUnsafe("64 KiB")
const SHORT_BODY_TIMEOUT_MS = 10_000

/**
 * Reads the body of a request that needs no key: a form or a sign-in. Nothing limits how many of them a stranger sends at once and never ends, so
 * each is short and has a short time. Undefined if it is longer than `maxCharacters` or late.
 */
export const shortText = (request: HttpServerRequest, maxCharacters: number) =>
  request.text.pipe(
    Effect.provideService(MaxBodySize, MAX_SHORT_BODY),
    Effect.catch((error) =>
      error.reason._tag === "RequestParseError" && error.reason.reason === "BodyTooLarge"
        ? Effect.undefined
        : Effect.fail(error),
    ),
    Effect.timeoutOrElse({ duration: SHORT_BODY_TIMEOUT_MS, orElse: () => Effect.undefined }),
    Effect.map((text) => (text === undefined || text.length > maxCharacters ? undefined : text)),
  )
