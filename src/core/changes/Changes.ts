import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { type BadRequest, Gone, type NotFound } from "../http/errors/errors.ts"
import { badRequest } from "../http/validation/validation.ts"
import type { DatabaseUnavailable } from "../ports/DatabaseUnavailable.ts"
import { Database } from "../storage/Database.ts"
import { inOrganization, requireOrganization } from "../storage/inOrganization.ts"
import { type Change, CHANGE_TYPE_NAMES, type ChangeType, DELETIONS_KEPT_DAYS } from "./contract.ts"
import { type ChangesPage, followChanges } from "./followChanges.ts"
import { type Cursor, decodeCursor, encodeCursor } from "./cursor.ts"
import { type ChangeRow, type FeedRow, selectFeed } from "./sql.ts"

export interface ChangesQuery {
  /** A cursor of an earlier page, or `now`; undefined: from the beginning. */
  readonly since: string | undefined
  /** In the order of `CHANGE_TYPE_NAMES`. */
  readonly types: ReadonlyArray<string>
  readonly size: number
  /** `watermark` of the first page, to read several pages up to the same point. */
  readonly until?: string | undefined
  /** Accepts a cursor older than the kept deletions, so the reader may miss some. */
  readonly allowMissedDeletions?: boolean
}

export interface ChangesStreamQuery {
  /** `cursor` of a change, `next` of a page, or `now`; undefined: from the beginning, which lists everything that exists. */
  readonly since?: string | undefined
  /** By default, every type. A cursor is for the types that it was read with. */
  readonly types?: ReadonlyArray<ChangeType> | undefined
}

/** Reads the change feed. Writers record each change in its own transaction (`storage/recordChanges.ts`). */
export class Changes extends Context.Service<
  Changes,
  {
    /** One page of the feed. */
    readonly page: (
      org: string,
      query: ChangesQuery,
    ) => Effect.Effect<ChangesPage, BadRequest | Gone | NotFound | DatabaseUnavailable>
    /**
     * The changes after `since`, and then each one soon after its commit: at once in this process, within 5 s from another. Endless.
     * At least once: keep `cursor` of the last change that was handled, and start from it again. Fails with Gone if a cursor is older
     * than the kept deletions, and with DatabaseUnavailable after an outage of five minutes.
     */
    readonly stream: (
      org: string,
      query?: ChangesStreamQuery,
    ) => Stream.Stream<Change, BadRequest | Gone | NotFound | DatabaseUnavailable>
  }
>()("sightline/changes/Changes") {
  static readonly layer = Layer.effect(
    Changes,
    Effect.gen(function* () {
      const database = yield* Database
      const { sql } = database
      const page: Changes["Service"]["page"] = Effect.fn("Changes.page")(function* (
        org,
        { since, types: queried, size, until, allowMissedDeletions = false },
      ) {
        const types = queried.join()
        const cursor = since === "now" ? undefined : since
        const after = cursor === undefined ? undefined : decodeCursor(cursor)
        if (cursor !== undefined && after?.types !== types) return yield* rejectCursor(after)
        const [row] = yield* database.scoped<FeedRow>(
          org,
          selectFeed(sql, after ?? BEGINNING, { types: queried, size: since === "now" ? 0 : size, until }),
        )
        if (row === undefined) return yield* Effect.die("the feed did not answer")
        if (after !== undefined && isStale(after, row, allowMissedDeletions)) return yield* cursorExpired
        const watermark = until ?? row.watermark
        return toPage(since === "now" ? [] : row.changes, { size, watermark, from: after?.from ?? watermark, types })
      })

      return Changes.of({
        page,
        stream: (org, { since, types = CHANGE_TYPE_NAMES } = {}) => {
          const sorted = CHANGE_TYPE_NAMES.filter((type) => types.includes(type))
          // The organization may be erased meanwhile.
          const exists = requireOrganization(database, org)
          return followChanges(org, since, (since) =>
            Effect.map(Effect.andThen(exists, page(org, { since, types: sorted, size: STREAM_PAGE_SIZE })), (read) => ({
              ...read,
              changes: dropUpdatesOfCreated(read.changes),
            })),
          )
        },
      })
    }).pipe(inOrganization),
  )
}

/** Changes per query of `stream`. */
const STREAM_PAGE_SIZE = 500

const BEGINNING = { sequence: "0", type: "", id: "" }

/** Drops updates of things created in the same page: a reader fetches the current state after the creation. */
export const dropUpdatesOfCreated = (changes: ReadonlyArray<Change>) => {
  const created = new Set<string>()
  return changes.filter(({ type, id, action }) => {
    if (action === "created") created.add(`${type} ${id}`)
    return action !== "updated" || !created.has(`${type} ${id}`)
  })
}

/** The first `size` rows as a page, which has more if there are more rows. */
const toPage = (
  rows: ReadonlyArray<ChangeRow>,
  bounds: { readonly size: number; readonly watermark: string; readonly from: string; readonly types: string },
): ChangesPage => {
  const { size, watermark, from, types } = bounds
  const changes = rows.slice(0, size)
  const hasMore = rows.length > size
  const cursorOf = ({ sequence, type, id }: ChangeRow) => encodeCursor({ sequence, type, id, from, types })
  const last = hasMore ? changes.at(-1) : undefined
  return {
    changes: changes.map((change) => toChange(change, cursorOf(change))),
    next:
      last === undefined
        ? encodeCursor({ sequence: watermark, type: "", id: "", from: watermark, types })
        : cursorOf(last),
    hasMore,
    reached: last?.sequence ?? watermark,
    watermark,
  }
}

const toChange = (
  { type, id, action, changed_at, status, deal_id, feature_id }: ChangeRow,
  cursor: string,
): Change => ({
  type,
  id,
  action,
  ...(status !== null && { status }),
  ...(deal_id !== null && feature_id !== null && { deal_id, feature_id }),
  changed_at,
  cursor,
})

/** The cursor may miss deletions that are no longer kept, or lies beyond the feed because the database was restored to an earlier state. */
const isStale = ({ sequence, from }: Cursor, { watermark, horizon }: FeedRow, allowMissedDeletions: boolean) =>
  BigInt(from) > BigInt(watermark) ||
  BigInt(sequence) > BigInt(watermark) ||
  (!allowMissedDeletions && horizon !== null && BigInt(from) <= BigInt(horizon))

const rejectCursor = (cursor: Cursor | undefined) =>
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

const cursorExpired = new Gone({
  message: `this cursor has expired, because deletions are kept for ${DELETIONS_KEPT_DAYS} days; start over without 'since'`,
})
