import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { makeSigner } from "../../http/signing.ts"
import { baseOf, Settings } from "../../Settings.ts"
import type { Place } from "../document.ts"
import { anchorOf } from "./places.ts"

/** How long a link works, in seconds. */
export const LINK_SECONDS = 24 * 60 * 60

/** Ends are on the hour, so that a document asked for twice has the same address. */
const HOUR = 60 * 60

/** What opens at the link: a place, and the passage that is marked there, by offsets in the document's text. */
export interface Passage {
  readonly place?: Place | undefined
  readonly start?: number | undefined
  readonly end?: number | undefined
}

/** What a link opens: a document, or a deal's record. */
export type Viewed = "documents" | "deals"

/** Links that open a page of the viewer, without a key: they carry whose it is, until when, and a signature over both. */
export class ViewerLinks extends Context.Service<
  ViewerLinks,
  {
    /** Works for `LINK_SECONDS`, and for an hour more at most. */
    readonly url: (org: string, id: string, passage?: Passage) => Effect.Effect<string>
    /** The same of a deal; offsets are those of its record's text: see `DealRecords`. */
    readonly dealUrl: (org: string, id: string, passage?: Passage) => Effect.Effect<string>
    /** Whose page the link opens; `forged`: we did not sign it; `expired`: we did, for a time that is over. */
    readonly verify: (
      id: string,
      query: URLSearchParams,
      viewed?: Viewed,
    ) => Effect.Effect<{ readonly org: string } | "forged" | "expired">
  }
>()("sightline/library/ViewerLinks") {
  static readonly layer = Layer.effect(
    ViewerLinks,
    Effect.gen(function* () {
      const base = baseOf((yield* Settings).publicUrl)
      const signer = yield* makeSigner
      const signedUrl = (viewed: Viewed) =>
        Effect.fnUntraced(function* (org: string, id: string, { place, start, end }: Passage = {}) {
          const now = Math.floor((yield* Clock.currentTimeMillis) / 1000)
          const expires = Math.ceil((now + LINK_SECONDS) / HOUR) * HOUR
          const query = yield* signer.query(`viewer/${viewed}`, org, id, expires)
          if (start !== undefined) query.set("start", String(start))
          if (end !== undefined) query.set("end", String(end))
          const anchor = place === undefined ? undefined : anchorOf(place)
          if (anchor !== undefined && start === undefined) query.set("at", anchor)
          const fragment = anchor === undefined ? "" : `#${anchor}`
          // Brackets would end a link in Markdown.
          return `${base}/viewer/${viewed}/${encodeURIComponent(id)}?${query}${fragment}`.replaceAll(
            /[()]/g,
            (bracket) => (bracket === "(" ? "%28" : "%29"),
          )
        })
      return ViewerLinks.of({
        url: signedUrl("documents"),
        dealUrl: signedUrl("deals"),
        verify: (id, query, viewed = "documents") => signer.verify(`viewer/${viewed}`, id, query),
      })
    }),
  )
}
