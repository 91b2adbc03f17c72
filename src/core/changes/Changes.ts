import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type BadRequest, Gone } from "../http/errors.ts"
import { badRequest } from "../http/validation.ts"
import type { DatabaseUnavailable } from "../ports/DatabaseUnavailable.ts"
import { Database } from "../storage/Database.ts"
import { type Change, DELETIONS_KEPT_DAYS } from "./contract.ts"
import { type Cursor, decodeCursor, encodeCursor } from "./cursor.ts"
import { type ChangeRow, type FeedRow, feedOf } from "./sql.ts"

export interface Asked {
  /** A cursor of an earlier reply; `now`; undefined: from the beginning. */
  readonly since: string | undefined
  /** In order. */
  readonly types: ReadonlyArray<string>
  readonly size: number
  /** `reached` of the first page, where several are one reading. */
  readonly until?: string | undefined
  /** Reads on though deletions since then are forgotten. */
  readonly despiteForgotten?: boolean
}

export interface Page {
  readonly changes: ReadonlyArray<Change>
  readonly next: string
  readonly hasMore: boolean
  /** Every transaction with a lower number is read. */
  readonly reached: string
  /** The number up to which this was read, or would have been with more pages. */
  readonly watermark: string
}

/** What changed since a cursor. Writers record it in the transaction that changes it (`storage/recordChanges.ts`). */
export class Changes extends Context.Service<
  Changes,
  {
    readonly page: (org: string, asked: Asked) => Effect.Effect<Page, BadRequest | Gone | DatabaseUnavailable>
  }
>()("sightline/changes/Changes") {
  static readonly layer = Layer.effect(
    Changes,
    Effect.gen(function* () {
      const database = yield* Database
      const { sql } = database
      return Changes.of({
        page: Effect.fn("Changes.page")(function* (
          org,
          { since, types: asked, size, until, despiteForgotten = false },
        ) {
          const types = asked.join()
          const after = since === undefined || since === "now" ? undefined : decodeCursor(since)
          if (since !== undefined && since !== "now" && after?.types !== types) return yield* notOfThisFeed(after)
          const [row] = yield* database.scoped<FeedRow>(
            org,
            feedOf(sql, after ?? BEGINNING, { types: asked, size: since === "now" ? 0 : size, until }),
          )
          if (row === undefined) return yield* Effect.die("the feed did not answer")
          if (after !== undefined && isLost(after, row, despiteForgotten)) return yield* tooOld
          const watermark = until ?? row.watermark
          const from = after?.from ?? watermark
          const changes = since === "now" ? [] : row.changes.slice(0, size)
          const hasMore = since !== "now" && row.changes.length > size
          const cursorOf = ({ sequence, type, id }: ChangeRow) => encodeCursor({ sequence, type, id, from, types })
          const last = hasMore ? changes.at(-1) : undefined
          return {
            changes: changes.map((change) => shown(change, cursorOf(change))),
            next:
              last === undefined
                ? encodeCursor({ sequence: watermark, type: "", id: "", from: watermark, types })
                : cursorOf(last),
            hasMore,
            reached: last?.sequence ?? watermark,
            watermark,
          }
        }),
      })
    }),
  )
}

const BEGINNING = { sequence: "0", type: "", id: "" }

/** Who reads of a creation looks at the thing afterwards: that it changed later in the same page is no news. */
export const toldOnce = (changes: ReadonlyArray<Change>) => {
  const created = new Set<string>()
  return changes.filter(({ type, id, action }) => {
    if (action === "created") created.add(`${type} ${id}`)
    return action !== "updated" || !created.has(`${type} ${id}`)
  })
}

const shown = ({ type, id, action, changed_at, status, deal_id, feature_id }: ChangeRow, cursor: string): Change => ({
  type,
  id,
  action,
  ...(status !== null && { status }),
  ...(deal_id !== null && feature_id !== null && { deal_id, feature_id }),
  changed_at,
  cursor,
})

/** A number that the feed has not come to is of a database that was restored to an earlier state since. */
const isLost = ({ sequence, from }: Cursor, { watermark, horizon }: FeedRow, despiteForgotten: boolean) =>
  BigInt(from) > BigInt(watermark) ||
  BigInt(sequence) > BigInt(watermark) ||
  (!despiteForgotten && horizon !== null && BigInt(from) <= BigInt(horizon))

const notOfThisFeed = (cursor: Cursor | undefined) =>
  badRequest({
    invalid: [
      {
        field: "since",
        reason:
          cursor === undefined
            ? "must be a cursor of this feed, or `now`"
            : `must be a cursor for the same types; this one is for ${cursor.types.replaceAll(",", ", ")}`,
      },
    ],
  })

const tooOld = new Gone({
  message: `this cursor has expired, because deletions are kept for ${DELETIONS_KEPT_DAYS} days; start over without 'since'`,
})
