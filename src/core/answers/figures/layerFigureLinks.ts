import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import { isArrayNonEmpty as isNonEmpty } from "effect/Array"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Base64Url from "effect/encoding/Base64Url"
import { BoundedCache } from "../../common/BoundedCache.ts"
import { BaseUrl } from "../../http/addresses/BaseUrl.ts"
import { CurrentRequest } from "../../http/CurrentRequest.ts"
import { Settings } from "../../http/Settings.ts"
import { Links } from "../../signing/Links.ts"
import { Database } from "../../storage/Database.ts"
import { utc } from "../../storage/sql.ts"
import { AnsweredText, type Figure, FigureText, type ReportRows, writeAnswered } from "./figure.ts"
import { FigureLinks } from "./FigureLinks.ts"

/** In seconds. Links expire on the hour, so that the same answer within an hour has the same address and is stored once. */
const HOUR = 60 * 60
/** In UTF-8 bytes, as JSON. */
const MAX_QUERY_BYTES = 8192
/** Figures stored for an organization. Beyond it, the oldest are deleted, and their links open nothing. */
export const MAX_FIGURES = 100_000
/** Figures that this process knows to be stored. */
const MAX_KNOWN = 10_000

interface FigureRow {
  readonly id: string
  readonly key_id: string | null
  readonly query: string
  readonly answered: string
  readonly expires_at: Date
}

/** The figures of an answer that is not complete yet. */
interface Answer {
  readonly rows: Map<string, FigureRow>
  /** Whether its figures could not be stored. */
  readonly isWithoutLinks: boolean
}
const CurrentAnswer = Context.Reference<Answer | undefined>("sightline/answers/CurrentAnswer", {
  defaultValue: () => undefined,
})

interface ReadRow {
  readonly query: string
  readonly answered: string | null
  readonly at: string | null
  readonly timezone: string
  readonly state: string
}

export const layerFigureLinks = Layer.effect(
  FigureLinks,
  Effect.gen(function* () {
    const { linkDays } = yield* Settings
    const baseUrl = yield* BaseUrl
    const links = yield* Links
    const { sql, scoped, transaction } = yield* Database
    const known = new BoundedCache<string, true>(MAX_KNOWN)
    /** An answer's rows cite the same report. */
    const rows = new WeakMap<ReportRows["report"], Map<string, FigureRow>>()

    /** Returns whether all are stored. The answer is worth more than its links: on a full disk it has none. */
    const store = Effect.fnUntraced(
      function* (org: string, given: ReadonlyArray<FigureRow>) {
        const some = given.filter(({ id }) => known.get(`${org} ${id}`) === undefined)
        const values = some.map((row) => ({ org_id: org, ...row }))
        if (!isNonEmpty(values)) return true
        yield* transaction(
          org,
          Effect.gen(function* () {
            yield* sql`insert into figures ${sql.insert(values)} on conflict (org_id, id) do nothing`
            // Every 64th figure counts the others.
            if (some.some(({ id }) => id.startsWith("A")))
              yield* sql`
              delete from figures where org_id = ${org} and id in (
                select id from figures where org_id = ${org} order by created_at desc, id offset ${MAX_FIGURES})`
          }),
        )
        for (const { id } of some) known.set(`${org} ${id}`, true)
        return true
      },
      Effect.catchTag("DatabaseUnavailable", () => Effect.succeed(false)),
    )

    const expiresAt = Effect.map(Clock.currentTimeMillis, (now) => Math.ceil(now / 1000 / HOUR + linkDays * 24) * HOUR)

    /** Undefined if the query is too long. */
    const rowFor = Effect.fnUntraced(function* ({ figure: { subject, query }, ...rest }: ReportRows) {
      const { keyId = null } = yield* CurrentRequest
      const expires = yield* expiresAt
      const text = JSON.stringify({ subject, query })
      const made = rows.get(rest.report)
      const name = `${keyId} ${expires} ${rest.currency} ${text}`
      const before = made?.get(name)
      if (before !== undefined) return before
      if (new TextEncoder().encode(text).length > MAX_QUERY_BYTES) return undefined
      const answered = writeAnswered({ figure: { subject, query }, ...rest })
      const whole = new TextEncoder().encode(JSON.stringify([keyId, text, answered, expires]))
      const digest = yield* Effect.promise(() => crypto.subtle.digest("SHA-256", whole))
      const id = Base64Url.encode(new Uint8Array(digest))
      const row: FigureRow = { id, key_id: keyId, query: text, answered, expires_at: new Date(expires * 1000) }
      rows.set(rest.report, (made ?? new Map<string, FigureRow>()).set(name, row))
      return row
    })

    return FigureLinks.of({
      url: Effect.fnUntraced(function* (org, reportRows, at) {
        const answer = yield* CurrentAnswer
        if (answer?.isWithoutLinks === true) return undefined
        const row = yield* rowFor(reportRows)
        if (row === undefined) return undefined
        if (answer !== undefined) answer.rows.set(row.id, row)
        else if (!(yield* store(org, [row]))) return undefined
        const token = yield* links.token(org, {
          target: "figures",
          id: row.id,
          expires: row.expires_at.getTime() / 1000,
          passage: at === undefined ? undefined : { start: at, end: at + 1 },
        })
        return { token, url: `${yield* baseUrl.get}/r/${token}` }
      }),
      keep: Effect.fnUntraced(function* (org, reports) {
        const found = yield* Effect.forEach(reports, rowFor)
        yield* store(
          org,
          found.filter((row) => row !== undefined),
        )
      }),
      together: <A, E, R>(org: string, answer: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
        Effect.gen(function* () {
          // An outer answer stores the figures.
          if ((yield* CurrentAnswer) !== undefined) return yield* answer
          const current: Answer = { rows: new Map(), isWithoutLinks: false }
          const answered = yield* Effect.provideService(answer, CurrentAnswer, current)
          if (yield* store(org, [...current.rows.values()])) return answered
          return yield* Effect.provideService(answer, CurrentAnswer, { rows: new Map(), isWithoutLinks: true })
        }),
      open: (token) => links.open(token, ["figures", "reports"]),
      read: Effect.fnUntraced(function* ({ org, id, target, passage }) {
        const [row] = yield* scoped<ReadRow>(
          org,
          sql`select f.query, ${sql.literal(target === "figures" ? `f.answered, ${utc("f.created_at")} as at` : "null as answered, null as at")},
              o.timezone, json_build_array(o.currency, o.fiscal_start,
                (select c.last::text from change_feeds c where c.org_id = scope.org))::text as state
            from ${sql.literal(target === "figures" ? "figures" : "cited_reports")} f join organizations o on o.id = scope.org
            where f.org_id = scope.org and f.id = ${id}`,
        )
        const figure = Option.getOrUndefined(decodeFigure(row?.query))
        if (row === undefined || figure === undefined) return undefined
        const said = Option.getOrUndefined(decodeAnswered(row.answered))
        return {
          figure: { ...(figure as Figure), row: passage?.start },
          answered: passage === undefined ? said?.totals : said?.rows[passage.start],
          currency: said?.currency,
          answeredAt: row.at ?? undefined,
          timezone: row.timezone,
          state: row.state,
        }
      }),
    })
  }),
)

const decodeFigure = Schema.decodeUnknownOption(FigureText)
const decodeAnswered = Schema.decodeUnknownOption(AnsweredText)
