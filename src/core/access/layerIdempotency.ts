import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { identity } from "effect/Function"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { MaxBodySize } from "effect/http/HttpIncomingMessage"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { Conflict } from "../http/errors.ts"
import { LargestBody } from "../http/LargestBody.ts"
import { badRequest } from "../http/validation.ts"
import { Principal } from "./Access.ts"
import { Fingerprint, fingerprintOf, vault } from "./fingerprint.ts"
import { Idempotency } from "./Idempotency.ts"
import { LEASE_SECONDS, Replies } from "./Replies.ts"

const PRINTABLE = /^[\x20-\x7e]{1,255}$/

/**
 * A POST with an `Idempotency-Key` is carried out once in 24 hours for its organization. The first answer that succeeds
 * is kept and replayed byte for byte, on any instance and after a restart; a failed one is not, and may be tried again.
 */
export const layerIdempotency = Layer.effect(
  Idempotency,
  Effect.gen(function* () {
    const replies = yield* Replies
    const once = Effect.fnUntraced(function* <E, R>(
      handler: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>,
      endpoint: string,
    ) {
      const request = yield* HttpServerRequest
      const key = request.headers["idempotency-key"]
      if (key === undefined) return yield* handler
      if (!PRINTABLE.test(key)) {
        return yield* badRequest({
          invalid: [{ field: "Idempotency-Key", reason: "must be 1 to 255 printable ASCII characters" }],
        })
      }
      const { organizationId: org } = yield* Principal
      const box = vault(key)
      const name = yield* box.name
      const seed = `${endpoint} ${request.url}\n`
      const claim = yield* replies.claim(org, name)
      if (claim._tag === "InProgress") {
        return yield* new Conflict({
          message: "a request with this Idempotency-Key is still in progress; try again shortly",
        })
      }
      if (claim._tag === "Answered") {
        if ((yield* Effect.orDie(fingerprintOf(seed, bodyOf(request), boundaryOf(request)))) !== claim.fingerprint) {
          return yield* new Conflict({ message: "this Idempotency-Key was used with another request; use a new one" })
        }
        const { status, headers, body } = claim.reply
        return HttpServerResponse.uint8Array(yield* box.open(body), {
          status,
          ...(headers["content-type"] !== undefined && { contentType: headers["content-type"] }),
          headers: { ...headers, "idempotent-replayed": "true" },
        })
      }
      const fingerprint = new Fingerprint(seed, boundaryOf(request))
      const watch = Stream.tap(bodyOf(request), (bytes) => fingerprint.add(bytes))
      if (isText(request)) yield* Effect.orDie(Stream.runDrain(watch))
      const watched = isText(request)
        ? request
        : (Object.create(request, { stream: { value: watch } }) as HttpServerRequest)
      return yield* handler.pipe(
        Effect.provideService(HttpServerRequest, watched),
        Effect.raceFirst(
          Effect.forever(Effect.andThen(Effect.sleep(`${LEASE_SECONDS / 3} seconds`), replies.renew(org, name))),
        ),
        Effect.tap((response) =>
          Effect.gen(function* () {
            const body = bytesOf(response)
            if (response.status >= 400 || body === undefined) return yield* replies.release(org, name)
            const { "x-request-id": _, ...headers } = response.headers
            return yield* replies.store(org, name, yield* fingerprint.finish(), {
              status: response.status,
              headers,
              body: yield* box.seal(body),
            })
          }),
        ),
        Effect.onError(() => Effect.ignore(replies.release(org, name))),
      )
    })
    return Idempotency.of((handler, { endpoint }) => {
      const app = endpoint.method === "POST" ? once(handler, endpoint.identifier) : identity(handler)
      const most = Context.get(endpoint.annotations, LargestBody)
      return most === undefined ? app : Effect.provideService(app, MaxBodySize, most)
    })
  }),
)

/** JSON is read whole, and once: the handler reads it from memory. Anything else streams through. */
const isText = (request: HttpServerRequest) =>
  !/^(text\/csv|application\/(x-ndjson|jsonl)|multipart\/)/.test(request.headers["content-type"] ?? "")

const bodyOf = (request: HttpServerRequest) =>
  isText(request)
    ? Stream.map(Stream.fromEffect(request.text), (text) => new TextEncoder().encode(text))
    : request.stream

/** A multipart body's boundary is made anew for each request: the same parts are the same body. */
const boundaryOf = ({ headers }: HttpServerRequest) => {
  const found = /^multipart\/.*;\s*boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(headers["content-type"] ?? "")
  return found?.[1] ?? found?.[2] ?? ""
}

const bytesOf = ({ body }: HttpServerResponse.HttpServerResponse): Uint8Array<ArrayBuffer> | undefined => {
  switch (body._tag) {
    case "Uint8Array":
      return new Uint8Array(body.body)
    case "Raw":
      return typeof body.body === "string" ? new TextEncoder().encode(body.body) : undefined
    case "Empty":
      return new Uint8Array(0)
    default:
      return undefined
  }
}
