import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { SightlineError } from "../../client/client.ts"

/** The service did not do what a command asked for; the message says why. `code` is a `SightlineErrorCode`. */
export class Refused extends Schema.TaggedError<Refused>()("Refused", {
  message: Schema.String,
  code: Schema.String,
}) {}

/** Calls the methods of a client as effects. Interruption aborts them. */
export interface Calls<Client> {
  readonly call: <A>(ask: (client: Client, signal: AbortSignal) => Promise<A>) => Effect.Effect<A, Refused>
  readonly stream: <A>(ask: (client: Client, signal: AbortSignal) => AsyncIterable<A>) => Stream.Stream<A, Refused>
}

export const makeCalls = <Client>(client: Client, describe: (error: SightlineError) => string): Calls<Client> => {
  const refusedBy = (error: unknown) =>
    error instanceof SightlineError
      ? new Refused({ message: describe(error), code: error.code })
      : new Refused({ message: error instanceof Error ? error.message : String(error), code: "unexpected" })
  return {
    call: (ask) => Effect.tryPromise({ try: (signal) => ask(client, signal), catch: refusedBy }),
    stream: (ask) =>
      Stream.unwrap(Effect.map(abortSignal, (signal) => Stream.fromAsyncIterable(ask(client, signal), refusedBy))),
  }
}

const abortSignal = Effect.map(
  Effect.acquireRelease(
    Effect.sync(() => new AbortController()),
    (controller) => Effect.sync(() => controller.abort()),
  ),
  ({ signal }) => signal,
)
