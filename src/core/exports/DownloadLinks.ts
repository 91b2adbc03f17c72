import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { BaseUrl } from "../http/addresses/BaseUrl.ts"
import { Links, type Opened, type Refusal } from "../signing/Links.ts"
import type { DatabaseUnavailable } from "../ports/DatabaseUnavailable.ts"

/** Signs links that download an export without a key. A link ends at its time, or earlier with the key that asked for it. */
export class DownloadLinks extends Context.Service<
  DownloadLinks,
  {
    /** `expires` is ISO 8601, rounded down to whole seconds. */
    readonly url: (org: string, id: string, expires: string) => Effect.Effect<string>
    readonly open: (token: string) => Effect.Effect<Opened<"exports"> | Refusal, DatabaseUnavailable>
  }
>()("sightline/exports/DownloadLinks") {
  static readonly layer = Layer.effect(
    DownloadLinks,
    Effect.gen(function* () {
      const baseUrl = yield* BaseUrl
      const links = yield* Links
      return DownloadLinks.of({
        url: Effect.fnUntraced(function* (org, id, expires) {
          const link = { target: "exports", id, expires: Math.floor(Date.parse(expires) / 1000) } as const
          return `${yield* baseUrl.get}/exports/${yield* links.token(org, link)}`
        }),
        open: (token) => links.open(token, ["exports"]),
      })
    }),
  )
}
