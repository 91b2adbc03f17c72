import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { identity } from "effect/Function"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { Database } from "../storage/Database.ts"
import { MaxBodySize } from "effect/http/HttpIncomingMessage"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { Conflict } from "../http/errors/errors.ts"
import { eventReply, readEvents } from "../http/replies/events.ts"
import { LargestBody, StreamedBody } from "../http/api/annotations.ts"
import { badRequest } from "../http/validation/validation.ts"
import { Principal } from "../access/Access.ts"
import { CurrentRequest } from "../http/CurrentRequest.ts"
import { type Bounds, readBounds } from "../access/lineage.ts"
import { Fingerprint, computeFingerprint, makeVault } from "./fingerprint.ts"
import { Idempotency } from "./Idempotency.ts"
import { LastEvent } from "./LastEvent.ts"
import { LEASE_SECONDS, Replies, type StoredReply } from "./Replies.ts"
import { type WritableReply, StreamedReplies } from "./StreamedReplies.ts"

const PRINTABLE = /^[\x20-\x7e]{1,255}$/

/**
 * Runs a POST with an `Idempotency-Key` once in 24 hours per organization. Stores the first successful reply and replays
 * it byte for byte, on any instance and after a restart; a failed request can be retried. An event stream runs to its end
 * even if the client disconnects, and is replayed from the event after `Last-Event-ID`.
 */
export const layerIdempotency = Layer.effect(
  Idempotency,
  Effect.gen(function* () {
    const database = yield* Database
    const replies = yield* Replies
    const streams = yield* StreamedReplies
    const lifetime = yield* Effect.scope

    /**
     * A reply may contain data that only its caller may see, so only keys with the same permissions get it. A reply with a
     * secret also needs the same bounds: of a token, its expiry. An identity gets only its own replies, and so does the operator.
     */
    const readCallerBounds = Effect.fnUntraced(function* (url: string) {
      const { organizationId: org, keyId, isOperator, identity: by } = yield* Principal
      if (isOperator) return "operator"
      const showsSecret = SHOWS_SECRET.test(url)
      if (by !== undefined)
        return `identity ${JSON.stringify(by.id)}${showsSecret ? ` ${(yield* CurrentRequest).expires ?? ""}` : ""}`
      if (OWNED_BY_KEY.test(url)) return `key ${keyId}`
      return showsSecret ? boundsOf(yield* database.transaction(org, readBounds(database.sql, org))) : ""
    })

    const once = Effect.fnUntraced(function* <E, R>(
      handler: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>,
      { identifier, annotations }: { readonly identifier: string; readonly annotations: Context.Context<never> },
    ) {
      const lastEvent = Context.get(annotations, LastEvent)
      const request = yield* HttpServerRequest
      // A JSON body is read whole, once, and the handler reads it from memory.
      const isStreamed = Context.get(annotations, StreamedBody) || isForm(request)
      const key = request.headers["idempotency-key"]
      if (key === undefined) return yield* handler
      if (!PRINTABLE.test(key)) {
        return yield* badRequest({
          invalid: [{ field: "Idempotency-Key", reason: "must be 1 to 255 printable ASCII characters" }],
        })
      }
      const after = Number(request.headers["last-event-id"] ?? 0)
      if (lastEvent !== undefined && !(Number.isSafeInteger(after) && after >= 0)) {
        return yield* badRequest({ invalid: [{ field: "Last-Event-ID", reason: "must be the id of an event" }] })
      }
      const { organizationId: org, role, permissions } = yield* Principal
      const vault = makeVault(key)
      const name = yield* vault.name
      const bounds = yield* readCallerBounds(request.url)
      const seed = `${role} ${permissions === null ? "*" : permissions.toSorted().join()} ${bounds} ${identifier} ${request.url}\n`
      const claim = yield* replies.claim(org, name)
      if (claim._tag === "InProgress") {
        return yield* new Conflict({
          message: "a request with this Idempotency-Key is still in progress; try again shortly",
          details: { in_progress: true },
        })
      }
      if (claim._tag === "Answered") {
        if (
          (yield* Effect.orDie(computeFingerprint(seed, readBody(request, isStreamed), boundaryOf(request)))) !==
          claim.fingerprint
        ) {
          return yield* new Conflict({
            message:
              "this Idempotency-Key was used with another request, or by a key with other permissions; use a new one",
          })
        }
        const { body } = claim.reply
        const reply = asReplay(claim.reply)
        return body === null && lastEvent !== undefined
          ? eventReply(streams.follow({ org, name, vault, lastEvent }, after), { ...reply, interrupted: lastEvent })
          : HttpServerResponse.uint8Array(yield* vault.open(body ?? new Uint8Array(0)), reply)
      }
      const held = { org, name, epoch: claim.epoch }
      if (lastEvent !== undefined && after > 0) {
        yield* replies.release(held)
        return yield* new Conflict({
          message: "no reply is stored for this Idempotency-Key any more; send the request again without Last-Event-ID",
        })
      }
      const fingerprint = new Fingerprint(seed, boundaryOf(request))
      const hashedBody = Stream.tap(readBody(request, isStreamed), (bytes) => fingerprint.add(bytes))
      const read = isStreamed ? Effect.void : Effect.orDie(Stream.runDrain(hashedBody))
      const hashedRequest = isStreamed
        ? (Object.create(request, { stream: { value: hashedBody } }) as HttpServerRequest)
        : request
      // A stream outlives its request; this scope closes when the stream ends.
      const work = yield* Scope.fork(lifetime)
      const storeReply = Effect.fnUntraced(function* (response: HttpServerResponse.HttpServerResponse) {
        const { status, headers: all } = response
        const body = bytesOf(response)
        const events = lastEvent === undefined ? undefined : readEvents(response)
        if (status >= 400 || (body === undefined && events === undefined)) {
          yield* replies.release(held)
          return response
        }
        const { "x-request-id": _, ...headers } = all
        const isStored = yield* replies.store(held, yield* fingerprint.finish(), {
          status,
          headers,
          body: body === undefined ? null : yield* vault.seal(body),
        })
        if (events === undefined || lastEvent === undefined) return response
        const reply: WritableReply = { ...held, vault, lastEvent }
        const closing = Stream.onExit(events, (exit) => Scope.close(work, exit))
        if (isStored) yield* streams.record(reply, closing)
        return eventReply(isStored ? streams.follow(reply, 0) : closing, { status, headers, interrupted: lastEvent })
      })
      return yield* Effect.andThen(read, handler).pipe(
        Effect.provideService(HttpServerRequest, hashedRequest),
        Effect.provideService(Scope.Scope, work),
        Effect.raceFirst(
          Effect.forever(
            Effect.andThen(Effect.sleep(`${LEASE_SECONDS / 3} seconds`), Effect.ignore(replies.renew(held))),
          ),
        ),
        Effect.flatMap((response) => Effect.uninterruptible(storeReply(response))),
        Effect.tap((response) =>
          readEvents(response) !== undefined || response.body._tag === "Stream"
            ? Effect.void
            : Scope.close(work, Exit.void),
        ),
        Effect.onError((cause) =>
          Effect.andThen(Scope.close(work, Exit.failCause(cause)), Effect.ignore(replies.release(held))),
        ),
      )
    })
    return Idempotency.of((handler, { endpoint }) => {
      const app = endpoint.method === "POST" ? once(handler, endpoint) : identity(handler)
      const maxBytes = Context.get(endpoint.annotations, LargestBody)
      return maxBytes === undefined ? app : Effect.provideService(app, MaxBodySize, maxBytes)
    })
  }),
)

const asReplay = ({ status, headers }: Pick<StoredReply, "status" | "headers">) => ({
  status,
  ...(headers["content-type"] !== undefined && { contentType: headers["content-type"] }),
  headers: { ...headers, "idempotent-replayed": "true" },
})

const boundsOf = (bounds: Bounds | undefined) => `${bounds?.expires_at} ${bounds?.requests_per_minute}`

/** Paths whose reply contains the secret of a key or webhook, bound by the caller's expiry and limit. */
const SHOWS_SECRET = /\/(?:keys|webhooks)\b/

/** Paths whose reply belongs to the calling key alone: a link that signs in as it, and its views and boards. */
const OWNED_BY_KEY = /\/(?:sessions|views|boards)\b/

const isForm = (request: HttpServerRequest) => /^multipart\//i.test(request.headers["content-type"] ?? "")

const readBody = (request: HttpServerRequest, isStreamed: boolean) =>
  isStreamed ? request.stream : Stream.map(Stream.fromEffect(request.text), (text) => new TextEncoder().encode(text))

/** The fingerprint leaves the multipart boundary out, because clients make a new one for each request. */
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
