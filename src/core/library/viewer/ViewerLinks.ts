import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { BaseUrl } from "../../http/addresses/BaseUrl.ts"
import { Settings } from "../../http/Settings.ts"
import type { DatabaseUnavailable } from "../../ports/DatabaseUnavailable.ts"
import { Links, type Opened, type Refusal } from "../../signing/Links.ts"
import type { PassageToLink } from "../../signing/token.ts"
import { makeAnchor } from "./anchor.ts"

/** In seconds. Links expire on the hour, so that requests within an hour get the same URL. */
const HOUR = 60 * 60

/** A passage that the viewer marks and scrolls to, by offsets in the document's text. */
interface Passage {
  readonly start: number
  readonly end: number
  /** A part of that text with the passage in it. The viewer then finds the words where they are when the link is opened. */
  readonly source?: { readonly text: string; readonly start: number } | undefined
}

const anchored = ({ start, end, source }: Passage): PassageToLink => ({
  start,
  end,
  anchor: source && makeAnchor(source.text, start - source.start, end - source.start),
})

/** The target of a link: a document, or a deal's record. */
export type Viewed = "documents" | "deals"

/**
 * Makes and opens links to the viewer, `/v/{token}`, which need no key. A link expires after `Settings.linkDays` plus at
 * most an hour, or earlier with the key that requested it.
 */
export class ViewerLinks extends Context.Service<
  ViewerLinks,
  {
    readonly url: (org: string, id: string, passage?: Passage) => Effect.Effect<string>
    /** A link to a deal; the offsets of `passage` are in the text of its record: see `DealRecords`. */
    readonly dealUrl: (org: string, id: string, passage?: Passage) => Effect.Effect<string>
    /** A link from an opened page to a document, relative to that page. It ends with the link of the page. */
    readonly within: (opened: Opened<Viewed>, id: string, passage?: Passage) => Effect.Effect<string>
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
          return `${yield* baseUrl.get}/v/${yield* links.token(org, { target, id, expires, passage: passage && anchored(passage) })}`
        })
      return ViewerLinks.of({
        url: linkTo("documents"),
        dealUrl: linkTo("deals"),
        within: (opened, id, passage) =>
          links.within(opened, { target: "documents", id, passage: passage && anchored(passage) }),
        open: (token) => links.open(token, ["documents", "deals"]),
      })
    }),
  )
}
