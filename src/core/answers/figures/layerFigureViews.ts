import { chunksOf } from "effect/Array"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Hex from "effect/encoding/Hex"
import { type Act, recordActs } from "../../audit/recordAct.ts"
import { actorOf } from "../../access/permissions.ts"
import { CurrentRequest } from "../../http/CurrentRequest.ts"
import { Background } from "../../jobs/Background.ts"
import { Database } from "../../storage/Database.ts"
import { FigureViews } from "./FigureViews.ts"

const FLUSH_SECONDS = 60
/** Figures that are counted apart between two flushes. Views of others have one entry an organization. */
const MAX_FIGURES = 10_000
/** Rows of one statement. */
const MAX_ROWS = 500

interface Viewed {
  readonly figure: string | null
  readonly title: string | undefined
  readonly keyHash: Uint8Array | undefined
  views: number
  /** The request and address of the last view. */
  requestId: string
  address: string | undefined
}

type Counted = Map<string, Map<string, Viewed>>

export const layerFigureViews = Layer.effect(
  FigureViews,
  Effect.gen(function* () {
    const { sql, transaction } = yield* Database
    const background = yield* Background
    let counted: Counted = new Map()
    let figures = 0

    const add = (org: string, { views, ...viewed }: Viewed) => {
      const ofOrganization = counted.get(org) ?? new Map<string, Viewed>()
      const isCounted = ofOrganization.has(viewed.figure ?? "")
      const isApart = isCounted || figures < MAX_FIGURES
      const entry = isApart ? viewed : { ...viewed, figure: null, title: undefined, keyHash: undefined }
      const before = ofOrganization.get(entry.figure ?? "")
      ofOrganization.set(entry.figure ?? "", { ...entry, views: views + (before?.views ?? 0) })
      counted.set(org, ofOrganization)
      if (isApart && !isCounted) figures++
    }

    const write = (org: string, viewed: ReadonlyArray<Viewed>) =>
      transaction(
        org,
        Effect.gen(function* () {
          const views = viewed.reduce((sum, each) => sum + each.views, 0)
          const written = yield* sql`
            update organization_usage set
              link_views = case when link_month = month_of(clock_ms()) then link_views else 0 end + ${views}::int,
              link_month = month_of(clock_ms())
            where org_id = ${org} returning org_id`
          // The organization was erased.
          if (written.length === 0) return
          const hashes = viewed.flatMap(({ keyHash }) => (keyHash === undefined ? [] : [keyHash]))
          const keys = yield* sql<{ id: string; identity: string | null; name: string; hash: Uint8Array }>`
            select id, identity, name, link_hash(id) as hash from api_keys
            where org_id = ${org} and link_hash(id) = any(${hashes}::bytea[])`
          const actors = new Map(
            keys.map(({ id, identity, name, hash }) => [
              Hex.encode(new Uint8Array(hash)),
              actorOf(id, identity === null ? undefined : { id: identity, name }),
            ]),
          )
          const acts = viewed.map(({ figure, title, keyHash, views, requestId, address }): Act => ({
            action: "link.viewed",
            target: figure,
            details: { views, ...(title !== undefined && { report: title }) },
            actor: (keyHash && actors.get(Hex.encode(keyHash))) ?? null,
            requestId,
            address,
          }))
          yield* Effect.forEach(chunksOf(acts, MAX_ROWS), (some) => recordActs(sql, org, some), { discard: true })
        }),
      ).pipe(
        Effect.catchTag("DatabaseUnavailable", () => Effect.sync(() => viewed.forEach((each) => add(org, each)))),
        Effect.catchCause((cause) => Effect.logWarning("could not write views of figures to the audit log", cause)),
      )

    const flush = Effect.suspend(() => {
      const taken = counted
      counted = new Map()
      figures = 0
      return Effect.forEach(taken, ([org, viewed]) => write(org, [...viewed.values()]), { discard: true })
    })
    yield* background.chore({ name: "views of figures", everySeconds: FLUSH_SECONDS, run: flush, isLocal: true })
    yield* Effect.addFinalizer(() => flush)

    return FigureViews.of({
      count: ({ org, id: figure, keyHash }, title) =>
        Effect.map(CurrentRequest, ({ id: requestId, address }) =>
          add(org, { figure, title, keyHash, views: 1, requestId, address }),
        ),
      flush: () => flush,
    })
  }),
)
