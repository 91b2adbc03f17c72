import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { type Client, createClient, SightlineError } from "../../client/client.ts"

/** A server did not do what a command asked for; the message says why. */
export class Refused extends Schema.TaggedError<Refused>()("Refused", { message: Schema.String }) {}

/** Calls a server on behalf of a command. Interruption aborts the call. */
export const connect = ({ address, key }: { readonly address: string; readonly key: string }) => {
  const client = createClient({ baseUrl: address, key })
  const refusedBy = (error: unknown) => new Refused({ message: describe(error, address) })
  return {
    call: <A>(ask: (client: Client, signal: AbortSignal) => Promise<A>): Effect.Effect<A, Refused> =>
      Effect.tryPromise({ try: (signal) => ask(client, signal), catch: refusedBy }),
    stream: <A>(ask: (client: Client, signal: AbortSignal) => AsyncIterable<A>): Stream.Stream<A, Refused> =>
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

const describe = (error: unknown, address: string): string => {
  if (!(error instanceof SightlineError)) return error instanceof Error ? error.message : String(error)
  if (error.code === "network_error") return `${address} is unreachable, or its reply was interrupted`
  return error.status === undefined ? error.message : `${error.status}: ${error.message}`
}
