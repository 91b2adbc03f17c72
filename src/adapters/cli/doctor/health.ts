import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { configuration } from "../../configuration/configuration.ts"
import { serving } from "../../serving/address.ts"
import { print } from "../terminal/output.ts"

/** The server does not answer, or is not ready. */
class Unhealthy extends Schema.TaggedError<Unhealthy>()("Unhealthy", { message: Schema.String }) {}

const TIMEOUT_MS = 5_000

/** Asks the server at HOST and PORT whether it is ready. A container without other programs uses it as its probe. */
export const health = Effect.fnUntraced(function* (input: { readonly json: boolean }) {
  const { host, port, basePath } = yield* configuration
  const { url } = serving(host, port, basePath)
  const { ok, report } = yield* Effect.tryPromise({
    try: async (signal) => {
      const reply = await fetch(`${url}/health/ready`, {
        signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
      })
      return { ok: reply.ok, report: (await reply.json()) as Record<string, unknown> }
    },
    catch: () => new Unhealthy({ message: `${url} does not answer; start it with: sightline serve` }),
  })
  yield* print(input.json, report, [Object.values(report).join(", ")])
  if (!ok) return yield* new Unhealthy({ message: `${url} is not ready` })
})
