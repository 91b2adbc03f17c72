import { fold } from "../../common/fold.ts"
import type { StageFlag } from "../../records/values/stageWords.ts"
import { type TableRow, textOf } from "../table/Table.ts"
import { eachRow } from "./evidence.ts"
import { normalizeHeader, splitUnit } from "./headers.ts"
import type { PlannedColumn, PlannedField } from "./ImportPlan.ts"
import { isPlaceholder } from "./emptyCells.ts"
import { cellOf, TRUTH } from "./readRow.ts"

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

const parseTruth = (text: string) => TRUTH.get(text.toLowerCase())

/** Columns of flags by their places, and what they say of the stages, by the folded name. */
interface Flags {
  readonly columns: ReadonlyMap<number, Flag>
  readonly stages: Readonly<Record<string, StageFlag>>
}

const NONE: Flags = { columns: new Map(), stages: {} }

/** Reads what columns of yes and no say of the stages of a file. */
export function* stageFlags(
  status: PlannedField | undefined,
  columns: ReadonlyArray<PlannedColumn>,
  header: ReadonlyArray<string>,
  rows: ReadonlyArray<TableRow>,
): Generator<void, Flags> {
  if (status === undefined) return NONE
  const flags = new Map<number, Flag>()
  for (const [index, name] of header.entries()) {
    const flag = flagCalled(name)
    if (flag === undefined || columns[index]?.by === "map" || [...flags.values()].includes(flag)) continue
    if (yield* isTruth(rows, index)) flags.set(index, flag)
  }
  const stages = new Map<string, StageFlag>()
  yield* eachRow(flags.size === 0 ? [] : rows, (row) => {
    const stage = fold(textOf(cellOf(row, status)).trim())
    const said = readFlags(flags, row)
    if (stage === "" || said === undefined) return
    const before = stages.get(stage)
    if (before === undefined && stages.size < MAX_STAGES) stages.set(stage, said)
    else if (before !== undefined && before !== said) stages.set(stage, "mixed")
  })
  return stages.size === 0 ? NONE : { columns: flags, stages: Object.fromEntries(stages) }
}

/** Whether a column has yes and no, and nothing else. */
function* isTruth(rows: ReadonlyArray<TableRow>, index: number): Generator<void, boolean> {
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

/** A deal that is closed and not won is lost. One that is not won may still be open. */
const readFlags = (flags: ReadonlyMap<number, Flag>, { cells }: TableRow): StageFlag | undefined => {
  const said: Partial<Record<Flag, boolean>> = {}
  for (const [index, flag] of flags) {
    const truth = parseTruth(textOf(cells[index] ?? "").trim())
    if (typeof truth === "boolean") said[flag] = truth
  }
  const { won, lost, closed } = said
  if ((won === true && lost === true) || (closed === false && (won === true || lost === true))) return "mixed"
  if (won === true) return "won"
  if (lost === true || (closed === true && won === false)) return "lost"
  if (closed === false || (won === false && lost === false)) return "open"
  return won === false ? "not_won" : undefined
}
