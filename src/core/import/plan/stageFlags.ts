import { fold } from "../../common/fold.ts"
import type { StageFlag } from "../../records/values/stageWords.ts"
import { type TableRow, textOf } from "../table/Table.ts"
import { eachRow } from "./evidence.ts"
import { normalizeHeader } from "./headers.ts"
import { filledBy } from "./aspects.ts"
import { fieldNamed, OUTCOME } from "./columns.ts"
import type { ImportPlan, PlannedColumn, PlannedField } from "./ImportPlan.ts"
import { isPlaceholder } from "./emptyCells.ts"
import { parseTruth, readFlags } from "./outcome.ts"
import { cellOf } from "./readRow.ts"
import { splitUnit } from "./scale.ts"

/** Columns of yes and no in which CRMs and people say what a deal's stage means. A column with other values does not count. */
const HEADERS = {
  won: "is won|iswon|won|won?|is won?|closed won|is closed won|hs is closed won|is deal won|won flag|gewonnen|gewonnen?|gewonnen ja/nein|deal gewonnen|ist gewonnen|gagné|gagnée|est gagné|est gagnée|ganado|ganada|vinto|vinta",
  lost: "is lost|islost|lost|lost?|is lost?|closed lost|is closed lost|hs is closed lost|lost flag|verloren|verloren?|verloren ja/nein|ist verloren|perdu|perdue|perdido|perdida|perso|persa",
  closed:
    "is closed|isclosed|closed|closed?|is closed?|hs is closed|is deal closed|is deal closed?|closed flag|geschlossen|abgeschlossen|ist abgeschlossen|ist geschlossen|geschlossen ja/nein|abgeschlossen ja/nein|fermé|fermée|clôturé|clôturée|cerrado|cerrada|chiuso|chiusa",
} as const
type Flag = keyof typeof HEADERS

const FLAGS = Object.keys(HEADERS) as ReadonlyArray<Flag>
const FLAG_OF: ReadonlyMap<string, Flag> = new Map(
  FLAGS.flatMap((flag) => HEADERS[flag].split("|").map((header) => [header, flag] as const)),
)

/** Stages that a plan has the flags of. */
const MAX_STAGES = 200

const flagCalled = (header: string): Flag | undefined =>
  FLAG_OF.get(normalizeHeader(header)) ?? FLAG_OF.get(normalizeHeader(splitUnit(header).name))

/** Columns of flags by their places, and what they say of the stages, by the folded name. */
interface Flags {
  readonly columns: ReadonlyMap<number, Flag>
  readonly stages: Readonly<Record<string, StageFlag>>
}

const NO_FLAGS: Flags = { columns: new Map(), stages: {} }

type OutcomePlan = Pick<ImportPlan, "outcomeCell" | "outcomeFlags" | "stageFlags">

/** Plans how a deal gets its outcome: from a column that has it, from the flags of its stage, or from flags in a file without stages. */
export function* planOutcome(
  isDeals: boolean,
  fields: ReadonlyArray<PlannedField>,
  columns: ReadonlyArray<PlannedColumn>,
  header: ReadonlyArray<string>,
  rows: ReadonlyArray<TableRow>,
): Generator<void, { columns: ReadonlyArray<PlannedColumn>; flags: ReadonlyMap<number, unknown>; plan: OutcomePlan }> {
  const outcomeCell = fields.find(({ field }) => field === OUTCOME)?.cells[0]
  const status = fields.find(({ field }) => field === "status")
  if (!isDeals || (status === undefined && outcomeCell !== undefined)) {
    return { columns, flags: NO_FLAGS.columns, plan: { outcomeCell } }
  }
  const found = yield* findFlags(columns, header, rows)
  if (status !== undefined) {
    const flags = yield* stageFlags(status, found, rows)
    return {
      columns,
      flags: flags.columns,
      plan: { outcomeCell, ...(flags.columns.size > 0 && { stageFlags: flags.stages }) },
    }
  }
  const days = findDays(columns)
  if (found.size === 0 && days.length > 0) return { columns, flags: NO_FLAGS.columns, plan: { outcomeFlags: days } }
  // That a deal is closed says nothing of its end.
  if (![...found.values()].some((flag) => flag !== "closed")) return { columns, flags: NO_FLAGS.columns, plan: {} }
  return {
    columns: columns.map((each, index) =>
      found.has(index) && each.field === null ? { ...each, field: OUTCOME, confidence: CONFIDENCE_OF_FLAG } : each,
    ),
    flags: found,
    plan: { outcomeFlags: [...found] },
  }
}

const CONFIDENCE_OF_FLAG = 0.9

/** Columns of the days on which deals were won and lost, whichever field they fill. */
const findDays = (columns: ReadonlyArray<PlannedColumn>) =>
  columns.flatMap(({ column, field, by }, index): ReadonlyArray<readonly [number, "won" | "lost", true]> => {
    if (field === null || filledBy(field) !== "close_date") return []
    const named = by === "map" ? field : fieldNamed("deal", column)
    return named === "won_date" ? [[index, "won", true]] : named === "lost_date" ? [[index, "lost", true]] : []
  })

/** Finds columns of yes and no that say how a deal has ended. */
function* findFlags(
  columns: ReadonlyArray<PlannedColumn>,
  header: ReadonlyArray<string>,
  rows: ReadonlyArray<TableRow>,
): Generator<void, ReadonlyMap<number, Flag>> {
  const flags = new Map<number, Flag>()
  for (const [index, name] of header.entries()) {
    const flag = flagCalled(name)
    if (flag === undefined || columns[index]?.by === "map" || [...flags.values()].includes(flag)) continue
    if (yield* isTruth(rows, index)) flags.set(index, flag)
  }
  return flags
}

/** Reads what columns of yes and no say of the stages of a file. */
function* stageFlags(
  status: PlannedField,
  flags: ReadonlyMap<number, Flag>,
  rows: ReadonlyArray<TableRow>,
): Generator<void, Flags> {
  const stages = new Map<string, StageFlag>()
  yield* eachRow(flags.size === 0 ? [] : rows, (row) => {
    const stage = fold(textOf(cellOf(row, status)).trim())
    const said = readFlags(flags, row)
    if (stage === "" || said === undefined) return
    const before = stages.get(stage)
    if (before === undefined && stages.size < MAX_STAGES) stages.set(stage, said)
    else if (before !== undefined && before !== said) stages.set(stage, "mixed")
  })
  return stages.size === 0 ? NO_FLAGS : { columns: flags, stages: Object.fromEntries(stages) }
}

/** Whether a column has yes and no, and nothing else. */
export function* isTruth(rows: ReadonlyArray<TableRow>, index: number): Generator<void, boolean> {
  let [isFilled, isOther] = [false, false]
  yield* eachRow(rows, ({ cells }) => {
    const text = textOf(cells[index] ?? "").trim()
    if (text === "" || isPlaceholder(text)) return
    isFilled = true
    isOther = typeof parseTruth(text) !== "boolean"
    return isOther
  })
  return isFilled && !isOther
}
