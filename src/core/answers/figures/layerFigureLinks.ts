import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as Base64Url from "effect/encoding/Base64Url"
import { BoundedCache } from "../../common/BoundedCache.ts"
import { BaseUrl } from "../../http/BaseUrl.ts"
import { Settings } from "../../http/Settings.ts"
import { Links } from "../../signing/Links.ts"
import { Database } from "../../storage/Database.ts"
import { FigureText } from "./figure.ts"
import { type Figure, FigureLinks } from "./FigureLinks.ts"

/** In seconds. Links expire on the hour, so that requests within an hour get the same address. */
const HOUR = 60 * 60
/** In UTF-8 bytes, as JSON. */
const MAX_QUERY_BYTES = 8192
/** Queries stored for an organization. Beyond it, those that expire first are deleted, and their links open nothing. */
const MAX_QUERIES = 20_000
/** Queries that this process knows to be stored, so that a repeated question writes nothing within the hour. */
const MAX_KNOWN = 10_000

export const layerFigureLinks = Layer.effect(
  FigureLinks,
  Effect.gen(function* () {
    const { linkDays } = yield* Settings
    const baseUrl = yield* BaseUrl
    const links = yield* Links
    const { sql, scoped, transaction } = yield* Database
    const known = new BoundedCache<string, true>(MAX_KNOWN)

    const store = Effect.fnUntraced(function* (org: string, id: string, query: string, expires: number) {
      const entry = `${org} ${id} ${expires}`
      if (known.get(entry) !== undefined) return
      const until = new Date(expires * 1000)
      yield* transaction(
        org,
        Effect.gen(function* () {
          const written = yield* sql`
            insert into cited_reports as r (org_id, id, query, expires_at) values (${org}, ${id}, ${query}, ${until})
            on conflict (org_id, id) do update set expires_at = excluded.expires_at where r.expires_at < excluded.expires_at
            returning id`
          // Every 64th query counts the others.
          if (written.length > 0 && id.startsWith("A"))
            yield* sql`
              delete from cited_reports where org_id = ${org} and id in (
                select id from cited_reports where org_id = ${org} order by expires_at desc, id offset ${MAX_QUERIES})`
        }),
      )
      known.set(entry, true)
    })

    return FigureLinks.of({
      url: Effect.fnUntraced(function* (org, { subject, query, row }) {
        const now = (yield* Clock.currentTimeMillis) / 1000
        const expires = Math.ceil(now / HOUR + linkDays * 24) * HOUR
        const text = JSON.stringify({ subject, query })
        const bytes = new TextEncoder().encode(text)
        if (bytes.length > MAX_QUERY_BYTES) return undefined
        const digest = yield* Effect.promise(() => crypto.subtle.digest("SHA-256", bytes))
        const id = Base64Url.encode(new Uint8Array(digest))
        const passage = row === undefined ? undefined : { start: row, end: row + 1 }
        return yield* store(org, id, text, expires).pipe(
          Effect.andThen(links.token(org, { target: "reports", id, expires, passage })),
          Effect.flatMap((token) => Effect.map(baseUrl.get, (base) => ({ token, url: `${base}/r/${token}` }))),
          // The answer is worth more than its link: on a full disk it has none.
          Effect.catchTag("DatabaseUnavailable", () => Effect.undefined),
        )
      }),
      open: Effect.fnUntraced(function* (token) {
        const opened = yield* links.open(token, ["reports"])
        if (typeof opened === "string") return opened
        const { org, id, passage } = opened
        const [stored] = yield* scoped<{ readonly query: string }>(
          org,
          sql`select query from cited_reports where org_id = scope.org and id = ${id}`,
        )
        const figure = Schema.decodeUnknownOption(FigureText)(stored?.query)
        if (figure._tag === "None") return "unknown"
        return { org, figure: { ...(figure.value as Figure), row: passage?.start } }
      }),
    })
  }),
)
