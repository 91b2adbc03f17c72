import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Settings } from "./Settings.ts"
import { CurrentRequest } from "./CurrentRequest.ts"

/**
 * What links start with: scheme, host and the path that the service is mounted at, without a slash at the end. It is the
 * public address, else the address that the server listens on, else (embedded in a host's own server) the origin of the
 * request being answered.
 */
export class BaseUrl extends Context.Service<
  BaseUrl,
  {
    readonly get: Effect.Effect<string>
    /** The same for every request; undefined: a host mounts the service, and has not said where. */
    readonly known: Effect.Effect<string | undefined>
    /** A server calls it once it listens: with port 0 its address is known no sooner. */
    readonly listensAt: (url: string) => void
  }
>()("sightline/http/BaseUrl") {
  static readonly layer = Layer.effect(
    BaseUrl,
    Effect.gen(function* () {
      let known = (yield* Settings).publicUrl?.replace(/\/+$/, "")
      return BaseUrl.of({
        get: Effect.map(CurrentRequest, ({ origin }) => known ?? origin ?? UNKNOWN),
        known: Effect.sync(() => known),
        listensAt: (url) => {
          known ??= url
        },
      })
    }),
  )
}

/** For a host that calls services in its own process, without a request and without `publicUrl`. */
const UNKNOWN = "http://localhost"
