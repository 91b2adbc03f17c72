import * as Effect from "effect/Effect"
import { type AssociationRow, readAssociations, writeAssociationRows } from "../../intelligence/writing.ts"
import { Outcomes, type Undoing } from "./context.ts"
import { fingerprint } from "../../records/log/fingerprint.ts"
import type { Logged } from "../../records/log/Logged.ts"

export const undoAssociations = Effect.fnUntraced(function* (
  { sql, org }: Undoing,
  entries: ReadonlyArray<Logged<AssociationRow>>,
) {
  const outcomes = new Outcomes()
  const ids = [...new Set(entries.map(({ id }) => id))]
  const present = new Map((yield* readAssociations(sql, org, ids, [], "for update")).map((row) => [row.id, row]))
  const changed: Array<AssociationRow> = []
  const deleted: Array<string> = []
  const formerDeals: Array<string> = []
  for (const { id, mark, before } of entries) {
    if (outcomes.keeps(id)) continue
    const row = present.get(id)
    if (mark === undefined) {
      if (row === undefined) {
        changed.push(before!)
        outcomes.recreated++
      } else outcomes.keep("association", id, "created_again")
    } else if (row === undefined) outcomes.keep("association", id, "deleted_later")
    else if (fingerprint(row) !== mark) outcomes.keep("association", id, "changed_later")
    else {
      formerDeals.push(row.deal_id)
      if (before === undefined) {
        deleted.push(id)
        present.delete(id)
        outcomes.removed++
      } else {
        changed.push(before)
        outcomes.restored++
      }
    }
  }
  yield* writeAssociationRows(sql, org, { changed, deleted, formerDeals })
  return outcomes
})
