import * as Effect from "effect/Effect"
import { changesDependents, recordDependents } from "../../records/dependents.ts"
import { type EntityRow, deleteEntities, upsertEntities } from "../../records/entityRows.ts"
import type { EntityType } from "../../records/names/kinds.ts"
import { readEntities } from "../../records/Store.ts"
import { Outcomes, type Undoing } from "./context.ts"
import { fingerprint } from "../../records/log/fingerprint.ts"
import type { LoggedEntity } from "../../records/log/Logged.ts"
import { findUsed } from "./findUsed.ts"

/** Undoes stages, owners, clients and other names. One that the import created is removed if nothing else refers to it. */
export const undoEntities = Effect.fnUntraced(function* (
  to: Undoing,
  type: EntityType,
  entries: ReadonlyArray<LoggedEntity>,
) {
  const { sql, org } = to
  const outcomes = new Outcomes()
  const ids = [...new Set(entries.map(({ id }) => id))]
  // With the rows locked, no writer can add a reference before this transaction ends.
  const rows: ReadonlyArray<EntityRow> = yield* readEntities(sql, org, type, ids, "for update")
  const present = new Map(rows.map((row) => [row.id, row]))
  const created: Array<EntityRow> = []
  const restored: Array<EntityRow> = []
  const shown: Array<string> = []
  for (const { id, mark, before } of entries) {
    const row = present.get(id)
    if (row === undefined) outcomes.keep(type, id, "deleted_later")
    else if (fingerprint(row) !== mark) outcomes.keep(type, id, "changed_later")
    else if (before === undefined) created.push(row)
    else {
      restored.push(before)
      if (changesDependents(type, row, before)) shown.push(id)
    }
  }
  const named = new Set(entries.filter((entry) => entry.named === true).map(({ id }) => id))
  const used = yield* findUsed(sql, org, type, created, named)
  for (const { id } of created) if (used.has(id)) outcomes.keep(type, id, "in_use")
  const removed = created.filter(({ id }) => !used.has(id))
  yield* deleteEntities(
    sql,
    org,
    type,
    removed.map(({ id }) => id),
  )
  yield* upsertEntities(to, type, restored)
  yield* recordDependents(sql, org, type, shown)
  outcomes.removed = removed.length
  outcomes.restored = restored.length
  return outcomes
})
