import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { makeSigner } from "../http/signing.ts"
import { baseOf, Settings } from "../Settings.ts"

const LABEL = "exports"

/** Links that download an export without a key, until a time. */
export class DownloadLinks extends Context.Service<
  DownloadLinks,
  {
    /** `expires` in ISO 8601; a link lives in whole seconds. */
    readonly url: (org: string, id: string, expires: string) => Effect.Effect<string>
    readonly verify: (
      id: string,
      query: URLSearchParams,
    ) => Effect.Effect<{ readonly org: string } | "forged" | "expired">
  }
>()("sightline/exports/DownloadLinks") {
  static readonly layer = Layer.effect(
    DownloadLinks,
    Effect.gen(function* () {
      const base = baseOf((yield* Settings).publicUrl)
      const signer = yield* makeSigner
      return DownloadLinks.of({
        url: (org, id, expires) =>
          Effect.map(
            signer.query(LABEL, org, id, Math.floor(Date.parse(expires) / 1000)),
            (query) => `${base}/exports/${id}?${query}`,
          ),
        verify: (id, query) => signer.verify(LABEL, id, query),
      })
    }),
  )
}
