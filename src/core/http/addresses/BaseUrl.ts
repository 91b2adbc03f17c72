import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Settings } from "../Settings.ts"
import { CurrentRequest } from "../CurrentRequest.ts"
import { CallerPath } from "./CallerPath.ts"

/**
 * The start of every link: scheme, host and mount path, without a trailing slash. It is the public address, else the address
 * that the server listens on, else (embedded in a host's own server) the origin of the current request and the base path.
 */
export class BaseUrl extends Context.Service<
  BaseUrl,
  {
    readonly get: Effect.Effect<string>
    /** The start of addresses of the API that work for the caller of the current request. */
    readonly forCaller: Effect.Effect<string>
    /** The address that all requests share. Undefined if a host mounts the service without `publicUrl`. */
    readonly known: Effect.Effect<string | undefined>
    /** A server calls this once it listens; with port 0 it does not know its address earlier. */
    readonly listensAt: (url: string) => void
  }
>()("sightline/http/BaseUrl") {
  static readonly layer = Layer.effect(
    BaseUrl,
    Effect.gen(function* () {
      const { publicUrl, basePath } = yield* Settings
      let known = publicUrl?.replace(/\/+$/, "")
      const get = Effect.map(CurrentRequest, ({ origin }) => known ?? `${origin() ?? UNKNOWN_ORIGIN}${basePath}`)
      return BaseUrl.of({
        get,
        forCaller: Effect.zipWith(get, CallerPath, (base, path) => base + path),
        known: Effect.sync(() => known),
        listensAt: (url) => {
          known ??= url
        },
      })
    }),
  )
}

/** The origin if a host calls services in its own process, without a request and without `publicUrl`. */
const UNKNOWN_ORIGIN = "http://localhost"
