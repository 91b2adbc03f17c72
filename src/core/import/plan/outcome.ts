import { type TableRow, textOf } from "../table/Table.ts"
import type { ImportPlan } from "./ImportPlan.ts"
import { readStage } from "../../records/values/stageWords.ts"

const YES = /^(?:true|yes|y|1|ja|wahr|oui|vrai|sí|si|verdadero)$/i
const DELETED = /^(?:deleted|gelöscht|supprimée?|eliminad[oa])$/i

/** Whether the row says that its record is in the CRM's recycle bin: Salesforce's ISDELETED, or Pipedrive's status. */
export const isDeleted = ({ deletedCell, outcomeCell }: ImportPlan, { cells }: TableRow): boolean => {
  const textAt = (cell: number | undefined) => (cell === undefined ? "" : textOf(cells[cell] ?? "").trim())
  return YES.test(textAt(deletedCell)) || DELETED.test(textAt(outcomeCell))
}

/** A deal that has ended has its outcome as the stage, and the stage in which it ended as the one before. */
export const decideOutcome = (record: Record<string, unknown>, outcome: string): void => {
  const { status } = record
  const { category } = readStage(outcome)
  if (category === "open") {
    if (status == null && outcome !== "") record["status"] = outcome
  } else if (typeof status !== "string" || readStage(status).category !== category) {
    record["status"] = outcome
    if (status != null) record["previous_status"] ??= status
  }
}
