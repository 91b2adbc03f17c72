import { readStage } from "../../records/values/stageWords.ts"

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
