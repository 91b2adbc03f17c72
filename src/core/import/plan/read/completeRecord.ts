import { shorten } from "../../../common/shorten.ts"
import type { Notices } from "../../../records/Notices.ts"
import type { TableRow } from "../../table/Table.ts"
import type { ImportPlan } from "../fields/ImportPlan.ts"
import { decideOutcome, isArchived, isContradicted, isEnd, outcomeOf } from "../cells/outcome.ts"

type Fields = Record<string, unknown>

/** Adds what a row says of its deal in several columns together: its outcome, and its name if no column has that. */
export const completeRecord = (plan: ImportPlan, record: Fields, row: TableRow, notices: Notices): void => {
  settleOutcome(plan, record, row, notices)
  if (plan.isNamedByClient === true) nameByClient(record, row, notices)
}

/** The name that a new deal gets in a file of ids without names. */
export const nameOfNew = ({ namesNew }: ImportPlan, record: Fields): { readonly newName?: string } => {
  const { client, close_date: day } = record
  const hasId = IDS.some((id) => typeof record[id] === "string")
  if (namesNew !== true || !hasId || typeof client !== "string") return {}
  return { newName: typeof day === "string" ? `${client}, ${day}` : client }
}

const IDS = ["id", "crm_one_id", "crm_two_id"]

const nameByClient = (record: Fields, { line }: TableRow, notices: Notices): void => {
  const { client, close_date: day } = record
  if (typeof client !== "string" || typeof day !== "string") return
  const name = `${client}, ${day}`
  const message = `no column names the deals, so each is named after its client and close date, such as '${shorten(name)}': a row whose date changes becomes another deal. Map a column to 'name' if one has the names`
  notices.add("deal_named", { field: "name", line, example: name, message })
  record["name"] = name
}

/** Gives a deal the outcome that its row says apart from the stage, and warns if both disagree or the row says nothing. */
const settleOutcome = (plan: ImportPlan, record: Fields, row: TableRow, notices: Notices): void => {
  const outcome = outcomeOf(plan, row)
  if (outcome === "") return noticeOpen(plan, record, row, notices)
  const { status } = record
  if (isContradicted(status, outcome)) {
    const [a, b] = [shorten(String(status)), shorten(outcome)]
    const message = `rows such as one in the stage '${a}' have another outcome, '${b}': a won or lost outcome counts, else the stage. Correct the one that is wrong`
    notices.add("stage_contradicted", { field: "status", line: row.line, example: `${a}, ${b}`, message })
  }
  decideOutcome(record, outcome)
}

/** Warns of a deal whose row says no end, where columns say ends. */
const noticeOpen = (plan: ImportPlan, { name, status }: Fields, row: TableRow, notices: Notices): void => {
  if (isArchived(plan, row) && !(typeof status === "string" && isEnd(status))) {
    const example = [name, status].filter((each) => typeof each === "string").join(", ")
    notices.add("stage_contradicted", { field: "status", line: row.line, example, message: ARCHIVED })
  } else if (plan.outcomeFlags !== undefined && status === undefined) {
    const example = typeof name === "string" ? name : undefined
    notices.add("stage_missing", { line: row.line, example, message: NO_STAGE })
  }
}

const NO_STAGE =
  "deals that no column calls won or lost are imported without a stage, and a deal that exists keeps its own: add a column with the stages"
const ARCHIVED =
  "deals that are not active, and have no reason of loss, are imported in the stage that they have: write Lost into their stage if they are lost"
