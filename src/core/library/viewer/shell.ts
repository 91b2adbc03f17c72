import * as Effect from "effect/Effect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { ICON_LINK } from "../../http/replies/icon.ts"
import { policy, SCRIPT, STYLE } from "./assets.ts"
import { Html, markup } from "./html.ts"

/** Renders a page of the viewer. Its URL is a secret: the headers keep it out of caches, search engines and referrers. */
export const page = (
  status: number,
  title: string,
  body: Html,
  {
    parts = 1,
    at,
    script = false,
  }: { readonly parts?: number; readonly at?: string | undefined; readonly script?: boolean } = {},
) =>
  Effect.map(policy, (allowed) =>
    HttpServerResponse.text(
      markup`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title} · Sightline</title>${new Html(ICON_LINK)}<style>${new Html(STYLE)}</style></head>
<body data-parts="${parts}"${at !== undefined && markup` data-at="${at}"`}>${body}${script && markup`<script>${new Html(SCRIPT)}</script>`}</body></html>
`.markup,
      {
        status,
        contentType: "text/html; charset=utf-8",
        headers: {
          "cache-control": "no-store",
          "content-security-policy": allowed,
          "referrer-policy": "no-referrer",
          "x-content-type-options": "nosniff",
          "x-robots-tag": "noindex, nofollow",
        },
      },
    ),
  )

const notice = (status: number, title: string, remedy: string) =>
  page(status, title, markup`<main><h1>${title}</h1><p>${remedy}</p></main>`)

/** The same page for missing documents, documents of others and forged links. */
export const notFoundPage = notice(
  404,
  "This link does not work",
  "It may be incomplete, or the document was deleted. Copy the whole link again from where you found it.",
)

const expiredPage = notice(
  410,
  "This link has expired",
  "Links to documents work for a few days. Request the document again and open the new link.",
)

const revokedPage = notice(
  410,
  "This link no longer works",
  "The API key behind it was revoked or has expired. Request the document again and open the new link.",
)

/** The pages of links that do not open, by the reason. */
export const REFUSAL_PAGES = { unknown: notFoundPage, expired: expiredPage, revoked: revokedPage }

export const busyPage = notice(
  429,
  "Many people are opening this page",
  "The server computes it once for all of them. Open it again in some seconds.",
)

export const unavailablePage = notice(
  503,
  "The document is not available now",
  "The store of documents is unreachable. Try again in a moment.",
)
