import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { BaseUrl } from "../../http/BaseUrl.ts"
import { Settings } from "../../http/Settings.ts"
import { QueryLinks } from "../../signing/QueryLinks.ts"
import { type Figure, FigureText } from "./figure.ts"
import { FigureLinks } from "./FigureLinks.ts"

/** In seconds. Links expire on the hour, so that requests within an hour get the same address. */
const HOUR = 60 * 60

export const layerFigureLinks = Layer.effect(
  FigureLinks,
  Effect.gen(function* () {
    const { linkDays } = yield* Settings
    const baseUrl = yield* BaseUrl
    const links = yield* QueryLinks
    return FigureLinks.of({
      url: Effect.fnUntraced(function* (org, { subject, query, row }) {
        const now = (yield* Clock.currentTimeMillis) / 1000
        const expires = Math.ceil(now / HOUR + linkDays * 24) * HOUR
        const figure = JSON.stringify({ subject, query, ...(row !== undefined && { row }) })
        const token = yield* links.token(org, figure, expires)
        return token === undefined ? undefined : { token, url: `${yield* baseUrl.get}/r/${token}` }
      }),
      open: Effect.fnUntraced(function* (token) {
        const opened = yield* links.open(token)
        if (typeof opened === "string") return opened
        const figure = Schema.decodeUnknownOption(FigureText)(opened.query)
        return figure._tag === "None" ? "unknown" : { org: opened.org, figure: figure.value as Figure }
      }),
    })
  }),
)
