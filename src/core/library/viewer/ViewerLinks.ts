import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { BaseUrl } from "../../http/BaseUrl.ts"
import { Settings } from "../../http/Settings.ts"
import type { DatabaseUnavailable } from "../../ports/DatabaseUnavailable.ts"
import { Links, type Opened, type Refusal } from "../../signing/Links.ts"

/** Ends are on the hour, so that a document asked for twice has the same address. */
const HOUR = 60 * 60

/** A passage that is marked, by offsets in the document's text. The viewer opens on it. */
export interface Passage {
  readonly start: number
  readonly end: number
}

/** What a link opens: a document, or a deal's record. */
export type Viewed = "documents" | "deals"

/**
 * Links that open a page of the viewer, without a key: `/v/` and a token. They work for `Settings.linkDays`, and for an
 * hour more at most, and no longer than the key that asked for them.
 */
export class ViewerLinks extends Context.Service<
  ViewerLinks,
  {
    readonly url: (org: string, id: string, passage?: Passage) => Effect.Effect<string>
    /** The same of a deal; offsets are those of its record's text: see `DealRecords`. */
    readonly dealUrl: (org: string, id: string, passage?: Passage) => Effect.Effect<string>
    readonly open: (token: string) => Effect.Effect<Opened<Viewed> | Refusal, DatabaseUnavailable>
  }
>()("sightline/library/ViewerLinks") {
  static readonly layer = Layer.effect(
    ViewerLinks,
    Effect.gen(function* () {
      const { linkDays } = yield* Settings
      const baseUrl = yield* BaseUrl
      const links = yield* Links
      const linkTo = (target: Viewed) =>
        Effect.fnUntraced(function* (org: string, id: string, passage?: Passage) {
          const now = (yield* Clock.currentTimeMillis) / 1000
          const expires = Math.ceil(now / HOUR + linkDays * 24) * HOUR
          return `${yield* baseUrl.get}/v/${yield* links.token(org, { target, id, expires, passage })}`
        })
      return ViewerLinks.of({
        url: linkTo("documents"),
        dealUrl: linkTo("deals"),
        open: (token) => links.open(token, ["documents", "deals"]),
      })
    }),
  )
}
