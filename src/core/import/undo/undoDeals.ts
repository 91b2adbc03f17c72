import * as Effect from "effect/Effect"
import { writeAssociationRows } from "../../intelligence/writing.ts"
import { isSame } from "../../records/isSame.ts"
import {
  type ChangedDeal,
  type DealRow,
  deleteDealRows,
  LINK_NAMES,
  lockDealsToDelete,
  readDeals,
  writeDealRows,
} from "../../records/dealRows.ts"
import { byKind, deleteChangesAfter, History, KIND_NAMES } from "../../records/History.ts"
import { LOCK_DEALS } from "../../records/Store.ts"
import { Outcomes, type Undoing } from "./context.ts"
import { markDeal } from "../../records/log/logDeals.ts"
import type { LoggedDeal } from "../../records/log/Logged.ts"

/** Undoes deals: restores changed ones, removes created ones and creates deleted ones again, as far as nothing touched them since. */
export const undoDeals = Effect.fnUntraced(function* ({ sql, org, now }: Undoing, entries: ReadonlyArray<LoggedDeal>) {
  const outcomes = new Outcomes()
  const created = entries.filter(({ mark, before }) => mark !== undefined && before === undefined)
  const ids = [...new Set(entries.map(({ id }) => id))]
  const createdIds = created.map(({ id }) => id)
  if (createdIds.length > 0) yield* lockDealsToDelete(sql, org, createdIds)
  const present = new Map((yield* readDeals(sql, org, ids, LOCK_DEALS)).map((row) => [row.id, row]))
  const history = new History(now)
  yield* history.load(sql, org, ids)
  const inUse =
    createdIds.length === 0
      ? []
      : yield* sql<{ id: string }>`
    select deal_id as id from documents where org_id = ${org} and deal_id = any(${createdIds}::text[])
    union select deal_id from associations where org_id = ${org} and deal_id = any(${createdIds}::text[])`
  const used = new Set(inUse.map(({ id }) => id))

  const lastKept = byKind(() => new Map<string, number>())
  /** The changes of a deal that the import made are deleted. */
  const keepUntil = (entry: LoggedDeal) => {
    for (const kind of KIND_NAMES) {
      const made = entry[kind] ?? 0
      if (made > 0) lastKept[kind].set(entry.id, history.last(kind, entry.id) - made)
    }
  }

  const removed: Array<string> = []
  const changed: Array<ChangedDeal> = []
  const again: Array<LoggedDeal & { readonly before: DealRow }> = []
  for (const entry of entries) {
    const { id, mark, before } = entry
    if (outcomes.keeps(id)) continue
    const row = present.get(id)
    if (mark === undefined) {
      if (row === undefined) again.push({ ...entry, before: before! })
      else outcomes.keep("deal", id, "created_again")
    } else if (row === undefined) outcomes.keep("deal", id, "deleted_later")
    else if (markDeal(row, history) !== mark) outcomes.keep("deal", id, "changed_later")
    else if (before === undefined) {
      if (used.has(id)) outcomes.keep("deal", id, "in_use")
      else {
        removed.push(id)
        present.delete(id)
      }
    } else {
      const links = new Set(LINK_NAMES.filter((link) => !isSame(row[link], before[link])))
      changed.push({ row: before, isNew: false, links })
      keepUntil(entry)
    }
  }
  for (const { before } of again) {
    changed.push({ row: before, isNew: true, links: new Set(LINK_NAMES.filter((link) => before[link].length > 0)) })
  }
  for (const kind of KIND_NAMES) {
    history.addAll(
      kind,
      again.flatMap(({ had }) => had?.[kind] ?? []),
    )
  }

  yield* deleteDealRows({ sql, org }, removed)
  for (const kind of KIND_NAMES) yield* deleteChangesAfter(sql, org, kind, lastKept[kind])
  yield* writeDealRows(sql, org, changed, history)
  const associations = again.flatMap(({ had }) => had?.associations ?? [])
  if (associations.length > 0) {
    yield* writeAssociationRows(sql, org, { changed: associations, deleted: [], formerDeals: [] })
  }
  for (const { id, had } of again) if ((had?.documents ?? 0) > 0) outcomes.keep("deal", id, "documents_lost")
  outcomes.removed = removed.length
  outcomes.recreated = again.length
  outcomes.restored = changed.length - again.length
  return outcomes
})
