import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { inSlices, yieldIfDue } from "../common/inSlices.ts"
import { shorten } from "../common/shorten.ts"
import { Conflict } from "../http/errors/errors.ts"
import { badRequest } from "../http/validation/validation.ts"
import { type Parsed, type Problem, refused, toEntry, UNSHOWN } from "../records/entry.ts"
import type { Notices } from "../records/Notices.ts"
import { filledBy } from "./plan/fields/aspects.ts"
import { candidateNames, listedNames, ONE_NAME } from "./plan/cells/namesOfCell.ts"
import { fold } from "../common/fold.ts"
import type { ImportPlan, PlanContext, PlanOptions } from "./plan/fields/ImportPlan.ts"
import { findPlanned } from "./plan/findPlanned.ts"
import { makePlan } from "./plan/makePlan.ts"
import { type RowFilter, rowFilter } from "./plan/rows/notRows.ts"
import { warnOfHiddenRow } from "./plan/warnings/warnOfHidden.ts"
import { rowReader } from "./plan/read/readRow.ts"
import { ShownErrors } from "../records/ShownErrors.ts"
import { nameDelimiter } from "./table/delimiter.ts"
import { type ReadFailure, type TableRow, refuseFile, type Table, type TableFacts, textOf } from "./table/Table.ts"

/** The plan is made from the rows before the first of these limits. */
const MAX_SAMPLE_ROWS = 10_000
const MAX_SAMPLE_CHARACTERS = 16 * 1024 * 1024
/** Names of one column that are looked up or remembered, to split lists. */
const MAX_NAMES = 5000

/** Look-ups in the workspace that a plan needs. */
export interface PlanLookups<E, R> {
  readonly context: (type: PlanOptions["type"]) => Effect.Effect<PlanContext, E, R>
  /** Those of the names that the workspace has for a field of lists. */
  readonly namesOf: (field: string, names: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<string>, E, R>
  /** Runs once, before the first row is read. */
  readonly onPlan: (plan: ImportPlan, filter: RowFilter, context: PlanContext) => Effect.Effect<void, E, R>
}

/** Reads the rows of a table as records. The first rows decide what the columns mean, so no row is read before them. */
export const readTable = <E, E2, R>(
  table: Table<E>,
  options: PlanOptions,
  lookups: PlanLookups<E2, R>,
  notices: Notices,
  shown = new ShownErrors(),
): Stream.Stream<ReadonlyArray<Parsed>, E | E2 | Conflict | ReadFailure, R> =>
  Stream.suspend(() => {
    let sample: Array<TableRow> | undefined = []
    let characters = 0
    let count = 0
    let skipped = () => 0
    let read: (rows: ReadonlyArray<TableRow>, last: boolean) => Effect.Effect<ReadonlyArray<Parsed>> = () =>
      Effect.succeed([])

    const plan = Effect.fnUntraced(function* (rows: ReadonlyArray<TableRow>) {
      const { made } = options
      const context = yield* lookups.context(options.type)
      const planned =
        made === undefined
          ? yield* inSlices(makePlan(rows, table.facts, options, context, notices))
          : findPlanned(made, rows)
      if (planned instanceof Conflict) return yield* planned
      if (!("plan" in planned)) {
        const whole = planned.find(({ field }) => field === "body")
        return yield* whole === undefined ? badRequest({ invalid: planned }) : refuseFile(whole.reason)
      }
      const body = rows.slice(planned.headerAt + 1)
      const known: Record<string, ReadonlyArray<string>> = { ...planned.plan.known }
      for (const { field, kind, cells } of made === undefined ? planned.plan.fields : []) {
        if (kind !== "list" && !ONE_NAME.has(field)) continue
        const candidates = yield* inSlices(candidateNames(body, cells[0]!, MAX_NAMES))
        const found = yield* lookups.namesOf(filledBy(field), [...candidates])
        const listed = yield* inSlices(listedNames(body, cells[0]!, MAX_NAMES))
        const names = new Set([...listed, ...found].map(fold))
        // Keeps only the parts of cells of owners and clients, so that the plan stays small.
        known[field] =
          kind === "list" ? [...names] : [...new Set([...candidates].map(fold))].filter((name) => names.has(name))
      }
      const whole: ImportPlan = { ...planned.plan, known }
      const filter = rowFilter(whole, table.facts, notices)
      skipped = filter.skipped
      const toRecord = rowReader(whole, notices)
      read = Effect.fnUntraced(function* (given: ReadonlyArray<TableRow>, last: boolean) {
        const parsed: Array<Parsed> = []
        const take = (row: TableRow) => {
          const entry = parse(whole, table.facts, row, toRecord, shown)
          if (row.isHidden === true && !("problems" in entry)) warnOfHiddenRow(row, notices)
          parsed.push(entry)
        }
        for (const each of given) {
          yield* yieldIfDue
          noticeUncalculated(each, table.facts, notices)
          filter.push([each]).forEach(take)
        }
        if (last) filter.end().forEach(take)
        count += parsed.length
        return parsed
      })
      table.settle?.()
      yield* lookups.onPlan(whole, filter, context)
      return body
    })

    const take = Effect.fnUntraced(function* (rows: ReadonlyArray<TableRow>) {
      if (sample === undefined) return yield* read(rows, false)
      for (const row of rows) sample.push(row)
      for (const { cells } of rows) for (const cell of cells) characters += textOf(cell).length
      const isEnough = sample.length >= MAX_SAMPLE_ROWS || characters >= MAX_SAMPLE_CHARACTERS
      if (!isEnough && !(options.made !== undefined && rows.at(-1)!.line >= options.made.headerLine)) return []
      const first = sample
      sample = undefined
      const body = yield* plan(first)
      return yield* read(body, false)
    })

    const end = Effect.suspend(() => {
      if (sample === undefined) return read([], true)
      return Effect.flatMap(plan(sample), (body) => read(body, true))
    }).pipe(Effect.tap(() => (count > 0 ? Effect.void : refuseFile(describeNothing(skipped(), notices)))))

    return Stream.concat(Stream.mapEffect(table.rows, take), Stream.fromEffect(end)).pipe(
      Stream.filter((parsed) => parsed.length > 0),
    )
  })

/** Why a file with a header has no record. */
const describeNothing = (skipped: number, notices: Notices): string => {
  if (skipped === 0) return "The file has a header row and no rows below it"
  const reasons = notices.list().flatMap(({ code, message }) => (/_skipped$|^short_row$/.test(code) ? [message] : []))
  return `The file has no records: ${reasons.join("; ")}`
}

const parse = (
  plan: ImportPlan,
  { delimiter }: TableFacts,
  row: TableRow,
  toRecord: ReturnType<typeof rowReader>,
  shown: ShownErrors,
): Parsed => {
  const { line, cells, problem, text } = row
  const isShown = shown.mayShow(line)
  if (problem !== undefined) return { ...refused(line, "record", problem, text), unreadable: true }
  const extra = cells.slice(plan.header.length).find((cell) => textOf(cell).trim() !== "")
  if (extra !== undefined) {
    const advice =
      delimiter === undefined
        ? `give its column a header, or empty the cell`
        : `a cell with a ${nameDelimiter(delimiter)} needs quotation marks`
    return refused(
      line,
      "record",
      `has ${cells.length} cells where the header has ${plan.header.length}: ${advice}`,
      shorten(cells.map(textOf).join(delimiter ?? ", ")),
    )
  }
  const found = toRecord(row, isShown)
  if ("problems" in found) {
    if (!isShown) return { line, problems: UNSHOWN }
    shown.show(line, found.problems.length)
    return { line, problems: found.problems }
  }
  const size = cells.reduce((sum, cell) => sum + textOf(cell).length, 0)
  const parsed = toEntry(line, found.record, size, true, shown)
  if ("problems" in parsed) return { ...parsed, problems: parsed.problems.map((each) => withValue(plan, row, each)) }
  const { record: _, ...rest } = found
  return { ...parsed, ...rest }
}

const noticeUncalculated = ({ line, uncalculated = [] }: TableRow, { sheet }: TableFacts, notices: Notices) => {
  for (const { cell } of uncalculated) {
    const example = sheet === undefined ? cell : `${sheet}!${cell}`
    notices.add("formulas_not_calculated", {
      line,
      example,
      message: `formulas such as ${shorten(example)} have no value, because the program that wrote the file did not calculate them: open it in a spreadsheet, save it, and send it again`,
    })
  }
}

/** Adds the cell as written to a problem of the field that it fills. */
const withValue = (plan: ImportPlan, row: TableRow, problem: Problem): Problem => {
  const field = plan.fields.find(
    ({ field, path }) => problem.field === field || problem.field.startsWith(`${path[0]}[`),
  )
  if (field === undefined || problem.value !== undefined) return problem
  const value = field.cells.map((cell) => textOf(row.cells[cell] ?? "").trim()).join(" - ")
  return { ...problem, value: shorten(value) }
}
