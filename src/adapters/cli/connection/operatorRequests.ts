import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as Sse from "effect/encoding/Sse"
import type { ResponseEvent } from "../../../core/answers/events.ts"
import { BadRequest, InternalError } from "../../../core/http/errors.ts"
import { OPERATOR_ERRORS, type Refused } from "../../../core/operator/errors.ts"
import { DatabaseUnavailable } from "../../../core/ports/DatabaseUnavailable.ts"

interface Asked {
  readonly path: string
  readonly method?: "GET" | "POST" | "PATCH" | "DELETE"
  readonly query?: Readonly<Record<string, string | undefined>>
  readonly type?: string
  readonly body?: string
}

/** A client of a server's `/operator`. */
export const connection = (server: string, key: string) => {
  const fetched = ({ path, method = "GET", query = {}, type, body }: Asked, streamed?: ReadableStream<Uint8Array>) =>
    Effect.tryPromise({
      try: (signal) => {
        const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined)
        const search = given.length === 0 ? "" : `?${new URLSearchParams(given)}`
        return fetch(`${server}/operator${path}${search}`, {
          method,
          signal,
          headers: { authorization: `Bearer ${key}`, ...(type !== undefined && { "content-type": type }) },
          ...(body !== undefined && { body }),
          // Node needs `duplex` and other runtimes accept it, but not all types have it.
          ...(streamed !== undefined && ({ body: streamed, duplex: "half" } as object)),
        })
      },
      catch: () => new DatabaseUnavailable({ message: `the server at ${server} is unreachable` }),
    })

  const succeeded = (response: Response) =>
    response.ok
      ? Effect.succeed(response)
      : Effect.flatMap(
          Effect.promise(() => response.text()),
          (text) => Effect.fail(refusal(response.status, text)),
        )

  const ask = (asked: Asked) => Effect.flatMap(fetched(asked), succeeded)

  const decoded = <A>(response: Response) =>
    Effect.tryPromise({ try: () => response.json() as Promise<A>, catch: () => broken })

  const json = <A>(asked: Asked): Effect.Effect<A, Refused> => Effect.flatMap(ask(asked), (reply) => decoded<A>(reply))

  /** Streams `bytes`. Fails with their failure rather than the connection's. */
  const streamed = <A, E>(asked: Asked, bytes: Stream.Stream<Uint8Array, E>): Effect.Effect<A, Refused | E> =>
    Effect.gen(function* () {
      let failure: Option.Option<E> = Option.none()
      const watched = Stream.tapError(bytes, (error) => Effect.sync(() => void (failure = Option.some(error))))
      const body = yield* Stream.toReadableStreamEffect(watched)
      const reply = yield* Effect.catch(fetched(asked, body), (error): Effect.Effect<never, Refused | E> =>
        Effect.fail(Option.getOrElse(failure, () => error)),
      )
      return yield* Effect.flatMap(succeeded(reply), (response) => decoded<A>(response))
    })

  return { ask, json, streamed }
}

export const bodyOf = (response: Response) =>
  Stream.fromReadableStream<Uint8Array, Refused>({
    evaluate: () => response.body as ReadableStream<Uint8Array>,
    onError: () => broken,
  })

export const eventsOf = (response: Response): Stream.Stream<ResponseEvent, Refused> =>
  bodyOf(response).pipe(
    Stream.decodeText(),
    Stream.pipeThroughChannel(Sse.decode()),
    Stream.map(({ data }) => JSON.parse(data) as ResponseEvent),
    Stream.mapError(() => broken),
  )

const broken = new DatabaseUnavailable({ message: "the server's reply was interrupted" })

const Envelope = Schema.Struct({
  error: Schema.Struct({
    code: Schema.String,
    message: Schema.String,
    details: Schema.optionalKey(Schema.Record(Schema.String, Schema.Unknown)),
  }),
})
const decode = Schema.decodeUnknownOption(Schema.fromJsonString(Envelope))

const refusal = (status: number, text: string): Refused => {
  const error = Option.getOrUndefined(decode(text))?.error
  if (error === undefined)
    return new InternalError({ message: `the server replied with ${status}: ${text.slice(0, 200)}` })
  if (error.code === "unauthorized") {
    return new BadRequest({
      message: "the server refuses the operator key; set SIGHTLINE_OPERATOR_KEY to the server's key",
    })
  }
  const Failed = OPERATOR_ERRORS[error.code as keyof typeof OPERATOR_ERRORS] ?? DatabaseUnavailable
  return new Failed({ message: error.message, ...(error.details !== undefined && { details: error.details }) })
}
