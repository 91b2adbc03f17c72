import { type TableRow, textOf } from "../../table/Table.ts"
import { isPlaceholder } from "./emptyCells.ts"
import type { ImportPlan } from "../fields/ImportPlan.ts"
import { readStage, type StageFlag, type StageReading } from "../../../records/values/stageWords.ts"

/** Lower-case texts of yes and no. */
export const TRUTH: ReadonlyMap<string, boolean | null> = new Map<string, boolean | null>([
  ...[
    "true",
    "yes",
    "1",
    "y",
    "positive",
    "ja",
    "oui",
    "sí",
    "si",
    "wahr",
    "vrai",
    "verdadero",
    "sim",
    "verdadeiro",
    "t",
    "1.0",
    "1,0",
    "x",
    "✓",
    "✔",
    "✔️",
    "✅",
    "☑",
    "checked",
  ].map((text) => [text, true] as const),
  ..."false no 0 n negative nein non falsch faux falso não nao f 0.0 0,0 ✗ ✘ ❌ ☐ unchecked"
    .split(" ")
    .map((text) => [text, false] as const),
  ["neutral", null],
])

export const parseTruth = (text: string) => TRUTH.get(text.toLowerCase())

const DELETED = /^(?:deleted|gelöscht|supprimée?|eliminad[oa])$/i

/** Whether the row says that its record is in the CRM's recycle bin: Salesforce's ISDELETED, or Pipedrive's status. */
export const isDeleted = ({ deletedCell, outcomeCell }: ImportPlan, { cells }: TableRow): boolean => {
  return parseTruth(textAt(cells, deletedCell)) === true || DELETED.test(textAt(cells, outcomeCell))
}

const textAt = (cells: TableRow["cells"], cell: number | undefined): string =>
  cell === undefined ? "" : textOf(cells[cell] ?? "").trim()

/** Whether the row says that its deal is not active, as Odoo does of lost deals. */
export const isArchived = ({ archive }: ImportPlan, { cells }: TableRow): boolean =>
  archive !== undefined && parseTruth(textAt(cells, archive.active)) === false

const isFilledAt = ({ cells }: TableRow, cell: number): boolean => {
  const text = textAt(cells, cell)
  return text !== "" && !isPlaceholder(text)
}

/** The text by which a row says apart from its stage how its deal has ended; empty without one. */
export const outcomeOf = (plan: ImportPlan, row: TableRow): string => {
  if (isArchived(plan, row) && isFilledAt(row, plan.archive!.reason)) return NAMES.lost
  const { outcomeCell, outcomeFlags } = plan
  if (outcomeFlags === undefined) return textAt(row.cells, outcomeCell)
  const said = outcomeOfFlags(outcomeFlags, row)
  const reason = said === NAMES.not_won ? plan.fields.find(({ field }) => field === "loss_reason")?.cells[0] : undefined
  return reason !== undefined && isFilledAt(row, reason) ? NAMES.lost : said
}

const LETTERS: Readonly<Record<string, string>> = { w: "Won", l: "Lost" }

/** Whether the text says how a deal has ended. */
export const isEnd = (text: string): boolean => readStage(text).category !== "open"

const MAX_OUTCOME = 40
const wordOf = (text: string): string => LETTERS[text.toLowerCase()] ?? text

/** Whether a text says won or lost, and no other end, which things beside deals may have too. */
export const isWonOrLost = (text: string): boolean => {
  const { category, doubt } = readStage(wordOf(text))
  return category !== "open" && doubt === undefined
}

/** Whether a text is the end of a deal, or says that it is on its way. */
export const isOutcome = (text: string): boolean =>
  text.length <= MAX_OUTCOME && (isEnd(wordOf(text)) || readStage(text).by === "words")

/** Whether a stage says that a deal is won or lost, and its outcome another thing. */
export const isContradicted = (stage: unknown, said: string): boolean => {
  if (typeof stage !== "string") return false
  const [own, other] = [stage, wordOf(said)].map((text) => readStage(text))
  if (own!.by === "none" || own!.category === "open") return false
  // An open outcome wins over a stage that may be an end.
  if (own!.doubt !== undefined && other!.category === "open") return false
  return other!.by === "words" && other!.category !== own!.category
}

/** A deal that has ended has its outcome as the stage, and the stage in which it ended as the one before. */
export const decideOutcome = (record: Record<string, unknown>, said: string): void => {
  const { status } = record
  const outcome = wordOf(said)
  const end = readStage(outcome)
  if (end.category === "open") {
    if (status == null && outcome !== "") record["status"] = outcome
  } else if (typeof status !== "string" || !isSameEnd(readStage(status), end)) {
    record["status"] = outcome
    if (status != null) record["previous_status"] ??= status
  }
}

/** Whether a stage says as surely as the outcome how the deal has ended. */
const isSameEnd = (stage: StageReading, outcome: StageReading): boolean =>
  stage.category === outcome.category && (stage.doubt === undefined || outcome.doubt !== undefined)

type Flag = "won" | "lost" | "closed"

/** The stage of a deal whose file has no stages. One that is open may be in any; one that is not won may be open or lost. */
const NAMES = { won: "Won", lost: "Lost", open: "", not_won: "Not won", mixed: "Won and lost" } as const

/** The outcome of a deal in a file that has flags and no stages. */
const outcomeOfFlags = (flags: NonNullable<ImportPlan["outcomeFlags"]>, row: TableRow): string => {
  const said = readFlags(flags, row)
  return said === undefined ? "" : NAMES[said]
}

/** A deal that is closed and not won is lost. One that is not won may still be open. */
export const readFlags = (
  flags: Iterable<readonly [cell: number, flag: Flag, isDay?: true]>,
  { cells }: TableRow,
): StageFlag | undefined => {
  const said: Partial<Record<Flag, boolean>> = {}
  for (const [index, flag, isDay] of flags) {
    const text = textOf(cells[index] ?? "").trim()
    // A day says yes; an empty cell says nothing.
    const truth = isDay === true ? (text !== "" && !isPlaceholder(text)) || undefined : parseTruth(text)
    if (typeof truth === "boolean") said[flag] = truth
  }
  const { won, lost, closed } = said
  if ((won === true && lost === true) || (closed === false && (won === true || lost === true))) return "mixed"
  if (won === true) return "won"
  if (lost === true || (closed === true && won === false)) return "lost"
  if (closed === false || (won === false && lost === false)) return "open"
  return won === false ? "not_won" : undefined
}
