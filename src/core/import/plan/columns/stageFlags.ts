import { fold } from "../../../common/fold.ts"
import { readStage, type StageFlag } from "../../../records/values/stageWords.ts"
import { type TableRow, textOf } from "../../table/Table.ts"
import { eachRow } from "../cells/evidence.ts"
import { normalizeHeader } from "../headers/headers.ts"
import { filledBy } from "../fields/aspects.ts"
import { fieldNamed, OUTCOME } from "../headers/matchColumns.ts"
import type { ImportPlan, PlannedColumn, PlannedField } from "../fields/ImportPlan.ts"
import { isPlaceholder } from "../cells/emptyCells.ts"
import { parseTruth, readFlags } from "../cells/outcome.ts"
import { cellOf } from "../cells/plainText.ts"
import { splitUnit } from "../headers/scale.ts"

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
  readonly stages: ReadonlyMap<string, StageFlag>
  /** Rows of one stage say different things, so that each says it of its own deal. */
  readonly isOfRows: boolean
}

const NO_FLAGS: Flags = { columns: new Map(), stages: new Map(), isOfRows: false }

type OutcomePlan = Pick<ImportPlan, "outcomeCell" | "outcomeFlags" | "stageFlags" | "archive">

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
  const archive = yield* findArchive(fields, columns, header, rows)
  if (status !== undefined) {
    const flags =
      outcomeCell === undefined
        ? yield* stageFlags(status, found, rows)
        : yield* flagsByOutcome(status, outcomeCell, rows)
    const used = new Map<number, unknown>(flags.columns)
    if (archive !== undefined) used.set(archive.active, archive)
    return {
      columns,
      flags: used,
      plan: {
        outcomeCell,
        ...(flags.stages.size > 0 && { stageFlags: Object.fromEntries(flags.stages) }),
        ...(flags.isOfRows && { outcomeFlags: [...found] }),
        ...(archive !== undefined && { archive }),
      },
    }
  }
  const days = findDays(columns)
  if (found.size === 0 && days.length > 0) return { columns, flags: NO_FLAGS.columns, plan: { outcomeFlags: days } }
  // That a deal is closed says nothing of its end.
  if (![...found.values()].some((flag) => flag !== "closed")) {
    return archive === undefined
      ? { columns, flags: NO_FLAGS.columns, plan: {} }
      : { columns, flags: new Map([[archive.active, archive]]), plan: { archive } }
  }
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

/** Finds the column that says whether a deal is active, beside one of reasons of loss. */
function* findArchive(
  fields: ReadonlyArray<PlannedField>,
  columns: ReadonlyArray<PlannedColumn>,
  header: ReadonlyArray<string>,
  rows: ReadonlyArray<TableRow>,
): Generator<void, ImportPlan["archive"]> {
  const reason = fields.find(({ field }) => field === "loss_reason")?.cells[0]
  const active = header.findIndex((name, index) => columns[index]?.field === null && ACTIVE.test(normalizeHeader(name)))
  if (reason === undefined || active === -1 || columns[active]!.by === "map") return undefined
  return (yield* isTruth(rows, active)) ? { active, reason } : undefined
}

const ACTIVE = /^(?:is )?(?:active|aktiv|acti[fv]|activo|attivo|ativo)\??$/

/** Reads what columns of yes and no say of the stages of a file. */
function* stageFlags(
  status: PlannedField,
  flags: ReadonlyMap<number, Flag>,
  rows: ReadonlyArray<TableRow>,
): Generator<void, Flags> {
  const said = new Map<string, Set<StageFlag>>()
  yield* eachRow(flags.size === 0 ? [] : rows, (row) => {
    const stage = stageAt(row, status)
    const flag = readFlags(flags, row)
    if (stage !== "" && flag !== undefined) addFlag(said, stage, flag)
  })
  let isOfRows = false
  const stages = new Map<string, StageFlag>()
  for (const [stage, all] of said) {
    const flag = all.size === 1 ? [...all][0] : "mixed"
    if (flag === "mixed" && !all.has("mixed") && !isSureEnd(stage)) {
      // Rows say of their own deals what the stage does not: those that have ended leave it.
      isOfRows = true
      const left = [...all].filter((each) => !ENDS.has(each))
      if (left.length > 0) stages.set(stage, left.length === 1 ? left[0]! : "not_won")
    } else stages.set(stage, flag!)
  }
  return said.size === 0 ? NO_FLAGS : { columns: flags, stages, isOfRows }
}

const ENDS: ReadonlySet<StageFlag> = new Set(["won", "lost"])

const stageAt = (row: TableRow, status: PlannedField): string => fold(textOf(cellOf(row, status)).trim())

const addFlag = (said: Map<string, Set<StageFlag>>, stage: string, flag: StageFlag): void => {
  const known = said.get(stage)
  if (known !== undefined) known.add(flag)
  else if (said.size < MAX_STAGES) said.set(stage, new Set([flag]))
}

const isSureEnd = (stage: string): boolean => {
  const { category, doubt } = readStage(stage)
  return category !== "open" && doubt === undefined
}

/** Finds the stages whose names may be ends, and whose deals are open by the column of outcomes. */
function* flagsByOutcome(
  status: PlannedField,
  outcomeCell: number,
  rows: ReadonlyArray<TableRow>,
): Generator<void, Flags> {
  const stages = new Map<string, StageFlag>()
  yield* eachRow(rows, (row) => {
    const stage = stageAt(row, status)
    if (stages.size >= MAX_STAGES || stages.has(stage) || readStage(stage).doubt === undefined) return
    const { category, by } = readStage(textOf(row.cells[outcomeCell] ?? "").trim())
    if (category === "open" && by === "words") stages.set(stage, "open")
  })
  return { ...NO_FLAGS, stages }
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
